package org.brigade.cli.probe;

import org.brigade.topology.system.SystemFiles;

/**
 * What this process may use at most, as the kernel lists it in /proc/self/limits: the soft limits. Of open files, a JVM
 * has raised its own to the hard limit, as ranks will.
 */
public record Limits(SystemFiles files) {
    public static final long UNLIMITED = Long.MAX_VALUE;

    /**
     * @param name as {@code Max open files}
     * @return {@link #UNLIMITED} also where the kernel does not tell
     */
    public long of(String name) {
        for (String line : files.text("proc/self/limits").split("\n")) {
            if (line.startsWith(name + " ")) {
                String soft = line.substring(name.length()).strip().split("\\s+")[0];
                return soft.matches("\\d{1,18}") ? Long.parseLong(soft) : UNLIMITED;
            }
        }
        return UNLIMITED;
    }
}
