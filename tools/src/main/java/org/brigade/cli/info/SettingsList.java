package org.brigade.cli.info;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import mpi.spi.Collective;
import org.brigade.setting.Setting;

/** Prints all settings with their meanings and values, for people. */
final class SettingsList {
    private SettingsList() {
    }

    static void print(PrintWriter out) {
        out.println("As a property or in the environment: -Dbrigade.init.timeout=120 is BRIGADE_INIT_TIMEOUT=120."
            + " Settings marked * must be the same on all ranks.");
        out.println();
        for (Setting setting : Setting.all()) {
            String must = setting.must();
            print(out, Setting.property(setting.key) + (setting.shared ? " *" : ""), setting.words + " Default: "
                + setting.standard + (must == null ? "" : "; " + must));
        }
        out.println();
        out.println("For each collective (" + collectives() + "):");
        out.println();
        print(out, "brigade.bcast.algorithm", "the algorithm; brigade explain bcast lists them");
        print(out, "brigade.bcast.chunk", "its chunk, such as 64K");
        print(out, "brigade.bcast.radix", "its tree's branching, or leaders of a group");
        print(out, "brigade.bcast.device.algorithm", "the same on device memory, with .chunk, .blocks and .share");
        out.println();
        out.println("In the environment only:");
        out.println();
        for (String[] variable : Setting.variables()) {
            print(out, "BRIGADE_" + variable[0], variable[1]);
        }
        out.flush();
    }

    /** The settings for programs; those of each collective are in the page for people only. */
    static Map<String, Object> named() {
        List<Map<String, Object>> all = new ArrayList<>();
        for (Setting setting : Setting.all()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("property", Setting.property(setting.key));
            one.put("variable", Setting.variable(setting.key));
            one.put("description", setting.words);
            one.put("default", setting.standard);
            one.put("sameOnAllRanks", setting.shared);
            one.put("must", setting.must());
            all.add(one);
        }
        return Map.of("settings", all);
    }

    private static void print(PrintWriter out, String name, String words) {
        out.printf("  %-31s %s%n", name, words);
    }

    private static String collectives() {
        StringBuilder text = new StringBuilder();
        for (Collective collective : Collective.values()) {
            text.append(text.isEmpty() ? "" : ", ").append(collective.key());
        }
        return text.toString();
    }
}
