package org.brigade.nativ;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;

/**
 * The threads of this JVM that are not the program's: compilers, collector and the like. The kernel knows the JVM's
 * names of them. Threads that they start, as compilers start further ones, follow them.
 */
public final class JvmThreads {
    private static final String TASKS = "/proc/self/task";
    private static final int LONGEST_NAME = 16;
    /** How their names begin, of which the kernel keeps 15 letters, on JDK 17 to 25 with any collector. */
    private static final String[] NAMES = {"VM Thread", "VM Periodic", "C1 Compiler", "C2 Compiler", "JVMCI",
        "GC Thread",
        "G1 ", "ZWorker", "ZDriver", "ZDirector", "ZStat", "ZUnmapper", "ZUncommitter", "RuntimeWorker", "Shenandoah ",
        "Signal Dispatch", "Service Thread", "Monitor Deflati", "Notification Th", "Sweeper thread", "Attach Listener",
        "Reference Handl", "Finalizer", "Common-Cleaner", "JFR "};

    private JvmThreads() {
    }

    /**
     * Moves them to other processors for good.
     *
     * @param processors one bit a processor
     * @param all false: but for the VM Thread, which may find the rank's processor idle, as the program waits for it
     * @return whether they have been moved: false if the kernel refuses, or without the compiled library
     */
    public static boolean move(long[] processors, boolean all) {
        String[] threads = new File(TASKS).list();
        if (threads == null || !BrigadeLibrary.LOADED) {
            return false;
        }
        byte[] name = new byte[LONGEST_NAME];
        boolean moved = false;
        for (String each : threads) {
            int length = nameOf(each, name);
            if (isOurs(name, length) && (all || !begins(name, length, NAMES[0]))) {
                int error = BrigadeLibrary.place(Integer.parseInt(each), processors);
                if (error != 0 && !moved) {
                    return false;
                }
                moved = true;
            }
        }
        return moved;
    }

    /** The same for the calling thread. */
    public static boolean moveThis(long[] processors) {
        return BrigadeLibrary.LOADED && BrigadeLibrary.place(0, processors) == 0;
    }

    private static int nameOf(String thread, byte[] name) {
        try (FileInputStream file = new FileInputStream(TASKS + '/' + thread + "/comm")) {
            return file.read(name);
        } catch (IOException ended) {
            return 0;
        }
    }

    static boolean isOurs(byte[] name, int length) {
        for (String each : NAMES) {
            if (begins(name, length, each)) {
                return true;
            }
        }
        return false;
    }

    private static boolean begins(byte[] name, int length, String begin) {
        int same = 0;
        while (same < begin.length() && same < length && name[same] == begin.charAt(same)) {
            same++;
        }
        return same == begin.length();
    }
}
