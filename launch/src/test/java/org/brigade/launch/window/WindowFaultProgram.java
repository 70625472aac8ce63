package org.brigade.launch.window;

import java.nio.LongBuffer;
import mpi.Group;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Win;

/** Rank 1 is killed while it holds a lock, or before it takes part; the others wait for it, hear of it and finalize. */
final class WindowFaultProgram {
    private WindowFaultProgram() {
    }

    /** @param arguments where the others wait; "made" for memory that was made with the window */
    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        Intracomm world = MPI.COMM_WORLD;
        int rank = world.getRank();
        world.setErrhandler(MPI.ERRORS_RETURN);
        LongBuffer memory = MPI.newLongBuffer(8);
        Win win = arguments[1].equals("made") ? new Win(8, 1, MPI.INFO_NULL, world, memory, Win.FLAVOR_PRIVATE)
            : new Win(memory, 8, 1, MPI.INFO_NULL, world);
        if (rank == 1 && arguments[0].equals("lock")) {
            win.lock(MPI.LOCK_EXCLUSIVE, 0, 0);
        }
        world.barrier();
        if (rank == 1) {
            Runtime.getRuntime().exec(new String[] {"kill", "-9", "" + ProcessHandle.current().pid()});
            Thread.sleep(Long.MAX_VALUE);
        }
        try {
            Group one = win.getGroup().incl(new int[] {1});
            switch (arguments[0]) {
                case "lock" -> win.lock(MPI.LOCK_EXCLUSIVE, 0, 0);
                case "fence" -> win.fence(0);
                case "start" -> win.start(one, 0);
                case "wait" -> {
                    win.post(one, 0);
                    win.waitFor();
                }
                default -> {
                    win.lock(MPI.LOCK_SHARED, 1, 0);
                    while (true) {
                        win.put(memory, 1, MPI.LONG, 1, 0, 1, MPI.LONG);
                        win.flush(1);
                    }
                }
            }
            throw new AssertionError("rank " + rank + " got through " + arguments[0]);
        } catch (MPIException expected) {
            if (expected.getErrorClass() != MPI.ERR_PROC_FAILED || !expected.getMessage().contains("rank 1 ")) {
                throw expected;
            }
            System.out.println("rank " + rank + " heard of it");
        }
        MPI.Finalize();
        System.out.println("rank " + rank + " finalized");
    }
}
