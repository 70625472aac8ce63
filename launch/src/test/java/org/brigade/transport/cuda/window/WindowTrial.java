package org.brigade.transport.cuda.window;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Win;
import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.TypeMap;
import mpi.spi.window.Access;
import mpi.spi.window.WindowEnd;
import mpi.spi.window.WindowKind;
import mpi.spi.window.WindowMaker;
import org.brigade.communicator.BrigadeProvider;
import org.brigade.communicator.ThreadJob;
import org.brigade.transport.cuda.Driver;
import org.brigade.transport.cuda.driver.CudaDriver;
import org.brigade.transport.loopback.LoopbackJob;

/** A rank that uses windows on device memory as its first argument says. */
public final class WindowTrial {
    private static final int GUARD = 16;
    private static final int ROUNDS = 60;

    private static Intracomm world;
    private static int rank;
    private static int size;

    private WindowTrial() {
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("threads")) {
            ThreadJob.run(LoopbackJob.endpoints(2), (provider, lower) -> thread(provider, lower));
            System.out.println("all is well");
            return;
        }
        MPI.Init(arguments);
        world = MPI.COMM_WORLD;
        rank = world.getRank();
        size = world.getSize();
        String kinds = arguments[1];
        JCudaDriver.setExceptionsEnabled(Boolean.getBoolean("jcuda.exceptions"));
        if (kinds.charAt(rank % kinds.length()) != 'n') {
            require(CudaDriver.missing() == null, CudaDriver.missing());
            Driver.enter(rank % CudaDriver.devices());
        }
        switch (arguments[0]) {
            case "model" -> model(kinds, Boolean.parseBoolean(arguments[2]));
            case "atomics" -> atomics();
            case "comeAndGo" -> comeAndGo();
            case "errors" -> errors();
            case "dies" -> dies(arguments[2]);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        MPI.Finalize();
        System.out.println("rank " + rank + " finalized");
    }

    // ---- buffers ----

    /**
     * A buffer with this content: d, device memory at an odd place; p, the same of a pool, which cannot be exported; h
     * or n, direct; e, heap; a, an array of ints; z, nothing.
     */
    static Object buffer(char kind, byte[] content) {
        switch (kind) {
            case 'd', 'p' -> {
                CUdeviceptr all = new CUdeviceptr();
                Driver.ok(kind == 'd' ? JCudaDriver.cuMemAlloc(all, content.length + 2 * GUARD)
                    : JCudaDriver.cuMemAllocAsync(all, content.length + 2 * GUARD, new CUstream()));
                Driver.ok(JCudaDriver.cuStreamSynchronize(new CUstream()));
                CUdeviceptr at = all.withByteOffset(GUARD);
                if (content.length > 0) {
                    Driver.ok(JCudaDriver.cuMemcpyHtoD(at, Pointer.to(content), content.length));
                    // It may return before the last bytes are there, and free does not wait for memory of a pool.
                    Driver.ok(JCudaDriver.cuStreamSynchronize(new CUstream()));
                }
                return at;
            }
            case 'a' -> {
                return ints(content);
            }
            default -> {
                ByteBuffer buffer = kind == 'e' ? ByteBuffer.allocate(content.length)
                    : ByteBuffer.allocateDirect(content.length);
                return buffer.order(ByteOrder.nativeOrder()).put(0, content);
            }
        }
    }

    static byte[] bytes(Object buffer, int length) {
        byte[] content = new byte[length];
        if (buffer instanceof CUdeviceptr at) {
            Driver.ok(length == 0 ? 0 : JCudaDriver.cuMemcpyDtoH(Pointer.to(content), at, length));
        } else if (buffer instanceof int[] array) {
            return packed(array);
        } else {
            ((ByteBuffer) buffer).get(0, content);
        }
        return content;
    }

    static void free(Object buffer) {
        if (buffer instanceof CUdeviceptr at) {
            Driver.ok(JCudaDriver.cuMemFree(at.withByteOffset(-GUARD)));
        }
    }

    static int[] ints(byte[] bytes) {
        int[] ints = new int[bytes.length / 4];
        ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).asIntBuffer().get(ints);
        return ints;
    }

    static byte[] packed(int... ints) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * ints.length).order(ByteOrder.nativeOrder());
        bytes.asIntBuffer().put(ints);
        return bytes.array();
    }

    // ---- claims ----

    /** Windows that use messages have a thread that serves them. */
    private static boolean usesMessages() {
        return Thread.getAllStackTraces().keySet().stream().anyMatch(each -> each.getName().equals("brigade-windows"));
    }

    private static void model(String kinds, boolean mapped) throws MPIException {
        for (int seed = 0; seed < 3; seed++) {
            WindowModel model = new WindowModel(world, kinds, seed);
            if (usesMessages() == mapped) {
                throw new AssertionError("rank " + rank + ": windows " + kinds + " by messages: " + !mapped);
            }
            model.run(ROUNDS);
        }
    }

    /** All ranks at once: counters, sums of vectors, and a lock made of compareAndSwap. */
    private static void atomics() throws MPIException {
        int n = 1000;
        Object memory = buffer('d', new byte[4 * (n + 3)]);
        Win win = new Win(memory, 4 * (n + 3), 4, MPI.INFO_NULL, world);
        Object one = buffer('d', packed(1));
        Object zero = buffer('h', packed(0));
        Object old = buffer(rank % 2 == 0 ? 'd' : 'h', new byte[4]);
        int[] ones = new int[n];
        Arrays.fill(ones, 1);
        Object vector = buffer(rank % 2 == 0 ? 'e' : 'd', packed(ones));
        win.lockAll(0);
        for (int i = 0; i < ROUNDS; i++) {
            win.fetchAndOp(one, old, MPI.INT, 0, 0, MPI.SUM);
            win.accumulate(vector, n, MPI.INT, 0, 3, n, MPI.INT, MPI.SUM);
            win.flush(0);
        }
        for (int i = 0; i < ROUNDS / 10; i++) {
            do {
                win.compareAndSwap(one, zero, old, MPI.INT, 0, 1);
                win.flush(0);
            } while (ints(bytes(old, 4))[0] != 0);
            win.get(old, 1, MPI.INT, 0, 2, 1, MPI.INT);
            win.flush(0);
            win.put(new int[] {ints(bytes(old, 4))[0] + 1}, 1, MPI.INT, 0, 2, 1, MPI.INT);
            win.flush(0);
            win.put(new int[] {0}, 1, MPI.INT, 0, 1, 1, MPI.INT);
            win.flush(0);
        }
        win.unlockAll();
        world.barrier();
        int[] got = ints(bytes(memory, 4 * (n + 3)));
        int[] wanted = new int[n + 3];
        if (rank == 0) {
            Arrays.fill(wanted, ROUNDS * size);
            wanted[1] = 0;
            wanted[2] = ROUNDS / 10 * size;
        }
        if (!Arrays.equals(wanted, got)) {
            int wrong = Arrays.mismatch(wanted, got);
            throw new AssertionError("rank " + rank + " has " + got[wrong] + " at " + wrong + ", not " + wanted[wrong]);
        }
        win.free();
    }

    /** Memory of a window that is given out again is another window's; and a dynamic window's memory comes and goes. */
    private static void comeAndGo() throws MPIException {
        int next = (rank + 1) % size;
        int before = (rank + size - 1) % size;
        for (int i = 0; i < 20; i++) {
            Object memory = buffer('d', packed(-1, -2));
            Win win = new Win(memory, 8, 4, MPI.INFO_NULL, world);
            win.fence(0);
            win.put(new int[] {100 * rank + i}, 1, MPI.INT, next, 1, 1, MPI.INT);
            win.fence(0);
            require(Arrays.equals(new int[] {-1, 100 * before + i}, ints(bytes(memory, 8))), "window " + i);
            win.free();
            free(memory);
        }
        Win dynamic = new Win(MPI.INFO_NULL, world);
        for (int i = 0; i < 3; i++) {
            CUdeviceptr memory = (CUdeviceptr) buffer('d', packed(7, 8));
            dynamic.attach(memory, 8);
            dynamic.fence(0);
            dynamic.accumulate(new int[] {i}, 1, MPI.INT, next, 4, 1, MPI.INT, MPI.SUM);
            dynamic.fence(0);
            require(Arrays.equals(new int[] {7, 8 + i}, ints(bytes(memory, 8))), "attached " + i);
            CUdeviceptr equal = memory.withByteOffset(0);
            refused(() -> dynamic.attach(equal, 8), 69, "already");
            free(memory);
            dynamic.detach(equal);
        }
        dynamic.free();
    }

    /**
     * A rank that is a thread: the other's memory is in this process, so memory that cannot be exported is reached too.
     */
    private static void thread(BrigadeProvider provider, Communicator lower) {
        int rank = lower.rank();
        int other = 1 - rank;
        require(CudaDriver.missing() == null, CudaDriver.missing());
        Driver.enter(rank);
        for (char kind : new char[] {'d', 'p'}) {
            Object memory = buffer(kind, packed(1, 2));
            Object origin = buffer(kind, packed(10 + rank));
            WindowEnd win = ((WindowMaker) lower).window(WindowKind.CREATED, provider.underlying(memory), 8, 4, true,
                "a window", null);
            Access put = new Access("put", Access.Kind.PUT, other, 1, TypeMap.contiguous(4, 1), 4);
            put.origin = provider.underlying(origin);
            win.fence(true, false);
            require(win.access(put) == null, "a put by a message");
            win.fence(false, true);
            require(Arrays.equals(new int[] {1, 10 + other}, ints(bytes(memory, 8))), kind + ": another value");
            free(memory);
            lower.start(new Call(rank, 2).begin(Collective.BARRIER, true));
            win.lock(other, false, true);
            try {
                win.access(put);
                throw new AssertionError("a put to memory that was freed");
            } catch (MPIException freed) {
                require(freed.getMessage().contains("was freed"), freed.getMessage());
            }
            win.unlock(other);
            win.free();
        }
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError("rank " + rank + ": " + what);
        }
    }

    private interface BadCall {
        void run() throws MPIException;
    }

    private static void refused(BadCall call, int errorClass, String... says) throws MPIException {
        try {
            call.run();
        } catch (MPIException e) {
            for (String each : says) {
                require(e.getMessage().contains(each), "not " + each + ": " + e.getMessage());
            }
            require(e.getErrorClass() == errorClass, e.getErrorClass() + ": " + e.getMessage());
            return;
        }
        throw new AssertionError("rank " + rank + ": no error that says " + Arrays.toString(says));
    }

    private static void errors() throws MPIException {
        world.setErrhandler(MPI.ERRORS_RETURN);
        int other = 1 - rank;
        CUdeviceptr memory = (CUdeviceptr) buffer('d', packed(1, 2, 3, 4));
        Win win = new Win(memory, 16, 4, MPI.INFO_NULL, world);
        int[] two = {8, 9};
        win.lockAll(0);
        refused(() -> win.put(two, 2, MPI.INT, other, 3, 2, MPI.INT), 68, "put on rank " + rank,
            "is outside the window of rank " + other);
        refused(() -> win.put(new CUdeviceptr(), 1, MPI.INT, other, 0, 1, MPI.INT), MPI.ERR_BUFFER, "origin",
            "null pointer");
        refused(() -> win.put("a string", 1, MPI.INT, other, 0, 1, MPI.INT), MPI.ERR_TYPE, "origin");
        CUdeviceptr freed = Driver.allocate(8);
        CUdeviceptr small = Driver.allocate(8);
        Driver.ok(JCudaDriver.cuMemFree(freed));
        refused(() -> win.get(freed, 1, MPI.INT, other, 0, 1, MPI.INT), MPI.ERR_BUFFER, "origin", "live allocation");
        refused(() -> win.get(small, 3, MPI.INT, other, 0, 3, MPI.INT), MPI.ERR_COUNT, "needs 12 bytes");
        refused(() -> win.accumulate(small.withByteOffset(2), 1, MPI.INT, other, 0, 1, MPI.INT, MPI.SUM),
            MPI.ERR_BUFFER, "multiple of 4");
        win.unlockAll();
        world.barrier();
        require(Arrays.equals(new int[] {1, 2, 3, 4}, ints(bytes(memory, 16))), "something was touched");
        world.barrier();
        String says = rank == 1 ? "" : "rank 1 has refused";
        refused(() -> new Win(rank == 1 ? new CUdeviceptr() : memory, 16, 4, MPI.INFO_NULL, world),
            rank == 1 ? MPI.ERR_BUFFER : MPI.ERR_OTHER, says);
        refused(() -> new Win(rank == 1 ? freed : memory, 16, 4, MPI.INFO_NULL, world),
            rank == 1 ? MPI.ERR_BUFFER : MPI.ERR_OTHER, says);
        refused(() -> new Win(rank == 1 ? (Object) "a string" : memory, 16, 4, MPI.INFO_NULL, world),
            rank == 1 ? MPI.ERR_TYPE : MPI.ERR_OTHER, says);
        free(memory);
        win.lock(MPI.LOCK_SHARED, rank, 0);
        refused(() -> win.put(two, 2, MPI.INT, rank, 0, 2, MPI.INT), MPI.ERR_OTHER, "put on rank " + rank, "was freed");
        win.unlock(rank);
        refused(() -> win.fence(0), MPI.ERR_OTHER, "was freed");
    }

    /** Rank 1 is killed; the others wait for it, hear of it and finalize. */
    private static void dies(String where) throws Exception {
        world.setErrhandler(MPI.ERRORS_RETURN);
        Object memory = buffer('d', new byte[1 << 16]);
        Win win = new Win(memory, 1 << 16, 1, MPI.INFO_NULL, world);
        if (rank == 1 && where.equals("lock")) {
            win.lock(MPI.LOCK_EXCLUSIVE, 0, 0);
        }
        world.barrier();
        if (rank == 1) {
            for (int each = 1; each < size; each++) { // they have left the barrier
                world.recv(new byte[1], 1, MPI.BYTE, MPI.ANY_SOURCE, 0);
            }
            Runtime.getRuntime().exec(new String[] {"kill", "-9", "" + ProcessHandle.current().pid()});
            Thread.sleep(Long.MAX_VALUE);
        }
        world.send(new byte[1], 1, MPI.BYTE, 1, 0);
        try {
            switch (where) {
                case "lock" -> win.lock(MPI.LOCK_EXCLUSIVE, 0, 0);
                case "fence" -> {
                    win.fence(0);
                    win.put(memory, 8, MPI.BYTE, 1, 0, 8, MPI.BYTE);
                    win.fence(0);
                }
                default -> {
                    win.lock(MPI.LOCK_SHARED, 1, 0);
                    while (true) {
                        win.put(memory, 1 << 16, MPI.BYTE, 1, 0, 1 << 16, MPI.BYTE);
                        win.accumulate(memory, 64, MPI.INT, 1, 0, 64, MPI.INT, MPI.SUM);
                        win.flush(1);
                    }
                }
            }
            throw new AssertionError("rank " + rank + " got through " + where);
        } catch (MPIException expected) {
            if (expected.getErrorClass() != MPI.ERR_PROC_FAILED || !expected.getMessage().contains("rank 1 ")) {
                throw expected;
            }
            System.out.println("rank " + rank + " heard of it");
        }
    }
}
