package org.brigade.soak;

import java.util.Arrays;
import mpi.File;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Win;

/**
 * Makes something and frees it, again and again, until somebody kills a rank. Arguments: what; for files, the file; for
 * joined jobs, the name by which they meet.
 */
final class MakingProgram {
    private static final int COUNT = 100_000;
    private static final int BYTES = 1 << 20;

    private MakingProgram() {
    }

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        Intracomm world = MPI.COMM_WORLD;
        String what = arguments[0];
        Intracomm all = switch (what) {
            case "children" -> spawned(world);
            case "child" -> Intercomm.getParent().merge(true);
            case "hosts", "guests" -> joined(world, what, arguments[1]);
            default -> world;
        };
        System.out.println("rank " + world.getRank() + " runs");
        System.out.flush();
        for (int turn = 0;; turn++) {
            switch (what) {
                case "communicators" -> communicators(world, turn);
                case "windows" -> window(world, turn);
                case "files" -> file(world, arguments[1], turn);
                default -> sum(all);
            }
        }
    }

    private static Intracomm spawned(Intracomm world) throws MPIException {
        return world.spawn(MakingProgram.class.getName(), new String[] {"child"}, 2, MPI.INFO_NULL, 0, new int[2])
            .merge(false);
    }

    private static Intracomm joined(Intracomm world, String what, String name) throws Exception {
        if (what.equals("guests")) {
            return world.connect(world.getRank() == 0 ? awaited(name) : null, 0).merge(true);
        }
        String port = null;
        if (world.getRank() == 0) {
            port = Intracomm.openPort();
            Intracomm.publishName(name, port);
        }
        return world.accept(port, 0).merge(false);
    }

    private static String awaited(String name) throws InterruptedException {
        while (true) {
            try {
                return Intracomm.lookupName(name);
            } catch (MPIException e) {
                Thread.sleep(20);
            }
        }
    }

    private static void sum(Intracomm comm) throws MPIException {
        int[] values = new int[COUNT];
        Arrays.fill(values, 1);
        comm.allReduce(values, COUNT, MPI.INT, MPI.SUM);
        if (values[COUNT - 1] != comm.getSize()) {
            throw new IllegalStateException("WRONG: " + values[COUNT - 1]);
        }
    }

    private static void communicators(Intracomm world, int turn) throws MPIException {
        Intracomm[] made = {world.dup(), world.split(turn % 2, -world.getRank())};
        for (Intracomm each : made) {
            each.barrier();
            sum(each);
            each.free();
        }
    }

    private static void window(Intracomm world, int turn) throws MPIException {
        Win window = new Win(BYTES, 1, MPI.INFO_NULL, world, MPI.newByteBuffer(BYTES),
            turn % 2 == 0 ? Win.FLAVOR_SHARED : Win.FLAVOR_PRIVATE);
        window.fence(0);
        window.free();
    }

    private static void file(Intracomm world, String name, int turn) throws MPIException {
        File file = new File(world, name, MPI.MODE_CREATE | MPI.MODE_RDWR);
        int[] values = {world.getRank(), turn};
        file.writeAtAll(world.getRank() * 8, values, 2, MPI.INT);
        file.writeShared(values, 2, MPI.INT);
        file.close();
    }
}
