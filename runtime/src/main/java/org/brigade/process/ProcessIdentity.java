package org.brigade.process;

/**
 * Identifies a process to others.
 *
 * @param pid 0 for a rank that is only a thread
 * @param startTime in the unit of {@link Platform#start}
 * @param namespace hash of the name of its pid namespace; the pid means nothing in another namespace
 */
public record ProcessIdentity(long pid, long startTime, long namespace) {
    /** A rank that has no process of its own. */
    public static final ProcessIdentity THREAD = new ProcessIdentity(0, 0, 0);

    public static ProcessIdentity self() {
        long pid = ProcessHandle.current().pid();
        long start = Platform.here().start(pid);
        return start < 0 ? THREAD : new ProcessIdentity(pid, start, namespaceNumber());
    }

    private static long namespaceNumber() {
        return Platform.here().namespace().hashCode();
    }

    /** Whether a process in this namespace can tell if the other one lives. */
    public boolean canSee(ProcessIdentity other) {
        return other.pid != 0 && other.namespace == namespace;
    }

    public boolean ended() {
        return Platform.here().ended(pid, startTime);
    }
}
