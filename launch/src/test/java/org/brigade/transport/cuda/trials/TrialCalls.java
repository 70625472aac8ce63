package org.brigade.transport.cuda.trials;

import static org.brigade.transport.cuda.Driver.ok;

import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.select.Choice;
import org.brigade.transport.cuda.Driver;
import org.brigade.transport.cuda.driver.CudaDriver;

/**
 * What the ranks of {@link TrialsTest} run: calls that are tried in. Each rank prints a digest of the choices that
 * served its calls, which must be the same on all ranks, and one of the results' bits. It ends when a way is kept.
 */
public final class TrialCalls {
    private static final String ASIDE = " aside";
    private static final String KEPT = "measured on these GPUs";

    private static int rank;

    private TrialCalls() {
    }

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        Intracomm world = MPI.COMM_WORLD;
        rank = world.getRank();
        if (CudaDriver.missing() != null) {
            throw new AssertionError(CudaDriver.missing());
        }
        Driver.enter(rank % CudaDriver.devices());
        int calls = Integer.parseInt(arguments[1]);
        switch (arguments[0]) {
            case "sums" -> sums(world, calls, 40_000, "");
            case "bcasts" -> bcasts(world, calls);
            case "several" -> several(world, calls);
            case "threads" -> threads(world, calls);
            case "dies" -> dies(world, calls);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        MPI.Finalize();
    }

    /** Sums of doubles whose bits depend on the order: each call must give those of the first. */
    private static void sums(Intracomm comm, int calls, int count, String name) throws MPIException {
        double[] mine = new double[count];
        for (int i = 0; i < count; i++) {
            mine[i] = 1.0 / (3 + i * 7919L % 1013 + 31 * comm.getRank());
        }
        CUdeviceptr send = Driver.allocate(8L * count);
        CUdeviceptr recv = Driver.allocate(8L * count);
        ok(JCudaDriver.cuMemcpyHtoD(send, Pointer.to(mine), 8L * count));
        double[] got = new double[count];
        int bits = 0;
        int ran = 0;
        Choice last = null;
        for (int call = 0; call < calls && (name.equals(ASIDE) || !isKept(last)); call++) {
            if (comm.getRank() == call % 7) {
                LockSupport.parkNanos(call % 5 * 100_000L); // ranks come one after another
            }
            comm.allReduce(send, recv, count, MPI.DOUBLE, MPI.SUM);
            last = Diagnostics.lastChoice();
            ran = 31 * ran + last.words().hashCode();
            if (call < 40 || call % 16 == 0) {
                ok(JCudaDriver.cuMemcpyDtoH(Pointer.to(got), recv, 8L * count));
                int now = Arrays.hashCode(got);
                if (call > 0 && now != bits) {
                    throw new AssertionError("call " + call + ", by " + last.words() + ", gave other bits");
                }
                bits = now;
            }
        }
        // What ran is known of the whole process only.
        System.out.println("ran" + name + " " + (name.equals(ASIDE) ? 0 : ran) + " bits " + bits);
        if (rank == 0) {
            System.out.println("last" + name + ": " + last.words() + ", " + last.rule());
        }
    }

    /** Whether nothing more is tried: the same on all ranks. */
    private static boolean isKept(Choice last) {
        return last != null && last.rule().equals(KEPT);
    }

    private static void bcasts(Intracomm comm, int calls) throws MPIException {
        int count = 50_000;
        CUdeviceptr vector = Driver.allocate(4L * count);
        int[] values = new int[count];
        int ran = 0;
        for (int call = 0; call < calls && !isKept(call == 0 ? null : Diagnostics.lastChoice()); call++) {
            Arrays.fill(values, rank == 0 ? call : -1);
            ok(JCudaDriver.cuMemcpyHtoD(vector, Pointer.to(values), 4L * count));
            comm.bcast(vector, count, MPI.INT, 0);
            ran = 31 * ran + Diagnostics.lastChoice().words().hashCode();
            ok(JCudaDriver.cuMemcpyDtoH(Pointer.to(values), vector, 4L * count));
            for (int each : values) {
                if (each != call) {
                    throw new AssertionError("call " + call + " brought " + each);
                }
            }
        }
        System.out.println("ran " + ran);
        if (rank == 0) {
            System.out.println("last: " + Diagnostics.lastChoice().words());
        }
    }

    /**
     * Communicators of other sizes and other sizes of messages in turn, host memory and calls that do not block
     * between.
     */
    private static void several(Intracomm world, int calls) throws MPIException {
        Intracomm copy = world.dup();
        Intracomm half = world.split(rank / 2, rank);
        for (int turn = 0; turn < 3; turn++) {
            sums(world, calls / 3, 20_000, "");
            sums(half, calls / 3, 9_000, " of half " + rank / 2 + " turn " + turn);
            int[] one = {1};
            world.allReduce(one, 1, MPI.INT, MPI.SUM);
            CUdeviceptr vector = Driver.ints(new int[16_000]);
            world.iBcast(vector, 16_000, MPI.INT, 0).waitFor();
            ok(JCudaDriver.cuMemFree(vector));
            sums(copy, calls / 3, 20_001, "");
        }
        half.free();
        copy.free();
    }

    /** A communicator for each of two threads, which begin together. */
    private static void threads(Intracomm world, int calls) throws Exception {
        Intracomm[] comms = {world.dup(), world.dup()};
        Thread[] threads = new Thread[comms.length];
        Throwable[] failures = new Throwable[comms.length];
        for (int i = 0; i < comms.length; i++) {
            int which = i;
            threads[i] = new Thread(() -> {
                try {
                    Driver.enter(rank % CudaDriver.devices());
                    if (which == 1) {
                        Thread.currentThread().interrupt(); // changes nothing
                    }
                    sums(comms[which], calls, 12_000 + which, ASIDE);
                } catch (Throwable e) {
                    failures[which] = e;
                }
            });
            threads[i].start();
        }
        for (int i = 0; i < comms.length; i++) {
            threads[i].join();
            if (failures[i] != null) {
                throw new AssertionError(failures[i]);
            }
        }
    }

    /** The last rank is killed after some calls, while the others go on and something is tried. */
    private static void dies(Intracomm world, int calls) throws Exception {
        sums(world, calls, 40_000, "");
        if (rank == world.getSize() - 1) {
            new ProcessBuilder("kill", "-9", "" + ProcessHandle.current().pid()).start().waitFor();
        }
        sums(world, calls, 40_000, "");
    }
}
