package org.brigade.transport.cuda;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;
import org.brigade.transport.cuda.driver.CudaDriver;

/**
 * A rank that sends and receives device memory as its first argument says; the rank's GPU is its rank modulo the GPUs.
 */
public final class DeviceMessages {
    private static final int[] SIZES =
        {0, 1, 3, 48, 49, 4096, 8191, 8192, 40_001, 65_536, 131_075, (1 << 20) + 1, (5 << 20) + 3};
    private static final int GUARD = 16;
    private static final int SHORT = 8192;
    private static final int SHORTEST_LONG = 64 << 10;

    private static Intracomm world;
    private static int rank;
    private static int size;
    private static boolean pooled;

    private DeviceMessages() {
    }

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        world = MPI.COMM_WORLD;
        rank = world.getRank();
        size = world.getSize();
        if (CudaDriver.missing() != null) {
            throw new AssertionError(CudaDriver.missing());
        }
        JCudaDriver.setExceptionsEnabled(Boolean.getBoolean("jcuda.exceptions"));
        Driver.enter(rank % CudaDriver.devices());
        String claim = arguments[0];
        pooled = claim.startsWith("pooled");
        switch (claim) {
            case "sizes", "pooled" -> sizes();
            case "crowd" -> crowd();
            case "truncated" -> truncated();
            case "reused" -> reused();
            case "long" -> longMessage();
            case "gaps" -> longMessagesWithGaps();
            case "refused" -> aRefusedLaunch(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
            case "self" -> toMyself();
            case "schedules" -> schedules();
            case "dies" -> dies();
            case "close" -> closely();
            default -> throw new IllegalArgumentException(claim);
        }
        world.barrier();
        if (rank == 0) {
            System.out.println("all is well");
        }
        MPI.Finalize();
    }

    // ---- buffers ----

    private static CUdeviceptr allocate(long bytes) {
        if (!pooled) {
            return Driver.allocate(bytes);
        }
        CUdeviceptr address = new CUdeviceptr();
        Driver.ok(JCudaDriver.cuMemAllocAsync(address, bytes, new CUstream()));
        Driver.ok(JCudaDriver.cuStreamSynchronize(new CUstream()));
        return address;
    }

    private static byte[] content(int bytes, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] content = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            content[i] = (byte) random.nextInt();
        }
        return content;
    }

    /** A buffer of this content: device memory, at an odd place of an allocation, or a direct buffer. */
    private static Object buffer(byte[] content, boolean device) {
        if (!device) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(content.length + GUARD).order(ByteOrder.nativeOrder());
            buffer.put(0, content);
            return buffer;
        }
        byte[] guarded = new byte[content.length + GUARD];
        System.arraycopy(content, 0, guarded, 0, content.length);
        CUdeviceptr at = allocate(guarded.length + GUARD).withByteOffset(GUARD);
        Driver.ok(JCudaDriver.cuMemcpyHtoD(at, Pointer.to(guarded), guarded.length));
        return at;
    }

    private static byte[] bytes(Object buffer, int bytes) {
        byte[] all = new byte[bytes + GUARD];
        if (buffer instanceof CUdeviceptr at) {
            Driver.ok(JCudaDriver.cuMemcpyDtoH(Pointer.to(all), at, all.length));
        } else {
            ((ByteBuffer) buffer).get(0, all);
        }
        return all;
    }

    private static void check(String what, Object buffer, byte[] expected) {
        byte[] all = bytes(buffer, expected.length);
        for (int i = 0; i < all.length; i++) {
            if (all[i] != (i < expected.length ? expected[i] : 0)) {
                throw new AssertionError(
                    "rank " + rank + ", " + what + ": byte " + i + " of " + expected.length + " is wrong");
            }
        }
    }

    private static void free(Object buffer) {
        if (buffer instanceof CUdeviceptr at && !pooled) {
            Driver.ok(JCudaDriver.cuMemFree(at.withByteOffset(-GUARD)));
        }
    }

    // ---- claims ----

    /** Every size between every two kinds of memory, eager and not, by blocking calls. */
    private static void sizes() throws MPIException {
        for (int round = 0; round < 2; round++) {
            for (int kinds = 0; kinds < 4; kinds++) {
                for (int bytes : SIZES) {
                    byte[] content = content(bytes, bytes + kinds);
                    if (rank == 0) {
                        Object buffer = buffer(content, (kinds & 1) != 0);
                        world.send(buffer, bytes, MPI.BYTE, 1, kinds);
                        free(buffer);
                    } else {
                        Object buffer = buffer(new byte[bytes], (kinds & 2) != 0);
                        Status status = world.recv(buffer, bytes, MPI.BYTE, 0, kinds);
                        check("kinds " + kinds + ", " + bytes + " bytes", buffer, content);
                        if (status.getCount(MPI.BYTE) != bytes) {
                            throw new AssertionError(
                                status.getCount(MPI.BYTE) + " bytes are said to have come of " + bytes);
                        }
                        free(buffer);
                    }
                }
            }
        }
    }

    /**
     * Many nonblocking messages both ways at once between all ranks, received by wildcards of the tag, some before they
     * are sent and some after.
     */
    private static void crowd() throws MPIException {
        int each = 30;
        SplittableRandom random = new SplittableRandom(11);
        int[] lengths = new int[each];
        boolean[] fromDevice = new boolean[each];
        boolean[] toDevice = new boolean[each];
        for (int i = 0; i < each; i++) {
            lengths[i] = random.nextInt(1 << 8 + random.nextInt(13));
            fromDevice[i] = random.nextBoolean();
            toDevice[i] = random.nextBoolean();
        }
        Request[] sends = new Request[size * each];
        Request[] receives = new Request[size * each];
        Object[] targets = new Object[size * each];
        for (int half = 0; half < 2; half++) {
            for (int peer = 0; peer < size; peer++) {
                for (int i = half * each / 2; i < (half + 1) * each / 2; i++) {
                    targets[peer * each + i] = buffer(new byte[lengths[i]], toDevice[i]);
                    receives[peer * each + i] =
                        world.iRecv(targets[peer * each + i], lengths[i], MPI.BYTE, peer, MPI.ANY_TAG);
                }
            }
            for (int peer = 0; peer < size && half == 0; peer++) {
                for (int i = 0; i < each; i++) {
                    sends[peer * each + i] = world.iSend(buffer(content(lengths[i], rank * 1000 + i), fromDevice[i]),
                        lengths[i], MPI.BYTE, peer, i);
                }
            }
        }
        for (int peer = 0; peer < size; peer++) {
            for (int i = 0; i < each; i++) {
                Status status = receives[peer * each + i].waitStatus();
                if (status.getTag() != i) {
                    throw new AssertionError(
                        "receive " + i + " from rank " + peer + " got the message with tag " + status.getTag());
                }
                check("message " + i + " from " + peer, targets[peer * each + i], content(lengths[i], peer * 1000 + i));
            }
        }
        Request.waitAll(sends);
        world.barrier();
        // And from anybody.
        if (rank == 0) {
            Object target = buffer(new byte[300_000], true);
            boolean[] seen = new boolean[size];
            for (int i = 1; i < size; i++) {
                Status status = world.recv(target, 300_000, MPI.BYTE, MPI.ANY_SOURCE, 77);
                check("from anybody", target, content(300_000, status.getSource()));
                seen[status.getSource()] = true;
            }
            for (int i = 1; i < size; i++) {
                if (!seen[i]) {
                    throw new AssertionError("nothing came from rank " + i);
                }
            }
        } else {
            world.send(buffer(content(300_000, rank), true), 300_000, MPI.BYTE, 0, 77);
        }
    }

    /**
     * Short messages that follow each other closely, from and to places that lie alike within words and others, with a
     * pause in which the kernel that carries them leaves.
     */
    private static void closely() throws Exception {
        int messages = 90;
        SplittableRandom random = new SplittableRandom(7);
        CUdeviceptr out = allocate(2 * SHORTEST_LONG);
        CUdeviceptr in = allocate(2 * SHORTEST_LONG);
        byte[] zeros = new byte[2 * SHORTEST_LONG];
        long launched = DriverCounts.launches();
        for (int i = 0; i < messages; i++) {
            int bytes = i % 5 == 0 ? SHORTEST_LONG - 64 : 2 + random.nextInt(1 << 2 + i % 14);
            int from = random.nextInt(32);
            int to = i % 3 == 0 ? from : random.nextInt(32);
            byte[] content = content(bytes, i);
            boolean sends = (i + rank) % 2 == 0;
            if (sends) {
                Driver.ok(JCudaDriver.cuMemcpyHtoD(out.withByteOffset(from), Pointer.to(content), bytes));
                world.send(out.withByteOffset(from), bytes, MPI.BYTE, 1 - rank, i);
            } else {
                Driver.ok(JCudaDriver.cuMemcpyHtoD(in, Pointer.to(zeros), zeros.length));
                world.recv(in.withByteOffset(to), bytes, MPI.BYTE, 1 - rank, i);
                byte[] all = new byte[zeros.length];
                Driver.ok(JCudaDriver.cuMemcpyDtoH(Pointer.to(all), in, all.length));
                byte[] expected = new byte[zeros.length];
                System.arraycopy(content, 0, expected, to, bytes);
                if (!Arrays.equals(all, expected)) {
                    throw new AssertionError("message " + i + " of " + bytes + " bytes from " + from + " to " + to);
                }
            }
            if (i == messages / 2) {
                world.barrier();
                Thread.sleep(2500);
            }
        }
        launched = DriverCounts.launches() - launched;
        if (launched == 0 || launched > messages / 4) {
            throw new AssertionError(launched + " launches for " + messages + " messages");
        }
    }

    private static void truncated() throws MPIException {
        for (int bytes : new int[] {20_000, 3 << 20}) {
            if (rank == 0) {
                world.send(buffer(content(bytes, 1), true), bytes, MPI.BYTE, 1, 1);
                world.send(buffer(content(bytes, 2), true), bytes, MPI.BYTE, 1, 2);
            } else {
                world.setErrhandler(MPI.ERRORS_RETURN);
                Object target = buffer(new byte[bytes], true);
                try {
                    world.recv(target, bytes - 1, MPI.BYTE, 0, 1);
                    throw new AssertionError("a message that is too long was no error");
                } catch (MPIException expected) {
                    check("a message that was refused", target, new byte[bytes]);
                }
                world.recv(target, bytes, MPI.BYTE, 0, 2);
                check("the message behind", target, content(bytes, 2));
            }
        }
    }

    /** Memory that is freed, and given out again at the same address, is another allocation for the peers too. */
    private static void reused() throws MPIException {
        for (int i = 0; i < 20; i++) {
            int bytes = 200_000 + i % 3 * 100_000;
            if (rank == 0) {
                Object source = buffer(content(bytes, i), true);
                world.send(source, bytes, MPI.BYTE, 1, 0);
                free(source);
            } else {
                Object target = buffer(new byte[bytes], true);
                world.recv(target, bytes, MPI.BYTE, 0, 0);
                check("after " + i + " frees", target, content(bytes, i));
                free(target);
            }
        }
    }

    private static void longMessage() throws MPIException {
        int bytes = (64 << 20) + 12_345;
        byte[] content = content(bytes, 5);
        for (int i = 0; i < 2; i++) {
            if (rank == 0) {
                world.send(buffer(content, true), bytes, MPI.BYTE, 1, 0);
            } else {
                Object target = buffer(new byte[bytes], true);
                world.recv(target, bytes, MPI.BYTE, 0, 0);
                check("a long message", target, content);
            }
        }
    }

    /** Every other element of a buffer: longer than what was packed at once before, and longer than is at all. */
    private static void longMessagesWithGaps() throws MPIException {
        Datatype every = Datatype.createResized(MPI.LONG, 0, 2 * Long.BYTES);
        every.commit();
        for (int bytes : new int[] {1 << 20, 3 << 20, 2 << 20, (64 << 20) + 24_000, 4 << 20}) {
            int items = bytes / Long.BYTES;
            byte[] content = content(2 * bytes, bytes);
            if (rank == 0) {
                world.send(buffer(content, true), items, every, 1, 0);
            } else {
                Object target = buffer(new byte[2 * bytes], true);
                world.recv(target, items, every, 0, 0);
                for (int gap = Long.BYTES; gap < content.length; gap += 2 * Long.BYTES) {
                    Arrays.fill(content, gap, gap + Long.BYTES, (byte) 0);
                }
                check(bytes + " bytes of items with gaps", target, content);
            }
        }
    }

    /** The first launch is refused on one rank: that is an error of its call, and the next message arrives. */
    private static void aRefusedLaunch(int failing, int bytes) throws MPIException {
        world.setErrhandler(MPI.ERRORS_RETURN);
        Datatype every = Datatype.createResized(MPI.LONG, 0, 2 * Long.BYTES);
        every.commit();
        int items = bytes / Long.BYTES;
        // A short message that cannot be packed has not begun; of a longer one the receiver gets zeros.
        int first = rank == 1 && failing == 0 && bytes <= SHORT ? 1 : 0;
        for (int turn = first; turn < 2; turn++) {
            byte[] content = content(2 * bytes, turn);
            Object buffer = buffer(rank == 0 ? content : new byte[2 * bytes], true);
            boolean refused = false;
            try {
                if (rank == 0) {
                    world.send(buffer, items, every, 1, turn);
                } else {
                    world.recv(buffer, items, every, 0, turn);
                }
            } catch (MPIException e) {
                refused = e.getMessage().contains("brigade_") && e.getMessage().contains("LAUNCH");
                if (!refused) {
                    throw e;
                }
            }
            if (refused != (turn == 0 && rank == failing)) {
                throw new AssertionError(
                    "rank " + rank + ", message " + turn + (refused ? " failed" : " did not fail"));
            }
            if (turn == 1 && rank == 1) {
                for (int gap = Long.BYTES; gap < content.length; gap += 2 * Long.BYTES) {
                    Arrays.fill(content, gap, gap + Long.BYTES, (byte) 0);
                }
                check("the message behind", buffer, content);
            }
        }
    }

    private static void toMyself() throws MPIException {
        for (int bytes : SIZES) {
            for (int kinds = 0; kinds < 4; kinds++) {
                Object source = buffer(content(bytes, bytes), (kinds & 1) != 0);
                Object target = buffer(new byte[bytes], (kinds & 2) != 0);
                Request receive = world.iRecv(target, bytes, MPI.BYTE, rank, 0);
                world.send(source, bytes, MPI.BYTE, rank, 0);
                receive.waitFor();
                check("to myself, kinds " + kinds + ", " + bytes + " bytes", target, content(bytes, bytes));
            }
        }
    }

    /** Collectives by the host's schedules: nonblocking ones always go that way. */
    private static void schedules() throws MPIException {
        for (int bytes : new int[] {1000, 100_000, (3 << 20) + 5}) {
            Object buffer = buffer(rank == 0 ? content(bytes, 3) : new byte[bytes], true);
            world.iBcast(buffer, bytes, MPI.BYTE, 0).waitFor();
            check("iBcast of " + bytes, buffer, content(bytes, 3));
            int ints = bytes / 4;
            byte[] ones = new byte[ints * 4];
            byte[] sums = new byte[ints * 4];
            ByteBuffer one = ByteBuffer.wrap(ones).order(ByteOrder.nativeOrder());
            ByteBuffer sum = ByteBuffer.wrap(sums).order(ByteOrder.nativeOrder());
            for (int i = 0; i < ints; i++) {
                one.putInt(i * 4, i + rank);
                sum.putInt(i * 4, i * size + size * (size - 1) / 2);
            }
            Object send = buffer(ones, true);
            Object recv = buffer(new byte[ints * 4], rank % 2 == 0);
            world.iAllReduce(send, recv, ints, MPI.INT, MPI.SUM).waitFor();
            check("iAllReduce of " + ints + " ints", recv, sums);
        }
    }

    /** Rank 0 goes in the middle of a message. */
    private static void dies() throws MPIException, InterruptedException {
        int bytes = 32 << 20;
        if (rank == 0) {
            world.iSend(buffer(new byte[bytes], true), bytes, MPI.BYTE, 1, 0).testStatus();
            Thread.sleep(300);
            Runtime.getRuntime().halt(9);
        }
        world.recv(buffer(new byte[bytes], true), bytes, MPI.BYTE, 0, 0);
        world.recv(buffer(new byte[bytes], true), bytes, MPI.BYTE, 0, 1);
    }
}
