package org.brigade.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Identifies a process to others.
 *
 * @param pid 0 for a rank that is only a thread
 * @param startTime in clock ticks since the machine started
 * @param namespace hash of the name of its pid namespace; the pid means nothing in another namespace
 */
public record ProcessIdentity(long pid, long startTime, long namespace) {
    /** A rank that has no process of its own. */
    public static final ProcessIdentity THREAD = new ProcessIdentity(0, 0, 0);

    public static ProcessIdentity self() {
        ProcessStat stat = ProcessStat.self();
        if (stat == null) {
            return THREAD;
        }
        long namespace;
        try {
            namespace = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString().hashCode();
        } catch (IOException unknown) {
            namespace = 0;
        }
        return new ProcessIdentity(stat.pid(), stat.startTime(), namespace);
    }

    /** Whether a process in this namespace can tell if the other one lives. */
    public boolean canSee(ProcessIdentity other) {
        return other.pid != 0 && other.namespace == namespace;
    }

    public boolean ended() {
        ProcessStat stat = ProcessStat.of(pid);
        return stat == null || stat.startTime() != startTime || stat.state() == 'Z' || stat.state() == 'X';
    }
}
