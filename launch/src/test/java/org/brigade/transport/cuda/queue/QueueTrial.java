package org.brigade.transport.cuda.queue;

import static org.brigade.transport.cuda.Driver.ok;
import static org.brigade.transport.cuda.queue.QueueData.*;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import org.brigade.cuda.StreamCommunicator;
import org.brigade.transport.cuda.Driver;
import org.brigade.transport.cuda.driver.CudaDriver;

/** What the ranks of {@link DeviceQueuesTest} run, each on a GPU of its own. Arguments: claims. */
public final class QueueTrial {
    private QueueTrial() {
    }

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        QueueData.of(MPI.COMM_WORLD);
        if (CudaDriver.missing() != null) {
            throw new AssertionError(CudaDriver.missing());
        }
        Driver.enter(rank % CudaDriver.devices());
        for (String claim : arguments) {
            switch (claim) {
                case "orders" -> orders();
                case "kinds" -> kinds();
                case "many" -> many();
                case "mixed" -> mixed();
                case "mistakes" -> mistakes();
                case "starts" -> PersistentQueueTrial.ordered();
                case "starts-mixed" -> PersistentQueueTrial.mixed();
                case "starts-many" -> PersistentQueueTrial.many();
                case "starts-mistakes" -> PersistentQueueTrial.mistakes();
                case "starts-outlive" -> PersistentQueueTrial.outliveTheirCommunicator();
                case "starts-killed" -> PersistentQueueTrial.killed();
                case "freed" -> freed();
                case "streams" -> streams();
                case "killed-before" -> killed(false);
                case "killed-after" -> killed(true);
                default -> late(Path.of(claim.substring("late=".length())));
            }
        }
        world.barrier();
        if (rank == 0) {
            System.out.println("all is well");
        }
        MPI.Finalize();
    }

    /**
     * Calls of two communicators, begun in an order of each rank's own, with a blocking call of a third among them. Not
     * all find room at once, and none may keep another from its room for ever.
     */
    private static void orders() throws MPIException {
        Intracomm[] comms = {world.dup(), world.dup()};
        Sum first = new Sum(comms[0], LONG, 1);
        first.end();
        ranBy(ALLREDUCE); // on the device: a first call waits until the queue is open
        for (int round = 0; round < 9 - 2 * ranks; round++) {
            Random mine = new Random(100L * round + rank);
            int[] begun = new int[comms.length];
            List<Sum> sums = new ArrayList<>();
            boolean met = false;
            while (begun[0] + begun[1] < 8) {
                int which = begun[0] == 4 ? 1 : begun[1] == 4 ? 0 : mine.nextInt(2);
                int call = begun[which]++;
                sums.add(new Sum(comms[which], call % 2 == 0 ? LONG : SHORT, 1000 * round + 10 * call + which));
                if (!met && mine.nextInt(4) == 0) {
                    met = true;
                    bcast(round);
                }
            }
            if (!met) {
                bcast(round);
            }
            Collections.shuffle(sums, mine);
            for (Sum sum : sums) {
                sum.end();
            }
            blocking(comms[round % 2], LONG, 7000 + round); // where nonblocking ones have just been
        }
        comms[0].free();
        comms[1].free();
    }

    /** Every collective that runs in a queue, at once, in place too, from odd places. */
    private static void kinds() throws MPIException {
        Intracomm comm = world.dup();
        for (int count : new int[] {1, 777, 30_000}) {
            int root = count % ranks;
            CUdeviceptr own = Driver.ints(data(count, rank, count * ranks));
            CUdeviceptr bcast = Driver.ints(data(count, rank, count));
            CUdeviceptr[] out = new CUdeviceptr[5];
            for (int i = 0; i < out.length; i++) {
                out[i] = Driver.allocate(4L * count * ranks + 4).withByteOffset(4L * (i % 2));
            }
            CUdeviceptr place = Driver.ints(data(count, rank, count * ranks));
            Request[] requests = {comm.iBcast(bcast, count, MPI.INT, root),
                comm.iReduce(own, out[0], count, MPI.INT, MPI.MAX, root),
                comm.iAllReduce(own, out[1], count, MPI.INT, MPI.SUM),
                comm.iAllGather(own, count, MPI.INT, out[2], count, MPI.INT),
                comm.iReduceScatterBlock(own, out[3], count, MPI.INT, MPI.SUM),
                comm.iAllToAll(own, count, MPI.INT, out[4], count, MPI.INT),
                comm.iReduceScatterBlock(place, count, MPI.INT, MPI.SUM)};
            Request.waitAll(requests);
            check("bcast", Driver.ints(bcast, count), data(count, root, count));
            if (rank == root) {
                int[] greatest = data(count, 0, count * ranks);
                for (int peer = 1; peer < ranks; peer++) {
                    int[] theirs = data(count, peer, count * ranks);
                    for (int i = 0; i < count; i++) {
                        greatest[i] = Math.max(greatest[i], theirs[i]);
                    }
                }
                check("reduce", Driver.ints(out[0], count), Arrays.copyOf(greatest, count));
            }
            int[] sums = sum(count, count * ranks);
            int[] block = Arrays.copyOfRange(sums, rank * count, (rank + 1) * count);
            check("allreduce", Driver.ints(out[1], count), Arrays.copyOf(sums, count));
            check("reduce-scatter", Driver.ints(out[3], count), block);
            check("reduce-scatter in place", Driver.ints(place, count), block);
            int[] gathered = new int[count * ranks];
            int[] exchanged = new int[count * ranks];
            for (int peer = 0; peer < ranks; peer++) {
                System.arraycopy(data(count, peer, count * ranks), 0, gathered, peer * count, count);
                System.arraycopy(data(count, peer, count * ranks), rank * count, exchanged, peer * count, count);
            }
            check("allgather", Driver.ints(out[2], count * ranks), gathered);
            check("alltoall", Driver.ints(out[4], count * ranks), exchanged);
        }
        blocksOfAnyLength(comm);
        comm.free();
    }

    /**
     * Calls of which each rank knows its own counts only: none at all between some ranks, as in an exchange of halos,
     * and blocks at places of their own. Several at once, one launch each.
     */
    private static void blocksOfAnyLength(Intracomm comm) throws MPIException {
        int room = 40_000 * ranks;
        CUdeviceptr own = Driver.ints(data(5, rank, room));
        for (int scale : new int[] {1, 9_000}) {
            CUdeviceptr[] out = new CUdeviceptr[4];
            for (int i = 0; i < out.length; i++) {
                out[i] = Driver.ints(new int[room]);
            }
            int[] sent = new int[ranks];
            int[] received = new int[ranks];
            int[] from = new int[ranks];
            int[] to = new int[ranks];
            int[] counts = new int[ranks];
            for (int peer = 0; peer < ranks; peer++) {
                sent[peer] = scale * length(rank, peer);
                received[peer] = scale * length(peer, rank);
                counts[peer] = scale * peer;
                from[peer] = 40_000 * peer + 3;
                to[peer] = 40_000 * (ranks - 1 - peer) + rank;
            }
            int root = ranks - 1;
            Request[] requests = {comm.iAllToAllv(own, sent, from, MPI.INT, out[0], received, to, MPI.INT),
                comm.iAllGatherv(own, counts[rank], MPI.INT, out[1], counts, to, MPI.INT),
                comm.iGatherv(own, counts[rank], MPI.INT, out[2], counts, to, MPI.INT, root),
                comm.iScatterv(own, counts, from, MPI.INT, out[3], counts[rank], MPI.INT, root)};
            Request.waitAll(requests);
            ranBy("pairwise");
            int[][] wanted = new int[4][room];
            for (int peer = 0; peer < ranks; peer++) {
                int[] theirs = data(5, peer, room);
                System.arraycopy(theirs, 40_000 * rank + 3, wanted[0], to[peer], received[peer]);
                System.arraycopy(theirs, 0, wanted[1], to[peer], counts[peer]);
                if (rank == root) {
                    System.arraycopy(theirs, 0, wanted[2], to[peer], counts[peer]);
                }
            }
            System.arraycopy(data(5, root, room), from[rank], wanted[3], 0, counts[rank]);
            for (int i = 0; i < out.length; i++) {
                check("v-form " + i + " in units of " + scale, Driver.ints(out[i], room), wanted[i]);
                ok(JCudaDriver.cuMemFree(out[i]));
            }
        }
        ok(JCudaDriver.cuMemFree(own));
    }

    /** Items from one rank to another, in units. */
    private static int length(int from, int to) {
        return (from + 2 * to) % 3 == 0 && from != to ? 0 : 1 + (from * 3 + to) % 4;
    }

    /** More calls than a rank can announce, of which the other has begun none. */
    private static void many() throws Exception {
        Intracomm comm = world.dup();
        for (int round = 0; round < 2; round++) {
            if (rank == 1) {
                Thread.sleep(100);
            }
            List<Sum> sums = new ArrayList<>();
            for (int i = 0; i < 70; i++) {
                sums.add(new Sum(comm, i % 9 == 0 ? LONG : SHORT + i, i));
            }
            for (Sum sum : sums) {
                sum.end();
            }
        }
        comm.free();
    }

    /** Some calls have host memory at one rank, so they run on the host at both. */
    private static void mixed() throws MPIException {
        Intracomm comm = world.dup();
        List<Sum> sums = new ArrayList<>();
        List<Request> hosts = new ArrayList<>();
        List<int[]> arrays = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            if (i % 4 == 3 && rank == 1) {
                int[] array = data(i, rank, SHORT);
                arrays.add(array);
                hosts.add(comm.iAllReduce(array, SHORT, MPI.INT, MPI.SUM));
            } else {
                sums.add(new Sum(comm, SHORT, i));
            }
        }
        for (Sum sum : sums) {
            sum.end();
        }
        for (int i = 0; i < hosts.size(); i++) {
            hosts.get(i).waitFor();
            check("host sum", arrays.get(i), sum(4 * i + 3, SHORT));
        }
        comm.free();
    }

    /** Calls that do not match are errors of these calls on all ranks. */
    private static void mistakes() throws MPIException {
        Intracomm comm = world.dup();
        comm.setErrhandler(MPI.ERRORS_RETURN);
        Sum before = new Sum(comm, LONG, 1);
        CUdeviceptr vector = Driver.ints(data(2, rank, SHORT));
        Request wrong = comm.iAllReduce(vector, SHORT - rank, MPI.INT, MPI.SUM);
        Sum after = new Sum(comm, LONG, 3);
        assertFails(MPI.ERR_NOT_SAME, wrong::waitFor);
        after.end();
        before.end();
        comm.free();
    }

    /** A communicator that is freed while its calls are under way. */
    private static void freed() throws MPIException {
        for (int round = 0; round < 5; round++) {
            Intracomm comm = world.dup();
            Sum one = new Sum(comm, LONG, round);
            Sum other = new Sum(comm, SHORT, 10 + round);
            comm.free();
            other.end();
            one.end();
        }
        Intracomm again = world.dup();
        Sum sum = new Sum(again, LONG, 77);
        sum.end();
        ranBy(ALLREDUCE); // so the queues have been given back
        again.free();
    }

    /** Calls on streams wait for those under way; while they are open, nonblocking calls run on the host. */
    private static void streams() throws MPIException {
        Intracomm comm = world.dup();
        Sum before = new Sum(comm, LONG, 1);
        try (StreamCommunicator streams = StreamCommunicator.open(comm)) {
            CUdeviceptr vector = Driver.ints(data(2, rank, LONG));
            var stream = Driver.stream(CUstream_flags.CU_STREAM_NON_BLOCKING);
            streams.allReduce(vector, vector, LONG, MPI.INT, MPI.SUM, stream);
            Sum meanwhile = new Sum(comm, LONG, 3);
            meanwhile.end();
            ok(JCudaDriver.cuStreamSynchronize(stream));
            streams.check();
            check("on a stream", Driver.ints(vector, LONG), sum(2, LONG));
        }
        before.end();
        new Sum(comm, LONG, 4).end();
        ranBy(ALLREDUCE);
        comm.free();
    }

    /** Rank 1 is in no call of MPI until rank 0 has seen its own call end. */
    private static void late(Path sign) throws Exception {
        Sum open = new Sum(world, LONG, 0);
        open.end();
        world.barrier();
        if (rank == 0) {
            Thread.sleep(200);
        }
        Sum sum = new Sum(world, LONG, 1);
        if (rank == 0) {
            sum.end();
            Files.createFile(sign);
        } else {
            while (!Files.exists(sign)) {
                Thread.sleep(10);
            }
            sum.end();
        }
    }

    private static void killed(boolean afterLaunch) throws Exception {
        world.setErrhandler(MPI.ERRORS_RETURN);
        Sum open = new Sum(world, LONG, 0);
        open.end();
        world.barrier();
        if (rank == 1) {
            if (afterLaunch) {
                new Sum(world, LONG, 1); // its kernel never begins
                Thread.sleep(300);
            }
            die();
        }
        Sum sum = new Sum(world, LONG, 1);
        Sum next = new Sum(world, SHORT, 2);
        for (Sum each : new Sum[] {sum, next}) {
            assertFails(MPI.ERR_PROC_FAILED, each::end);
        }
        heardOfIt();
    }
}
