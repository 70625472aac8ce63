package org.brigade.nativ;

/**
 * On which processor the calling thread runs, without JNA ({@link Affinity}). Works only once something has loaded
 * {@link BrigadeLibrary}.
 */
public final class ThreadPlace {
    /** Set by {@link BrigadeLibrary}, which is not loaded for this. */
    static volatile boolean compiled;

    private ThreadPlace() {
    }

    /** Whether the methods below may be called. */
    public static boolean works() {
        return compiled;
    }

    /** The processor's number; -1 if it is not known. */
    public static int processor() {
        return BrigadeLibrary.processor();
    }

    /**
     * Moves this thread to a processor, if it may run there. It stays free to run where it might before: the kernel may
     * move it again.
     *
     * @return whether it was moved
     */
    public static boolean moveTo(int processor) {
        return BrigadeLibrary.moveTo(processor) == 0;
    }
}
