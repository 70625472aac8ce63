package org.brigade.transport.cuda.queue;

import static org.brigade.transport.cuda.Driver.ok;

import java.util.Random;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.transport.cuda.Driver;

/** A rank's vectors in the trials of queues, and what must become of them. */
final class QueueData {
    static final int SHORT = 100;
    static final int LONG = 90_000;
    /** Runs allreduces of so many ints: the one that is forced, or the table's. */
    static final String ALLREDUCE = System.getProperty("brigade.allreduce.device.algorithm", "lines");

    static Intracomm world;
    static int rank;
    static int ranks;

    private QueueData() {
    }

    /** Once this process has its rank. */
    static void of(Intracomm comm) throws MPIException {
        world = comm;
        rank = comm.getRank();
        ranks = comm.getSize();
    }

    /** A sum of all ranks' vectors under way. Ints, whose sums wrap around. */
    static final class Sum {
        final Request request;
        private final CUdeviceptr vector;
        private final int count;
        private final int seed;

        Sum(Intracomm comm, int count, int seed) throws MPIException {
            this.count = count;
            this.seed = seed;
            vector = Driver.ints(data(seed, rank, count));
            request = comm.iAllReduce(vector, count, MPI.INT, MPI.SUM);
        }

        void end() throws MPIException {
            request.waitFor();
            check("sum " + seed, Driver.ints(vector, count), sum(seed, count));
            ok(JCudaDriver.cuMemFree(vector));
        }
    }

    static int[] data(int seed, int owner, int count) {
        return new Random(seed * 31L + owner).ints(count).toArray();
    }

    static int[] sum(int seed, int count) {
        int[] sum = new int[count];
        for (int peer = 0; peer < ranks; peer++) {
            int[] theirs = data(seed, peer, count);
            for (int i = 0; i < count; i++) {
                sum[i] += theirs[i];
            }
        }
        return sum;
    }

    static void check(String what, int[] got, int[] wanted) {
        for (int i = 0; i < wanted.length; i++) {
            if (got[i] != wanted[i]) {
                throw new AssertionError(
                    what + " on rank " + rank + ": item " + i + " is " + got[i] + ", not " + wanted[i]);
            }
        }
    }

    static void ranBy(String algorithm) {
        if (!Diagnostics.lastAlgorithm().equals(algorithm)) {
            throw new AssertionError("ran by " + Diagnostics.lastAlgorithm() + ", not by " + algorithm);
        }
    }

    static void blocking(Intracomm comm, int count, int seed) throws MPIException {
        CUdeviceptr vector = Driver.ints(data(seed, rank, count));
        comm.allReduce(vector, count, MPI.INT, MPI.SUM);
        check("blocking sum " + seed, Driver.ints(vector, count), sum(seed, count));
        ok(JCudaDriver.cuMemFree(vector));
    }

    /** Blocking, and by a kernel that waits for the other ranks': {@link DeviceQueuesTest} forces it. */
    static void bcast(int round) throws MPIException {
        int root = round % ranks;
        CUdeviceptr vector = Driver.ints(data(round, rank, LONG));
        world.bcast(vector, LONG, MPI.INT, root);
        check("bcast " + round, Driver.ints(vector, LONG), data(round, root, LONG));
        ok(JCudaDriver.cuMemFree(vector));
    }

    /** A step of a trial. */
    interface Step {
        void run() throws MPIException;
    }

    static void assertFails(int errorClass, Step step) throws MPIException {
        try {
            step.run();
        } catch (MPIException e) {
            if (e.getErrorClass() == errorClass) {
                return;
            }
            throw e;
        }
        throw new AssertionError("no error");
    }

    /** The end of a rank that has heard of another one's death: the two cannot meet in Finalize. */
    static void heardOfIt() {
        System.out.println("rank " + rank + " has heard of it");
        Runtime.getRuntime().halt(0);
    }

    /** Not by an exit of its own, after which the launcher ends the others. */
    static void die() throws Exception {
        new ProcessBuilder("kill", "-KILL", "" + ProcessHandle.current().pid()).start().waitFor();
        Thread.sleep(60_000);
    }
}
