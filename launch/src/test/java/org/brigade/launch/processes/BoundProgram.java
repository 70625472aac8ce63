package org.brigade.launch.processes;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import mpi.Intercomm;
import mpi.MPI;

/**
 * Says where it may run; with an argument it spawns a process that does the same. At the end it says where threads of
 * the JVM's and of its own may run.
 */
public final class BoundProgram {
    private static final String ALLOWED = "Cpus_allowed_list:";

    private BoundProgram() {
    }

    public static void main(String[] line) throws Exception {
        sleeper("early");
        MPI.Init(line);
        sleeper("late");
        Intercomm parent = Intercomm.getParent();
        String who = (parent.isNull() ? "rank " : "child ") + MPI.COMM_WORLD.getRank();
        System.out.println(who + " runs on " + allowed(Path.of("/proc/thread-self/status")));
        if (!parent.isNull()) {
            parent.disconnect();
        } else if (line.length > 0) {
            MPI.COMM_WORLD.spawn(BoundProgram.class.getName(), new String[0], 1, MPI.INFO_NULL, 0, new int[1])
                .disconnect();
        }
        for (File thread : new File("/proc/self/task").listFiles()) {
            String name = Files.readString(thread.toPath().resolve("comm")).strip();
            if (List.of("VM Thread", "C1 CompilerThre", "early", "late").contains(name)) {
                System.out.println(who + ": " + name + " on " + allowed(thread.toPath().resolve("status")));
            }
        }
        MPI.Finalize();
    }

    private static String allowed(Path status) throws IOException {
        for (String fact : Files.readAllLines(status)) {
            if (fact.startsWith(ALLOWED)) {
                return fact.substring(ALLOWED.length()).strip();
            }
        }
        throw new IllegalStateException(status + " has no " + ALLOWED);
    }

    /** A thread of the program's that lasts. The system knows its name when this returns. */
    private static void sleeper(String name) throws InterruptedException {
        CountDownLatch runs = new CountDownLatch(1);
        Thread thread = new Thread(() -> {
            runs.countDown();
            LockSupport.park();
        }, name);
        thread.setDaemon(true);
        thread.start();
        runs.await();
    }
}
