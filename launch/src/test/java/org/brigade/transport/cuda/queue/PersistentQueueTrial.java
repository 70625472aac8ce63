package org.brigade.transport.cuda.queue;

import static org.brigade.transport.cuda.Driver.ok;
import static org.brigade.transport.cuda.queue.QueueData.*;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Prequest;
import org.brigade.transport.cuda.Driver;

/** The claims of {@link QueueTrial} about persistent collectives. */
final class PersistentQueueTrial {
    private PersistentQueueTrial() {
    }

    /** A sum in place that is started again and again, of other numbers each time. */
    private static final class StartedSum {
        final Prequest request;
        final CUdeviceptr vector;
        final int count;
        private int seed;

        StartedSum(Intracomm comm, int count) throws MPIException {
            this.count = count;
            vector = Driver.ints(new int[count]);
            request = comm.allReduceInit(vector, count, MPI.INT, MPI.SUM, MPI.INFO_NULL);
        }

        void start(int with) throws MPIException {
            seed = with;
            ok(JCudaDriver.cuMemcpyHtoD(vector, Pointer.to(data(seed, rank, count)), 4L * count));
            request.start();
        }

        void end() throws MPIException {
            request.waitFor();
            check("started sum " + seed, Driver.ints(vector, count), sum(seed, count));
        }

        void free() throws MPIException {
            request.free();
            ok(JCudaDriver.cuMemFree(vector));
        }
    }

    /**
     * Started in an order of each rank's own, several times, with calls of other kinds among them: each is one launch
     * on each device, in an order that is the same on all.
     */
    static void ordered() throws MPIException {
        Intracomm comm = world.dup();
        List<StartedSum> sums = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            sums.add(new StartedSum(comm, i % 2 == 0 ? LONG : SHORT + i));
        }
        for (int round = 0; round < 8; round++) {
            Random mine = new Random(1000L * round + rank);
            List<StartedSum> mixed = new ArrayList<>(sums);
            Collections.shuffle(mixed, mine);
            for (int i = 0; i < mixed.size(); i++) {
                mixed.get(i).start(round * 100 + sums.indexOf(mixed.get(i)));
                if (i == round % mixed.size()) {
                    new Sum(comm, SHORT, 9000 + round).end();
                    bcast(round);
                    blocking(comm, LONG, 8000 + round);
                }
            }
            Collections.shuffle(mixed, mine);
            for (StartedSum sum : mixed) {
                sum.end();
            }
        }
        CUdeviceptr gathered = Driver.allocate(4L * SHORT * ranks);
        CUdeviceptr own = Driver.ints(data(3, rank, SHORT));
        Prequest gathers = comm.allGatherInit(own, SHORT, MPI.INT, gathered, SHORT, MPI.INT, MPI.INFO_NULL);
        for (int i = 0; i < 3; i++) {
            gathers.start();
            gathers.waitFor();
            for (int peer = 0; peer < ranks; peer++) {
                check("gathered", Arrays.copyOfRange(Driver.ints(gathered, SHORT * ranks), peer * SHORT,
                    (peer + 1) * SHORT), data(3, peer, SHORT));
            }
        }
        gathers.free();
        sums.get(0).start(77);
        sums.get(0).end();
        ranBy(ALLREDUCE); // on the devices
        for (StartedSum sum : sums) {
            sum.free();
        }
        comm.free();
    }

    /** If one rank has host memory, all starts go through the host. */
    static void mixed() throws MPIException {
        Intracomm comm = world.dup();
        int[] array = new int[SHORT];
        CUdeviceptr vector = Driver.ints(array);
        Object mine = rank == 1 ? array : vector;
        Prequest request = comm.allReduceInit(mine, SHORT, MPI.INT, MPI.SUM, MPI.INFO_NULL);
        for (int round = 0; round < 3; round++) {
            int[] values = data(round, rank, SHORT);
            System.arraycopy(values, 0, array, 0, SHORT);
            ok(JCudaDriver.cuMemcpyHtoD(vector, Pointer.to(values), 4L * SHORT));
            request.start();
            request.waitFor();
            check("mixed start", rank == 1 ? array : Driver.ints(vector, SHORT), sum(round, SHORT));
        }
        request.free();
        comm.free();
    }

    /** More than a rank has places for; and made, freed and made again, in one communicator after the other. */
    static void many() throws MPIException {
        for (int round = 0; round < 6; round++) {
            Intracomm comm = world.dup();
            List<StartedSum> sums = new ArrayList<>();
            for (int i = 0; i < (round == 0 ? 70 : 20); i++) {
                sums.add(new StartedSum(comm, SHORT + i));
            }
            for (int i = 0; i < sums.size(); i++) {
                sums.get(rank == 0 ? i : sums.size() - 1 - i)
                    .start(500 * round + (rank == 0 ? i : sums.size() - 1 - i));
            }
            for (StartedSum sum : sums) {
                sum.end();
            }
            sums.get(0).start(4);
            sums.get(0).end();
            ranBy("packets");
            for (StartedSum sum : sums) {
                sum.free();
            }
            comm.free();
        }
    }

    /**
     * Calls that do not match are errors of all ranks where they are made, and so is a blocking one of another rank.
     */
    static void mistakes() throws MPIException {
        Intracomm comm = world.dup();
        comm.setErrhandler(MPI.ERRORS_RETURN);
        CUdeviceptr vector = Driver.ints(data(2, rank, SHORT));
        assertFails(MPI.ERR_NOT_SAME,
            () -> comm.allReduceInit(vector, SHORT - rank, MPI.INT, MPI.SUM, MPI.INFO_NULL));
        assertFails(MPI.ERR_NOT_SAME, () -> {
            if (rank == 1) {
                comm.allReduce(vector, SHORT, MPI.INT, MPI.SUM);
            } else {
                comm.allReduceInit(vector, SHORT, MPI.INT, MPI.SUM, MPI.INFO_NULL);
            }
        });
        StartedSum after = new StartedSum(comm, SHORT);
        after.start(5);
        after.end();
        after.free();
        comm.free();
    }

    static void outliveTheirCommunicator() throws MPIException {
        for (int round = 0; round < 3; round++) {
            Intracomm comm = world.dup();
            StartedSum sum = new StartedSum(comm, LONG);
            comm.free();
            sum.start(round);
            sum.end();
            ranBy(ALLREDUCE);
            sum.start(round + 10);
            sum.request.free(); // under way
            Sum other = new Sum(world, SHORT, round);
            other.end();
            world.barrier();
        }
    }

    /** Rank 1 goes without having started what rank 0 has. */
    static void killed() throws Exception {
        world.setErrhandler(MPI.ERRORS_RETURN);
        StartedSum sum = new StartedSum(world, LONG);
        sum.start(1);
        sum.end();
        world.barrier();
        if (rank == 1) {
            die();
        }
        sum.start(2);
        assertFails(MPI.ERR_PROC_FAILED, sum::end);
        heardOfIt();
    }
}
