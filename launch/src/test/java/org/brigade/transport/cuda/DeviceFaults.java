package org.brigade.transport.cuda;

import static org.brigade.transport.cuda.Driver.ok;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Prequest;
import mpi.Request;
import mpi.spi.Collective;
import org.brigade.algorithm.catalogue.DeviceCatalogue;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.cuda.StreamCommunicator;
import org.brigade.transport.cuda.driver.Addresses;
import org.brigade.transport.cuda.driver.CudaDriver;
import org.brigade.transport.cuda.kernel.CallArguments;
import org.brigade.transport.cuda.group.LaunchWait;

/**
 * What the ranks of DeviceFaultsTest (of tools) and {@link DeviceDeathsTest} run, each on the GPU of its rank modulo
 * the GPUs. First argument: what goes wrong. Then {@code return} if errors are to be returned.
 */
public final class DeviceFaults {
    private static final int COUNT = 9_000;
    private static final int LONG = 4 << 20;
    /** To hear of a death takes milliseconds; only not to hear of it takes longer than a busy machine. */
    private static final long LIMIT_NANOS = 120_000_000_000L;

    private static Intracomm world;
    private static int rank;
    private static int ranks;

    private DeviceFaults() {
    }

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        world = MPI.COMM_WORLD;
        rank = world.getRank();
        ranks = world.getSize();
        if (CudaDriver.missing() != null) {
            throw new AssertionError(CudaDriver.missing());
        }
        Driver.enter(rank % CudaDriver.devices());
        if (arguments.length > 1) {
            world.setErrhandler(MPI.ERRORS_RETURN);
        }
        switch (arguments[0]) {
            case "arguments" -> arguments();
            case "launch" -> launchFails();
            case "untold" -> nobodyTells();
            case "staged" -> reduceRight(world, allocate(COUNT), COUNT);
            case "pooled" -> reduceRight(world, pooled(LONG / 4), LONG / 4);
            case "freed" -> freed();
            case "apart" -> apart();
            case "counts" -> counts();
            case "crowd" -> crowd();
            case "stopped" -> stopped();
            case "exit" -> exits();
            case "throw" -> throwsUp();
            case "left" -> leftOpen();
            case "revoked" -> revoked();
            default -> dies(arguments[0]);
        }
        MPI.Finalize();
        if (arguments[0].equals("left")) {
            nothingIsLeft();
        }
        System.out.println("rank " + rank + " finalized");
    }

    // ---- what all need ----

    private static CUdeviceptr allocate(int ints) {
        CUdeviceptr vector = Driver.allocate(4L * ints);
        fill(vector, ints, rank + 1);
        return vector;
    }

    private static CUdeviceptr pooled(int ints) {
        CUdeviceptr vector = new CUdeviceptr();
        ok(JCudaDriver.cuMemAllocAsync(vector, 4L * ints, new CUstream()));
        ok(JCudaDriver.cuStreamSynchronize(new CUstream()));
        fill(vector, ints, rank + 1);
        return vector;
    }

    private static void fill(CUdeviceptr vector, int ints, int value) {
        int[] values = new int[ints];
        Arrays.fill(values, value);
        ok(JCudaDriver.cuMemcpyHtoD(vector, Pointer.to(values), 4L * ints));
    }

    /** An allreduce that must come out right, of what a rank's vector is filled with: its number + 1. */
    private static void reduceRight(Intracomm comm, CUdeviceptr vector, int ints) throws MPIException {
        fill(vector, ints, comm.getRank() + 1);
        comm.allReduce(vector, ints, MPI.INT, MPI.SUM);
        int[] got = Driver.ints(vector, ints);
        int wanted = comm.getSize() * (comm.getSize() + 1) / 2;
        for (int i = 0; i < ints; i++) {
            if (got[i] != wanted) {
                throw new AssertionError("rank " + rank + " has " + got[i] + " at " + i + ", not " + wanted);
            }
        }
    }

    private interface Call {
        void run() throws MPIException;
    }

    /** A call that must be an error which says all of this. */
    private static void refused(Call call, int errorClass, String... parts) {
        try {
            call.run();
        } catch (MPIException expected) {
            for (String part : parts) {
                if (!expected.getMessage().contains(part)) {
                    throw new AssertionError("\"" + part + "\" is missing in: " + expected.getMessage(), expected);
                }
            }
            if (expected.getErrorClass() != errorClass) {
                throw new AssertionError("class " + expected.getErrorClass(), expected);
            }
            return;
        }
        throw new AssertionError("no error where there should be one about " + Arrays.toString(parts));
    }

    private static String here(String call) {
        return call + " on rank " + rank + " of " + ranks + " in MPI_COMM_WORLD";
    }

    // ---- errors of one call, after which the job goes on ----

    private static void arguments() throws MPIException {
        CUdeviceptr vector = allocate(COUNT);
        CUdeviceptr little = allocate(16);
        reduceRight(world, vector, COUNT);
        refused(() -> world.allReduce(little, 17, MPI.INT, MPI.SUM), MPI.ERR_COUNT, here("allReduce"), "needs 68 bytes",
            "device memory of 64 bytes", "pass count <= 16");
        refused(() -> world.bcast(little.withByteOffset(60), 2, MPI.INT, 0), MPI.ERR_COUNT, here("bcast"),
            "needs 8 bytes", "device memory of 4 bytes", "pass count <= 1");
        refused(() -> world.send(little, 17, MPI.INT, 0, 0), MPI.ERR_COUNT, here("send"), "buf", "needs 68 bytes");
        refused(() -> world.allReduce(new CUdeviceptr(), 1, MPI.INT, MPI.SUM), MPI.ERR_BUFFER, here("allReduce"),
            "null pointer");
        CUdeviceptr nowhere = Addresses.device(0x1234_5678_9000L);
        refused(() -> world.allReduce(nowhere, 1, MPI.INT, MPI.SUM), MPI.ERR_BUFFER, here("allReduce"),
            "in no live allocation of this process", "before it is freed");
        ok(JCudaDriver.cuMemFree(little));
        refused(() -> world.bcast(little, 1, MPI.INT, 0), MPI.ERR_BUFFER, here("bcast"), "buf",
            "in no live allocation");
        if (CudaDriver.devices() > ranks) {
            CUcontext mine = new CUcontext();
            ok(JCudaDriver.cuCtxGetCurrent(mine));
            Driver.enter(ranks);
            CUdeviceptr elsewhere = allocate(COUNT);
            ok(JCudaDriver.cuCtxSetCurrent(mine));
            refused(() -> world.allReduce(elsewhere, COUNT, MPI.INT, MPI.SUM), MPI.ERR_BUFFER, here("allreduce"),
                "on GPU " + ranks, "run on GPU " + rank, "Dup the communicator");
            Intracomm copy = world.dup();
            reduceRight(copy, elsewhere, COUNT);
            copy.free();
        }
        reduceRight(world, vector, COUNT);
    }

    /** The GPUs of ranks 0 and 1 reach each other, and those of 2 and 3: kernels run there, and elsewhere the host. */
    private static void apart() throws MPIException {
        CUdeviceptr vector = allocate(COUNT);
        for (int turn = 0; turn < 2; turn++) {
            reduceRight(world, vector, COUNT);
            Intracomm half = world.split(rank / 2, rank);
            reduceRight(half, vector, COUNT);
            boolean kernel = DeviceCatalogue.find(Collective.ALLREDUCE, Diagnostics.lastAlgorithm()) != null;
            Intracomm across = world.split(rank % 2, rank);
            reduceRight(across, vector, COUNT);
            if (!kernel || DeviceCatalogue.find(Collective.ALLREDUCE, Diagnostics.lastAlgorithm()) != null) {
                throw new AssertionError("kernels " + kernel + ", then " + Diagnostics.lastAlgorithm());
            }
            int[] counts = {1, 2, 3, 4};
            int[] places = {0, 1, 3, 6};
            CUdeviceptr blocks = Driver.ints(new int[10]);
            CUdeviceptr mine = Driver.ints(rank, rank, rank, rank);
            world.allGatherv(mine, rank + 1, MPI.INT, blocks, counts, places, MPI.INT);
            if (!Arrays.equals(new int[] {0, 1, 1, 2, 2, 2, 3, 3, 3, 3}, Driver.ints(blocks, 10))) {
                throw new AssertionError(Arrays.toString(Driver.ints(blocks, 10)));
            }
            half.free();
            across.free();
        }
    }

    /**
     * Counts that do not fit each other, blocking ones each on a communicator of its own: an error on all ranks, and
     * nobody waits.
     */
    private static void counts() throws MPIException {
        CUdeviceptr send = Driver.ints(new int[64]);
        CUdeviceptr recv = Driver.ints(new int[64]);
        int[] places = {0, 16, 32};
        Intracomm later = world.dup();
        later.setErrhandler(MPI.ERRORS_RETURN);
        for (int wrong = -1; wrong <= 1; wrong += 2) {
            for (int kind = 0; kind < 9; kind++) {
                Intracomm comm = world.dup();
                comm.setErrhandler(MPI.ERRORS_RETURN);
                Intracomm ring = comm.createCart(new int[] {ranks}, new boolean[] {true}, false);
                ring.setErrhandler(MPI.ERRORS_RETURN);
                int[] counts = {4, 4, 4};
                int[] others = {4, 4 + (rank == 0 ? wrong : 0), 4};
                int mine = 4 + (rank == 1 ? wrong : 0);
                int error = 0;
                try {
                    switch (kind) {
                        case 0 -> comm.allToAllv(send, others, places, MPI.INT, recv, counts, places, MPI.INT);
                        case 1 -> comm.gatherv(send, mine, MPI.INT, recv, counts, places, MPI.INT, 0);
                        case 2 -> comm.scatterv(send, counts, places, MPI.INT, recv, mine, MPI.INT, 0);
                        case 3 -> ring.neighborAllToAll(send, mine, MPI.INT, recv, 4, MPI.INT);
                        case 5 ->
                            later.iAllToAllv(send, others, places, MPI.INT, recv, counts, places, MPI.INT).waitFor();
                        case 6 -> later.iGatherv(send, mine, MPI.INT, recv, counts, places, MPI.INT, 0).waitFor();
                        case 7 -> later.allToAllvInit(send, others, places, MPI.INT, recv, counts, places, MPI.INT,
                            MPI.INFO_NULL);
                        case 8 -> later.gathervInit(send, mine, MPI.INT, recv, counts, places, MPI.INT, 0,
                            MPI.INFO_NULL);
                        default -> ring.neighborAllToAllv(send, new int[] {mine, 4}, new int[] {0, 16}, MPI.INT, recv,
                            new int[] {4, 4}, new int[] {0, 16}, MPI.INT);
                    }
                } catch (MPIException e) {
                    error = e.getErrorClass();
                }
                int[] heard = {error};
                world.allReduce(heard, 1, MPI.INT, MPI.MIN);
                if (heard[0] == 0) {
                    throw new AssertionError("kind " + kind + " with " + wrong + " more is error " + error + " here");
                }
            }
        }
        int[] counts = {4, 4, 4};
        later.iAllToAllv(send, counts, places, MPI.INT, recv, counts, places, MPI.INT).waitFor();
        reduceRight(world, allocate(COUNT), COUNT);
    }

    /** Three threads, which all use their communicator's devices for the first time at once; one is interrupted. */
    private static void crowd() throws Exception {
        Intracomm[] rings = new Intracomm[3];
        for (int i = 0; i < rings.length; i++) {
            rings[i] = world.createCart(new int[] {ranks}, new boolean[] {true}, false);
        }
        Thread[] threads = new Thread[rings.length];
        Throwable[] failures = new Throwable[rings.length];
        CountDownLatch together = new CountDownLatch(rings.length);
        for (int i = 0; i < rings.length; i++) {
            int which = i;
            threads[i] = new Thread(() -> {
                try {
                    Driver.enter(rank % CudaDriver.devices());
                    together.countDown();
                    while (together.getCount() > 0) {
                        Thread.onSpinWait(); // interrupts do not end it
                    }
                    for (int turn = 0; turn < 30; turn++) {
                        pairwise(rings[which], which, turn);
                    }
                } catch (Throwable e) {
                    failures[which] = e;
                }
            });
            threads[i].start();
        }
        together.await();
        for (int i = 0; i < 50; i++) {
            threads[1].interrupt(); // changes nothing
            LockSupport.parkNanos(1_000_000);
        }
        for (int i = 0; i < rings.length; i++) {
            threads[i].join();
            if (failures[i] != null) {
                throw new AssertionError("thread " + i, failures[i]);
            }
        }
        CUdeviceptr never = Driver.ints(new int[16]);
        Request wanted = world.iRecv(never, 16, MPI.INT, (rank + 1) % ranks, 77);
        wanted.cancel();
        wanted.waitFor();
        reduceRight(world, allocate(COUNT), COUNT);
    }

    /** Blocks of turn + 1 and more numbers to all and to both neighbours, blocking or not. */
    private static void pairwise(Intracomm ring, int thread, int turn) throws MPIException {
        int each = turn + 1;
        int[] counts = new int[ranks];
        int[] places = new int[ranks];
        for (int peer = 0; peer < ranks; peer++) {
            counts[peer] = each;
            places[peer] = peer * each;
        }
        int[] mine = new int[each * ranks];
        Arrays.fill(mine, 1000 * thread + 10 * turn + rank);
        CUdeviceptr send = Driver.ints(mine);
        CUdeviceptr recv = Driver.ints(new int[each * ranks]);
        if (turn % 3 == 0) {
            ring.iAllToAllv(send, counts, places, MPI.INT, recv, counts, places, MPI.INT).waitFor();
        } else {
            ring.allToAllv(send, counts, places, MPI.INT, recv, counts, places, MPI.INT);
        }
        for (int i = 0; i < each * ranks; i++) {
            isFrom(i / each, Driver.ints(recv, each * ranks)[i], thread, turn);
        }
        CUdeviceptr two = Driver.ints(new int[2 * each]);
        if (turn % 3 == 1) {
            ring.iNeighborAllGather(send, each, MPI.INT, two, each, MPI.INT).waitFor();
        } else {
            ring.neighborAllGather(send, each, MPI.INT, two, each, MPI.INT);
        }
        isFrom((rank + ranks - 1) % ranks, Driver.ints(two, 1)[0], thread, turn);
        isFrom((rank + 1) % ranks, Driver.ints(two, 2 * each)[2 * each - 1], thread, turn);
        for (CUdeviceptr memory : new CUdeviceptr[] {send, recv, two}) {
            ok(JCudaDriver.cuMemFree(memory));
        }
    }

    private static void isFrom(int peer, int got, int thread, int turn) {
        if (got != 1000 * thread + 10 * turn + peer) {
            throw new AssertionError("rank " + rank + " got " + got + " from " + peer + " in turn " + turn);
        }
    }

    /** Memory that is freed and given out again at the same address, of other lengths, between calls. */
    private static void freed() throws MPIException {
        CUdeviceptr before = null;
        int same = 0;
        for (int turn = 0; turn < 12; turn++) {
            int ints = COUNT << (turn + rank) % 3;
            CUdeviceptr vector = allocate(ints);
            same += vector.equals(before) ? 1 : 0;
            before = vector;
            reduceRight(world, vector, COUNT);
            ok(JCudaDriver.cuMemFree(vector));
        }
    }

    /**
     * The driver refuses rank 1's second launch: an error there and, as the others wait for it, everywhere; nobody's
     * kernel spins on, and another communicator works.
     */
    private static void launchFails() throws MPIException {
        CUdeviceptr vector = allocate(COUNT);
        reduceRight(world, vector, COUNT);
        refused(() -> world.allReduce(vector, COUNT, MPI.INT, MPI.SUM), MPI.ERR_OTHER,
            rank == 1 ? "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES" : "rank 1 could not do its part");
        ok(JCudaDriver.cuCtxSynchronize());
        refused(() -> world.allReduce(vector, COUNT, MPI.INT, MPI.SUM), MPI.ERR_BUFFER, here("allreduce"),
            "runs no more collectives on devices", "duplicate");
        Intracomm copy = world.dup();
        reduceRight(copy, vector, COUNT);
        double[] host = {1};
        world.allReduce(host, 1, MPI.DOUBLE, MPI.SUM);
        if (host[0] != ranks) {
            throw new AssertionError("on the host: " + host[0]);
        }
    }

    /** Rank 1's first launch is refused. The others have no kernel that waits for it: their hosts do. */
    private static void nobodyTells() throws MPIException {
        CUdeviceptr vector = allocate(COUNT);
        CUdeviceptr all = allocate(COUNT * ranks);
        refused(() -> world.allGather(vector, COUNT, MPI.INT, all, COUNT, MPI.INT), MPI.ERR_OTHER,
            rank == 1 ? "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES" : "could not do its part");
        double[] host = {1};
        world.allReduce(host, 1, MPI.DOUBLE, MPI.SUM);
    }

    // ---- ranks that die ----

    private static void die() {
        try {
            new ProcessBuilder("kill", "-KILL", "" + ProcessHandle.current().pid()).start().waitFor(60,
                TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void dieIn(long millis) {
        inTheBackground(() -> {
            sleep(millis);
            die();
        });
    }

    private static void inTheBackground(Runnable deed) {
        Thread thread = new Thread(deed);
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns when a thread waits for a kernel of its own. */
    private static void awaitWaiting(Thread thread) {
        while (Arrays.stream(thread.getStackTrace())
            .noneMatch(frame -> frame.getClassName().equals(LaunchWait.class.getName()))) {
            sleep(1);
        }
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Rank 1 is killed in the middle; the others hear of it in the call that waits for it, no kernel of theirs spins
     * on, and they go on without it.
     */
    private static void dies(String where) throws MPIException {
        CUdeviceptr vector = where.equals("pool") ? pooled(LONG / 4) : allocate(LONG / 4);
        reduceRight(world, vector, COUNT);
        reduceRight(world, vector, COUNT);
        world.barrier();
        long begun = System.nanoTime();
        try {
            call(where, vector);
            throw new AssertionError("rank " + rank + " got through " + where);
        } catch (MPIException expected) {
            long took = System.nanoTime() - begun;
            if (expected.getErrorClass() != MPI.ERR_PROC_FAILED || !expected.getMessage().contains("rank 1 ")) {
                throw expected;
            }
            if (took > LIMIT_NANOS) {
                throw new AssertionError("that took " + took / 1_000_000 + " ms", expected);
            }
            System.out.println("rank " + rank + " heard of it");
        }
        ok(JCudaDriver.cuCtxSynchronize()); // lasts for ever if a kernel spins on
        refused(() -> world.allReduce(vector, COUNT, MPI.INT, MPI.SUM), MPI.ERR_PROC_FAILED, here("allreduce"),
            "rank 1 ");
        Intracomm rest = world.shrink();
        reduceRight(rest, vector, COUNT);
        reduceRight(rest, vector, COUNT);
    }

    /** Rank 1 revokes a communicator while the others wait for it on their devices. */
    private static void revoked() throws MPIException {
        CUdeviceptr vector = allocate(COUNT);
        Intracomm copy = world.dup();
        reduceRight(copy, vector, COUNT);
        reduceRight(copy, vector, COUNT);
        world.barrier();
        if (rank == 1) {
            sleep(50);
            copy.revoke();
        }
        for (int i = 0; i < 2; i++) {
            refused(() -> copy.allReduce(vector, COUNT, MPI.INT, MPI.SUM), MPI.ERR_REVOKED, here("allreduce"),
                "revoked");
        }
        ok(JCudaDriver.cuCtxSynchronize());
        Intracomm again = copy.shrink();
        reduceRight(again, vector, COUNT);
        reduceRight(world, vector, COUNT);
    }

    private static void call(String where, CUdeviceptr vector) throws MPIException {
        boolean victim = rank == 1;
        switch (where) {
            case "announce" -> { // it never comes
                if (victim) {
                    die();
                }
                world.allReduce(vector, COUNT, MPI.INT, MPI.SUM);
            }
            case "kernel", "stuck" -> { // its kernel never begins: SOFTWARE_CUDA_HANG_LAUNCH
                if (victim) {
                    Thread caller = Thread.currentThread();
                    inTheBackground(() -> {
                        awaitWaiting(caller);
                        sleep(200); // by then the others wait, too, as a rule
                        die();
                    });
                }
                world.allReduce(vector, COUNT, MPI.INT, MPI.SUM);
            }
            case "loop" -> { // at any moment
                if (victim) {
                    dieIn(30);
                }
                while (true) {
                    world.allReduce(vector, COUNT, MPI.INT, MPI.MAX);
                }
            }
            case "pool" -> { // staged, and rank 1 stops taking part after some of it
                if (victim) {
                    dieIn(20);
                }
                while (true) {
                    world.allReduce(vector, LONG / 4, MPI.INT, MPI.SUM);
                }
            }
            case "pull" -> { // the others send to it and receive from it, by mapped memory
                if (victim) {
                    dieIn(50);
                }
                CUdeviceptr target = allocate(LONG / 4);
                while (true) {
                    if (victim) {
                        for (int peer = 0; peer < ranks; peer += 2) {
                            world.send(vector, LONG, MPI.BYTE, peer, 0);
                        }
                    } else {
                        world.recv(target, LONG, MPI.BYTE, 1, 0);
                    }
                }
            }
            case "push" -> {
                if (victim) {
                    dieIn(50);
                }
                CUdeviceptr target = allocate(LONG / 4);
                while (true) {
                    if (victim) {
                        for (int peer = 0; peer < ranks; peer += 2) {
                            world.recv(target, LONG, MPI.BYTE, peer, 0);
                        }
                    } else {
                        world.send(vector, LONG, MPI.BYTE, 1, 0);
                    }
                }
            }
            default -> throw new IllegalArgumentException(where);
        }
    }

    // ---- other ends ----

    /** A rank that is stopped in the middle of a collective is waited for. */
    private static void stopped() throws Exception {
        CUdeviceptr vector = allocate(COUNT);
        reduceRight(world, vector, COUNT);
        int[] pid = {(int) ProcessHandle.current().pid()};
        world.bcast(pid, 1, MPI.INT, 1);
        world.barrier();
        if (rank == 0) {
            new ProcessBuilder("kill", "-STOP", "" + pid[0]).start().waitFor();
            Thread waker = new Thread(() -> {
                sleep(700);
                try {
                    new ProcessBuilder("kill", "-CONT", "" + pid[0]).start().waitFor();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            waker.start();
        }
        for (int turn = 0; turn < 50; turn++) {
            reduceRight(world, vector, COUNT);
        }
    }

    /**
     * Rank 1 leaves by System.exit while its own kernel waits for that of rank 0, which never begins; and the exit
     * takes its time.
     */
    private static void exits() throws Exception {
        CUdeviceptr vector = allocate(COUNT);
        reduceRight(world, vector, COUNT);
        if (rank == 1) {
            Thread caller = Thread.currentThread();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> sleep(300)));
            inTheBackground(() -> {
                awaitWaiting(caller);
                System.exit(3);
            });
        }
        world.allReduce(vector, COUNT, MPI.INT, MPI.SUM);
    }

    private static void throwsUp() throws Exception {
        CUdeviceptr vector = allocate(COUNT);
        reduceRight(world, vector, COUNT);
        if (rank == 1) {
            sleep(100);
            throw new IllegalStateException("on purpose");
        }
        world.allReduce(vector, COUNT, MPI.INT, MPI.SUM);
    }

    private static long[] memoryBefore = new long[1];

    /** Communicators that are not freed before Finalize, and memory of peers that is mapped. */
    private static void leftOpen() throws Exception {
        CUdeviceptr vector = allocate(COUNT);
        memoryBefore[0] = free();
        reduceRight(world, vector, COUNT);
        report("with one communicator");
        Intracomm copy = world.dup();
        reduceRight(copy, vector, COUNT);
        Intracomm gone = world.dup();
        reduceRight(gone, vector, COUNT);
        report("with three communicators");
        if (free() > memoryBefore[0] - 3 * CallArguments.SCRATCH_BYTES) {
            throw new AssertionError("the scratch memory of three communicators is not in use");
        }
        onStreams();
        outstanding(copy);
        messages();
        gone.free();
    }

    /** Memory that is registered, and what calls on streams keep; closed, as the rank has to. */
    private static void onStreams() throws MPIException {
        CUdeviceptr vector = allocate(LONG / 4);
        CUdeviceptr unregistered = allocate(LONG / 4);
        try (StreamCommunicator streams = StreamCommunicator.open(world)) {
            streams.register(vector, LONG);
            CUstream stream = new CUstream();
            streams.allReduce(vector, vector, LONG / 4, MPI.INT, MPI.SUM, stream);
            streams.allReduce(unregistered, unregistered, LONG / 4, MPI.INT, MPI.SUM, stream);
            ok(JCudaDriver.cuStreamSynchronize(stream));
            streams.deregister(vector);
        }
        ok(JCudaDriver.cuMemFree(vector));
        ok(JCudaDriver.cuMemFree(unregistered));
        report("with what streams keep");
    }

    /** Device queues. The persistent call's communicator and the call itself are not freed. */
    private static void outstanding(Intracomm comm) throws MPIException {
        CUdeviceptr vector = allocate(COUNT);
        comm.iAllReduce(vector, COUNT, MPI.INT, MPI.SUM).waitFor();
        Prequest sum = comm.allReduceInit(vector, COUNT, MPI.INT, MPI.SUM, MPI.INFO_NULL);
        sum.start();
        sum.waitFor();
        ok(JCudaDriver.cuMemFree(vector));
        report("with queues");
    }

    /** Short and long, from device to device and to the host and back, and with gaps. */
    private static void messages() throws MPIException {
        CUdeviceptr vector = allocate(LONG / 4);
        ByteBuffer host = ByteBuffer.allocateDirect(LONG);
        Datatype every = Datatype.createVector(100, 1, 3, MPI.INT);
        every.commit();
        int peer = rank ^ 1;
        for (int bytes : new int[] {16, 10_000, LONG}) {
            if (rank % 2 == 0) {
                world.send(vector, bytes, MPI.BYTE, peer, 0);
                world.send(host, bytes, MPI.BYTE, peer, 1);
                world.send(vector, bytes, MPI.BYTE, peer, 2);
                world.send(vector, 1, every, peer, 3);
            } else {
                world.recv(vector, bytes, MPI.BYTE, peer, 0);
                world.recv(vector, bytes, MPI.BYTE, peer, 1);
                world.recv(host, bytes, MPI.BYTE, peer, 2);
                world.recv(vector, 1, every, peer, 3);
            }
        }
        every.free();
        ok(JCudaDriver.cuMemFree(vector));
        report("with links");
    }

    private static long free() {
        long[] free = new long[1];
        ok(JCudaDriver.cuMemGetInfo(free, new long[1]));
        return free[0];
    }

    private static void report(String when) {
        if (DriverCounts.areThere()) {
            return;
        }
        System.out.println("rank " + rank + " " + when + ": " + (memoryBefore[0] - free()) + " bytes");
    }

    /**
     * The driver tells how much of a device's memory is free, whoever has it. NVIDIA's keeps some for itself, such as
     * tables of pages and places for code, here and for other processes that have mapped memory of the device: less
     * than what a communicator takes. The software driver keeps nothing.
     */
    private static void nothingIsLeft() {
        report("after Finalize");
        long left = memoryBefore[0] - free();
        if (DriverCounts.areThere() ? left != 0 : left >= CallArguments.SCRATCH_BYTES) {
            throw new AssertionError("rank " + rank + " still has " + left + " bytes of device memory after Finalize");
        }
        if (JCudaDriver.cuCtxSynchronize() != CUresult.CUDA_SUCCESS) {
            throw new AssertionError("the context has an error after Finalize");
        }
    }
}
