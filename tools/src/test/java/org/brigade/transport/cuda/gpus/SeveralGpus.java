package org.brigade.transport.cuda.gpus;

import static org.brigade.transport.cuda.Driver.ok;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Win;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.cuda.StreamCommunicator;
import org.brigade.transport.cuda.Driver;
import org.brigade.transport.cuda.driver.CudaDriver;

/**
 * A rank that uses all GPUs it sees, each with a communicator of its own. Rank r's communicator c is on GPU r + c, so
 * one communicator is on different ordinals at different ranks.
 */
public final class SeveralGpus {
    private static final int[] COUNTS = {1, 5, 1000, 70_001, 300_003};
    private static final int MOST = 300_003;
    private static final int ROUNDS = 6;

    private final int rank = MPI.COMM_WORLD.getRank();
    private final int ranks = MPI.COMM_WORLD.getSize();
    private final List<Member> members = new ArrayList<>();

    /** One GPU of this rank: its context, and a communicator whose buffers are there. */
    private final class Member {
        final int number;
        final CUcontext context;
        final Intracomm comm;
        final CUdeviceptr input;
        final CUdeviceptr output;

        Member(int number, int gpu) throws MPIException {
            this.number = number;
            context = Driver.enter(gpu);
            comm = MPI.COMM_WORLD.dup();
            input = Driver.allocate(4L * MOST);
            output = Driver.allocate(4L * MOST);
        }

        void fill(int count, int seed) {
            Driver.write(input, values(rank, count, seed));
            Driver.write(output, new int[count]);
        }

        void check(String what, int count, int[] wanted) {
            int[] got = Driver.ints(output, count);
            for (int i = 0; i < count; i++) {
                if (got[i] != wanted[i]) {
                    throw new AssertionError(what + " on rank " + rank + ", communicator " + number + ": item " + i
                        + " of " + count + " is " + got[i] + ", wanted " + wanted[i]);
                }
            }
        }

        /** What this GPU's thread does; which context is current makes no difference to Brigade. */
        void calls(int seed) throws MPIException {
            for (int round = 0; round < ROUNDS; round++) {
                for (int count : COUNTS) {
                    int root = (round + number) % ranks;
                    fill(count, seed + round);
                    comm.allReduce(input, output, count, MPI.INT, MPI.SUM);
                    check("allreduce", count, sum(count, seed + round));
                    comm.bcast(rank == root ? input : output, count, MPI.INT, root);
                    if (rank != root) {
                        check("bcast", count, values(root, count, seed + round));
                    }
                }
            }
        }
    }

    private int[] values(int owner, int count, int seed) {
        int[] values = new int[count];
        Arrays.setAll(values, i -> (owner + 1) * (i + 7) + seed * 1_000_003);
        return values;
    }

    private int[] sum(int count, int seed) {
        int[] sum = new int[count];
        for (int owner = 0; owner < ranks; owner++) {
            int[] theirs = values(owner, count, seed);
            Arrays.setAll(sum, i -> sum[i] + theirs[i]);
        }
        return sum;
    }

    private SeveralGpus() throws MPIException {
        for (int c = 0; c < CudaDriver.devices(); c++) {
            members.add(new Member(c, (rank + c) % CudaDriver.devices()));
        }
    }

    public static void main(String[] arguments) throws Exception {
        MPI.InitThread(arguments, MPI.THREAD_MULTIPLE);
        if (CudaDriver.missing() != null) {
            throw new AssertionError(CudaDriver.missing());
        }
        SeveralGpus trial = new SeveralGpus();
        trial.byTurns();
        trial.byThreads();
        trial.nonblocking();
        trial.onStreams();
        trial.messages();
        trial.windows();
        MPI.COMM_WORLD.barrier();
        if (trial.rank == 0) {
            System.out.println("all is well");
        }
        MPI.Finalize();
    }

    /** One thread, in the last GPU's context. */
    private void byTurns() throws MPIException {
        for (Member member : members) {
            member.calls(1);
        }
        for (int count : COUNTS) {
            for (Member member : members) {
                member.fill(count, count);
                member.comm.allReduce(member.input, member.output, count, MPI.INT, MPI.SUM);
                if (Diagnostics.lastChoice().staged()) {
                    throw new AssertionError("rank " + rank + ", communicator " + member.number + ": no kernel ran");
                }
            }
            for (Member member : members) {
                member.check("allreduce by turns", count, sum(count, count));
            }
        }
    }

    /** A thread for each GPU, as a program has that drives several; each is in its GPU's context. */
    private void byThreads() throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (Member member : members) {
            threads.add(new Thread(() -> {
                try {
                    ok(JCudaDriver.cuCtxSetCurrent(member.context));
                    member.calls(100 + member.number);
                } catch (Throwable e) {
                    e.printStackTrace();
                    Runtime.getRuntime().halt(1); // the other threads wait for this one's calls
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** On all GPUs at once, waited for in the other order. */
    private void nonblocking() throws MPIException {
        for (int count : COUNTS) {
            Request[] requests = new Request[members.size()];
            for (Member member : members) {
                member.fill(count, 3 * count);
                requests[member.number] = member.comm.iAllReduce(member.input, member.output, count, MPI.INT, MPI.SUM);
            }
            for (int i = requests.length - 1; i >= 0; i--) {
                requests[i].waitFor();
                members.get(i).check("iAllReduce", count, sum(count, 3 * count));
            }
        }
    }

    private void onStreams() throws MPIException {
        for (Member member : members) {
            ok(JCudaDriver.cuCtxSetCurrent(member.context));
            CUstream stream = Driver.stream(CUstream_flags.CU_STREAM_NON_BLOCKING);
            try (StreamCommunicator streams = StreamCommunicator.open(member.comm)) {
                streams.register(member.input, 4L * MOST);
                streams.register(member.output, 4L * MOST);
                for (int count : COUNTS) {
                    member.fill(count, 5 * count);
                    streams.allReduce(member.input, member.output, count, MPI.INT, MPI.SUM, stream);
                    ok(JCudaDriver.cuStreamSynchronize(stream));
                    streams.check();
                    member.check("allreduce on a stream", count, sum(count, 5 * count));
                }
            }
            ok(JCudaDriver.cuStreamDestroy(stream));
        }
    }

    /** From each GPU to each, of other ranks and of this one. */
    private void messages() throws MPIException {
        for (Member from : members) {
            for (int to = 0; to < members.size(); to++) {
                for (int distance = 0; distance < ranks; distance++) {
                    message(from, members.get(to), (rank + distance) % ranks, (rank + ranks - distance) % ranks);
                }
            }
        }
    }

    private void message(Member from, Member to, int target, int source) throws MPIException {
        for (int count : COUNTS) {
            from.fill(count, 7 * count);
            Driver.write(to.output, new int[count]);
            Request receive = MPI.COMM_WORLD.iRecv(to.output, count, MPI.INT, source, 1);
            MPI.COMM_WORLD.send(from.input, count, MPI.INT, target, 1);
            receive.waitFor();
            to.check("a message of GPU " + from.number, count, values(source, count, 7 * count));
        }
    }

    private void windows() throws MPIException {
        for (Member member : members) {
            int count = 1000;
            member.fill(count, 11);
            Win window = new Win(member.output, 4 * count, 4, MPI.INFO_NULL, member.comm);
            window.fence(0);
            window.put(member.input, count, MPI.INT, (rank + 1) % ranks, 0, count, MPI.INT);
            window.fence(0);
            member.check("put", count, values((rank + ranks - 1) % ranks, count, 11));
            window.free();
        }
    }
}
