package org.brigade.cli.info;

import mpi.spi.Collective;
import org.brigade.setting.Setting;

/** Writes docs/settings.md from the declarations. */
public final class SettingsPage {
    private static final String HEAD = """
        # Settings

        This page is generated: `bin/brigade info --settings --markdown > docs/settings.md`.
        The declarations are in `org.brigade.setting.Setting`.

        Set each as a Java property or as an environment variable; the property wins. Numbers may end in K, M or G
        (1024-fold). MPI.Init fails and names any value that it cannot follow, and any unknown property. Rank 0 warns
        once about unknown `BRIGADE_*` variables.

        **Same** says that all ranks of a job must have the same value. MPI.Init compares these and fails where two
        ranks differ.
        """;
    private static final String TABLE = """


        | property | environment variable | default | unit | same | what it does |
        | --- | --- | --- | --- | --- | --- |
        """;
    private static final String OF_COLLECTIVES = """

        ## One collective

        For each of %s. All ranks must have the same.

        | property (for bcast) | environment variable | what it does |
        | --- | --- | --- |
        """;
    private static final String[][] COLLECTIVE = {
        {"bcast.algorithm", "Forces an algorithm for host memory; `brigade explain bcast` lists them."},
        {"bcast.chunk", "The size of its chunks, such as 64K."},
        {"bcast.radix", "The branching of its tree, or the number of leaders in a group."},
        {"bcast.device.algorithm", "Forces an algorithm for device memory."},
        {"bcast.device.chunk", "The size of its chunks."},
        {"bcast.device.blocks", "The thread blocks of its kernel."},
        {"bcast.device.share", "The percentage of its bytes that goes through host memory."}};
    private static final String OF_ENVIRONMENT = """

        ## Environment only

        | environment variable | what it is |
        | --- | --- |
        """;

    private SettingsPage() {
    }

    public static String markdown() {
        StringBuilder page = new StringBuilder(HEAD);
        String reader = "";
        for (Setting each : Setting.all()) {
            if (!each.reader.equals(reader)) {
                reader = each.reader;
                page.append("\n## ").append(reader).append(TABLE);
            }
            row(page, code(Setting.property(each.key)), code(Setting.variable(each.key)), each.standard,
                each.unit == null ? "" : each.unit, each.shared ? "yes" : "",
                each.words + each.values());
        }
        StringBuilder collectives = new StringBuilder();
        for (Collective each : Collective.values()) {
            collectives.append(collectives.isEmpty() ? "" : ", ").append(each.key());
        }
        page.append(String.format(OF_COLLECTIVES, collectives));
        for (String[] each : COLLECTIVE) {
            row(page, code(Setting.property(each[0])), code(Setting.variable(each[0])), each[1]);
        }
        page.append(OF_ENVIRONMENT);
        for (String[] each : Setting.variables()) {
            row(page, code("BRIGADE_" + each[0]), each[1]);
        }
        return page.toString();
    }

    private static void row(StringBuilder page, String... cells) {
        page.append('|');
        for (String cell : cells) {
            page.append(' ').append(cell.replace("|", "\\|")).append(cell.isEmpty() ? "|" : " |");
        }
        page.append('\n');
    }

    private static String code(String text) {
        return "`" + text + "`";
    }
}
