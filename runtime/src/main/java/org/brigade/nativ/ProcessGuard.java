package org.brigade.nativ;

/**
 * Ties the end of this process to the end of others. The wait is in native code and costs nothing. No state of this JVM
 * can keep the process alive: a thread in Java that has slept goes on only after a safepoint that another thread may
 * have asked for, and a compiled loop that counts may reach none for minutes.
 */
public final class ProcessGuard {
    private ProcessGuard() {
    }

    /**
     * Waits until one of the processes has ended. From then on this process has so many milliseconds to end by itself;
     * then the kernel kills it.
     *
     * @return true at that end; false at once if neither the library nor the kernel can do so
     */
    public static boolean endSoonAfter(int[] processes, int millis) {
        return BrigadeLibrary.LOADED && BrigadeLibrary.endSoonAfter(processes, millis) == 0;
    }
}
