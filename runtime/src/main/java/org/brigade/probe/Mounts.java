package org.brigade.probe;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.brigade.topology.system.SystemFiles;

/** The mounted file systems, as the kernel lists them in /proc/mounts; empty if it does not. */
public record Mounts(List<Mount> all) {
    /** @param options as {@code rw}, {@code noexec} */
    public record Mount(String place, String type, List<String> options) {
    }

    public static Mounts read(SystemFiles files) {
        List<Mount> all = new ArrayList<>();
        for (String line : files.text("proc/mounts").split("\n")) {
            String[] words = line.split(" ");
            if (words.length > 3) {
                // The kernel writes blanks as \040; other escapes are too rare in places that we ask for.
                all.add(new Mount(words[1].replace("\\040", " "), words[2], List.of(words[3].split(","))));
            }
        }
        return new Mounts(all);
    }

    /** The mount that holds a path: the longest place above it, the last one if several are mounted there. */
    public Mount of(Path path) {
        Mount found = new Mount("/", "", List.of());
        for (Mount mount : all) {
            if (path.startsWith(mount.place()) && mount.place().length() >= found.place().length()) {
                found = mount;
            }
        }
        return found;
    }
}
