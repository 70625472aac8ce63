package org.brigade.transport.sisci;

import java.util.Arrays;
import java.util.SplittableRandom;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.transport.sisci.adapter.Sisci;
import org.brigade.transport.sisci.adapter.Teardown;

/**
 * What the ranks of {@link MulticastJobsTest} run: broadcasts by reflective memory, each compared with what the root
 * had, and with what the schedule brings that the algorithm equals.
 */
final class MulticastProgram {
    private static final int[] BYTES =
        {0, 1, 6, 7, 8, 48, 1000, 1024, 4096, 14_336, 14_337, 65_536, 300_001, 1_500_000};

    private MulticastProgram() {
    }

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        Intracomm world = MPI.COMM_WORLD;
        int rank = world.getRank();
        switch (arguments[0]) {
            case "all" -> {
                sizes(world, world.getSize(), 1);
                allreduces(world);
                backToBack(world, 400, false);
                communicators(world);
            }
            case "soak" -> soak(world, Integer.parseInt(arguments[1]), arguments.length > 2 ? arguments[2] : null);
            case "slow" -> backToBack(world, 60, true);
            case "counts" -> counts(world);
            case "kill" -> kill(world, Integer.parseInt(arguments[1]));
            case "few" -> few(world);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        MPI.Finalize();
        System.out.println("rank " + rank + " finalized");
    }

    private static byte[] data(int bytes, long seed) {
        byte[] data = new byte[bytes];
        new SplittableRandom(seed).nextBytes(data);
        return data;
    }

    private static void require(byte[] expected, byte[] got, String what) {
        int at = Arrays.mismatch(expected, got);
        if (at >= 0) {
            throw new AssertionError(
                what + ": byte " + at + " of " + expected.length + " is " + got[at] + ", not " + expected[at]);
        }
    }

    private static void requireReflected() {
        if (!"reflective-memory".equals(Diagnostics.lastAlgorithm())) {
            throw new AssertionError("that was " + Diagnostics.lastAlgorithm());
        }
    }

    /** Every size from every root; then by the schedule, which a call that returns at once runs. */
    private static void sizes(Intracomm comm, int roots, int seed) throws Exception {
        for (int bytes : BYTES) {
            for (int root = 0; root < roots; root++) {
                byte[] expected = data(bytes, seed + 31L * bytes + root);
                byte[] got = comm.getRank() == root ? expected.clone() : new byte[bytes];
                comm.bcast(got, bytes, MPI.BYTE, root);
                requireReflected();
                require(expected, got, bytes + " bytes from " + root);
                java.nio.ByteBuffer same = MPI.newByteBuffer(Math.max(1, bytes));
                if (comm.getRank() == root) {
                    same.put(0, expected);
                }
                Request request = comm.iBcast(same, bytes, MPI.BYTE, root);
                request.waitFor();
                byte[] scheduled = new byte[bytes];
                same.get(0, scheduled);
                require(got, scheduled, bytes + " bytes from " + root + " by the schedule");
            }
        }
    }

    private static void allreduces(Intracomm comm) throws Exception {
        int ranks = comm.getSize();
        for (int count : new int[] {1, 5, 1000, 70_000}) {
            for (boolean inPlace : new boolean[] {false, true}) {
                long[] values = new long[count];
                Arrays.setAll(values, i -> (long) (i + 1) << comm.getRank());
                long[] sums = inPlace ? values : new long[count];
                if (inPlace) {
                    comm.allReduce(sums, count, MPI.LONG, MPI.SUM);
                } else {
                    comm.allReduce(values, sums, count, MPI.LONG, MPI.SUM);
                }
                requireReflected();
                for (int i = 0; i < count; i++) {
                    if (sums[i] != (long) (i + 1) * ((1 << ranks) - 1)) {
                        throw new AssertionError("sum " + i + " of " + count + " is " + sums[i]);
                    }
                }
            }
        }
    }

    /**
     * One after another from changing roots, without any pause: what is under way is more than the rings hold. With a
     * member that is slow, too.
     */
    private static void backToBack(Intracomm comm, int calls, boolean slow) throws Exception {
        SplittableRandom random = new SplittableRandom(7);
        byte[][] got = new byte[calls][];
        byte[][] expected = new byte[calls][];
        for (int i = 0; i < calls; i++) {
            int root = slow ? i / 20 % comm.getSize() : random.nextInt(comm.getSize());
            int bytes = slow ? 60_000 : random.nextInt(1 << random.nextInt(16));
            expected[i] = data(bytes, i);
            got[i] = comm.getRank() == root ? expected[i].clone() : new byte[bytes];
            if (slow && comm.getRank() == comm.getSize() - 1) {
                Thread.sleep(i % 10 == 0 ? 300 : 1);
            }
            comm.bcast(got[i], bytes, MPI.BYTE, root);
        }
        requireReflected();
        for (int i = 0; i < calls; i++) {
            require(expected[i], got[i], "call " + i);
        }
    }

    /** Of other ranks, beside each other, and again and again: more in all than there are groups. */
    private static void communicators(Intracomm world) throws Exception {
        int rank = world.getRank();
        Intracomm reversed = world.split(0, -rank);
        Intracomm butLast = world.split(rank == world.getSize() - 1 ? MPI.UNDEFINED : 0, rank);
        sizes(reversed, 2, 5);
        if (!butLast.isNull() && butLast.getSize() > 3) {
            sizes(butLast, 2, 9);
        }
        world.barrier();
        for (int i = 0; i < 12; i++) {
            Intracomm copy = world.dup();
            byte[] expected = data(5000, i);
            byte[] got = rank == 1 ? expected.clone() : new byte[5000];
            copy.bcast(got, 5000, MPI.BYTE, 1);
            require(expected, got, "on copy " + i);
            if (i % 3 != 0) {
                copy.free();
                Thread.sleep(20);
            }
        }
    }

    /** Many broadcasts of a few bytes, and some of more; now and then the cable of a node is out for a while. */
    private static void soak(Intracomm comm, int calls, String victim) throws Exception {
        long lost = 0;
        SplittableRandom random = new SplittableRandom(11);
        byte[] buffer = new byte[1 << 17];
        byte[] scratch = new byte[1 << 17];
        for (int i = 0; i < calls; i++) {
            if (victim != null && i % 500 == 250 && comm.getRank() == 0) {
                Sisci.fault("link=down@" + victim);
                lost++;
                Thread plug = new Thread(() -> {
                    Teardown.nap(100_000_000);
                    Sisci.fault("link=up@" + victim);
                });
                plug.start();
            }
            int root = random.nextInt(comm.getSize());
            int bytes = random.nextInt(1 << (i % 50 == 0 ? 17 : random.nextInt(12)));
            SplittableRandom content = new SplittableRandom(i);
            content.nextBytes(scratch);
            if (comm.getRank() == root) {
                System.arraycopy(scratch, 0, buffer, 0, bytes);
            }
            comm.bcast(buffer, bytes, MPI.BYTE, root);
            int at = Arrays.mismatch(buffer, 0, bytes, scratch, 0, bytes);
            if (at >= 0) {
                throw new AssertionError("call " + i + ": byte " + at + " of " + bytes);
            }
        }
        requireReflected();
        System.out.println("cables pulled: " + lost);
    }

    /** Ranks that do not agree on the count get an error, and nothing else is touched. */
    private static void counts(Intracomm world) throws Exception {
        world.setErrhandler(MPI.ERRORS_RETURN);
        Intracomm copy = world.dup();
        byte[] buffer = new byte[2000];
        int count = world.getRank() == world.getSize() - 1 ? 900 : 1000;
        try {
            copy.bcast(buffer, count, MPI.BYTE, 0);
            if (count == 900) {
                throw new AssertionError("a count that is not the root's went through");
            }
        } catch (MPIException expected) {
            if (count != 900 || !expected.getMessage().contains("sent 1000 bytes where 900")) {
                throw expected;
            }
            for (byte each : buffer) {
                if (each != 0) {
                    throw new AssertionError("the buffer was written");
                }
            }
            System.out.println("refused");
        }
        world.barrier();
        sizes(world, 1, 3);
    }

    /** Rank 1 is killed while the others broadcast; they hear of it, and go on without. */
    private static void kill(Intracomm world, int bytes) throws Exception {
        world.setErrhandler(MPI.ERRORS_RETURN);
        Intracomm copy = world.dup();
        byte[] buffer = new byte[bytes];
        copy.bcast(buffer, bytes, MPI.BYTE, 0);
        requireReflected();
        if (world.getRank() == 1) {
            new ProcessBuilder("sh", "-c", "sleep 0.05; kill -KILL " + ProcessHandle.current().pid()).start();
        }
        try {
            for (int i = 0;; i++) {
                copy.bcast(buffer, bytes, MPI.BYTE, i % copy.getSize());
            }
        } catch (MPIException expected) {
            if (expected.getErrorClass() != MPI.ERR_PROC_FAILED || !expected.getMessage().contains("rank 1 ")) {
                throw expected;
            }
            System.out.println("rank " + world.getRank() + " heard of it");
        }
        Intracomm rest = world.shrink();
        sizes(rest, 2, 4);
    }

    /** Where nobody stores to several at once: forced, the algorithm is its schedule. */
    private static void few(Intracomm world) throws Exception {
        sizes(world, world.getSize(), 2);
    }
}
