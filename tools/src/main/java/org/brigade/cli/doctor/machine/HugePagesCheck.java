package org.brigade.cli.doctor.machine;

import org.brigade.cli.doctor.check.Check;
import org.brigade.cli.doctor.check.Diagnosis;
import org.brigade.select.ByteSize;
import org.brigade.topology.system.SystemFiles;

/** Huge pages: transparent ones for the heaps of ranks, and reserved ones, which no JVM uses without being told. */
public record HugePagesCheck(SystemFiles files) implements Check {
    private static final String NAME = "huge pages";
    private static final String TRANSPARENT = "sys/kernel/mm/transparent_hugepage/enabled";
    /** Of the memory: less does not hurt. */
    private static final int WORTH_A_WORD = 10;

    @Override
    public Diagnosis diagnosis() {
        long reserved = memory("HugePages_Free:") * memory("Hugepagesize:");
        String modes = files.text(TRANSPARENT);
        String mode = modes.contains("[") && modes.indexOf(']') > modes.indexOf('[')
            ? modes.substring(modes.indexOf('[') + 1, modes.indexOf(']')) : "";
        String finding = "transparent: " + (mode.isEmpty() ? "unknown" : mode) + "; reserved and free: "
            + ByteSize.words(reserved);
        if (reserved > 0 && reserved >= memory("MemTotal:") / WORTH_A_WORD) {
            return Diagnosis.costs(NAME, finding,
                "that memory is lost for heaps, messages and files, unless a program asks for such pages"
                    + " (-XX:+UseLargePages)",
                "sysctl vm.nr_hugepages=0, if no program here uses them");
        }
        if (mode.equals("never")) {
            return Diagnosis.costs(NAME, finding,
                "-XX:+UseTransparentHugePages has no effect: for each 2 MiB of a long array the processor takes 512 page"
                    + " faults at first, and looks up 512 pages later",
                "echo madvise > /" + TRANSPARENT + ", and -XX:+UseTransparentHugePages for programs with long arrays");
        }
        return Diagnosis.good(NAME, finding
            + (mode.equals("madvise") ? "; long arrays get them with -XX:+UseTransparentHugePages" : ""));
    }

    /** Bytes, or a number where the kernel gives no unit. */
    private long memory(String key) {
        for (String line : files.text("proc/meminfo").split("\n")) {
            if (line.startsWith(key)) {
                String[] words = line.substring(key.length()).strip().split(" ");
                long number = words[0].matches("\\d{1,15}") ? Long.parseLong(words[0]) : 0;
                return words.length > 1 ? number << 10 : number;
            }
        }
        return 0;
    }
}
