package org.brigade.interrupt;

/**
 * Says once which threads keep a process alive that has finalized and left main: mostly those of a pool that nobody has
 * shut down. This is a daemon thread, so it keeps nothing.
 */
public final class LingerWatch extends Thread {
    /** Main must have been left at two looks in a row. */
    private static final long LOOK_MILLIS = 5000;
    /** The JVM calls the thread so that has left main, while it waits for the others. */
    private static final String LEFT_MAIN = "DestroyJavaVM";
    private static final int NAMED = 3;

    private final int rank;
    private final int size;

    private LingerWatch(int rank, int size) {
        super("brigade-linger");
        this.rank = rank;
        this.size = size;
        setDaemon(true);
    }

    /** Watches from now on; the rank has finalized. */
    public static void start(int rank, int size) {
        new LingerWatch(rank, size).start();
    }

    @Override
    public void run() {
        boolean left = false;
        while (true) {
            try {
                sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                continue; // an interrupt of the whole group
            }
            Thread[] threads = all();
            if (ProcessEnd.hasBegun()) {
                return;
            }
            boolean leftBefore = left;
            left = false;
            for (Thread each : threads) {
                left |= each != null && each.getName().equals(LEFT_MAIN);
            }
            if (left && leftBefore) {
                String who = keepers(threads);
                if (who != null) {
                    System.err.println("brigade: rank " + rank + " of " + size + " has finalized and left main, but "
                        + who + " its process alive; shut down its pool (ExecutorService.shutdown), make it a daemon,"
                        + " or call System.exit");
                }
                return;
            }
        }
    }

    private static Thread[] all() {
        ThreadGroup group = currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        Thread[] all = new Thread[2 * group.activeCount() + 16];
        group.enumerate(all);
        return all;
    }

    /** {@code thread "pool-1-thread-1" (in Queue.take) keeps}; null if none of them keeps a process alive. */
    static String keepers(Thread[] threads) {
        StringBuilder names = new StringBuilder();
        int count = 0;
        for (Thread each : threads) {
            if (each != null && each.isAlive() && !each.isDaemon() && !each.getName().equals(LEFT_MAIN)
                && count++ < NAMED) {
                names.append(names.length() == 0 ? "" : ", ").append('"').append(each.getName()).append('"')
                    .append(place(each.getStackTrace()));
            }
        }
        return count == 0 ? null
            : (count == 1 ? "thread " : "threads ") + names + (count > NAMED ? " and " + (count - NAMED) + " more" : "")
                + (count == 1 ? " keeps" : " keep");
    }

    /** Where a thread is: the program's own method if there is one. */
    private static String place(StackTraceElement[] stack) {
        if (stack.length == 0) {
            return "";
        }
        StackTraceElement at = stack[0];
        for (int i = stack.length - 1; i >= 0; i--) {
            String name = stack[i].getClassName();
            if (!name.startsWith("java.") && !name.startsWith("jdk.") && !name.startsWith("sun.")) {
                at = stack[i];
            }
        }
        return " (in " + at.getClassName() + "." + at.getMethodName() + ")";
    }
}
