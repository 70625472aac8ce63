package org.brigade.launch.window;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import mpi.Datatype;
import mpi.Group;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Win;

/** Windows of every flavour in a real job of any number of ranks and nodes. */
final class WindowProgram {
    private static final int ROUNDS = 1000;
    private static final int LONGS = 50_000;

    private WindowProgram() {
    }

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        Intracomm world = MPI.COMM_WORLD;
        counters(new Win(MPI.newLongBuffer(4), 4, 1, MPI.INFO_NULL, world));
        counters(new Win(outside(4), 4, 1, MPI.INFO_NULL, world));
        counters(new Win(4, 1, MPI.INFO_NULL, world, MPI.newLongBuffer(0), Win.FLAVOR_PRIVATE));
        Intracomm node = world.splitType(mpi.Comm.TYPE_SHARED, 0, MPI.INFO_NULL);
        shared(node, new Win(4, 1, MPI.INFO_NULL, node, MPI.newLongBuffer(0), Win.FLAVOR_SHARED));
        Win dynamic = new Win(MPI.INFO_NULL, world);
        LongBuffer attached = MPI.newLongBuffer(4);
        dynamic.attach(attached, 4);
        world.barrier();
        dynamic.lockAll(0);
        dynamic.accumulate(longs(1), 1, MPI.LONG, 0, 8, 1, MPI.LONG, MPI.SUM);
        dynamic.unlockAll();
        world.barrier();
        require(world.getRank() != 0 || attached.get(1) == world.getSize(), "the sum is " + attached.get(1));
        dynamic.free();
        large(MPI.newLongBuffer(LONGS), true);
        large(outside(LONGS), true);
        large(MPI.newLongBuffer(0), false);
        passive();
        for (int i = 0; i < 50; i++) {
            new Win(1 << 18, 1, MPI.INFO_NULL, world, MPI.newLongBuffer(0), Win.FLAVOR_PRIVATE).free();
        }
        int keyval = Win.createKeyval();
        Win named = new Win(MPI.INFO_NULL, world);
        named.setAttr(keyval, "a value");
        require("a value".equals(named.getAttr(keyval)), "the attribute");
        named.deleteAttr(keyval);
        require(named.getAttr(keyval) == null, "the deleted attribute");
        Win.freeKeyval(keyval);
        MPI.Finalize(); // with a window that was not freed
        System.out.println("rank " + world.Rank() + ": windows are right");
    }

    /** Memory that no other rank can map. */
    private static LongBuffer outside(int longs) {
        return ByteBuffer.allocateDirect(longs * Long.BYTES).order(ByteOrder.nativeOrder()).asLongBuffer();
    }

    private static LongBuffer longs(long value) {
        return MPI.newLongBuffer(1).put(0, value);
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    private static void counters(Win win) throws Exception {
        int rank = MPI.COMM_WORLD.getRank();
        int size = MPI.COMM_WORLD.getSize();
        LongBuffer one = longs(1);
        LongBuffer old = longs(0);
        win.lockAll(0);
        for (int i = 0; i < ROUNDS; i++) {
            win.fetchAndOp(one, old, MPI.LONG, 0, 0, MPI.SUM);
            win.flush(0);
        }
        win.unlockAll();
        for (int i = 0; i < ROUNDS / 4; i++) {
            win.lock(MPI.LOCK_EXCLUSIVE, 0, 0);
            win.get(old, 1, MPI.LONG, 0, 1, 1, MPI.LONG);
            win.flush(0);
            win.put(longs(old.get(0) + 1), 1, MPI.LONG, 0, 1, 1, MPI.LONG);
            win.unlock(0);
        }
        MPI.COMM_WORLD.barrier();
        LongBuffer found = MPI.newLongBuffer(2);
        win.lock(MPI.LOCK_SHARED, 0, 0);
        win.get(found, 2, MPI.LONG, 0, 0, 2, MPI.LONG);
        win.unlock(0);
        require(found.get(0) == (long) ROUNDS * size && found.get(1) == (long) ROUNDS / 4 * size,
            "the counters are " + found.get(0) + " and " + found.get(1));
        Group all = win.getGroup();
        Group next = all.incl(new int[] {(rank + 1) % size});
        Group before = all.incl(new int[] {(rank + size - 1) % size});
        for (int i = 0; i < 50; i++) {
            win.post(before, 0);
            win.start(next, 0);
            win.put(longs(i), 1, MPI.LONG, (rank + 1) % size, 2, 1, MPI.LONG);
            win.complete();
            win.waitFor();
            win.lock(MPI.LOCK_SHARED, rank, 0);
            win.get(old, 1, MPI.LONG, rank, 2, 1, MPI.LONG);
            win.unlock(rank);
            require(old.get(0) == i, "put " + i + " brought " + old.get(0));
        }
        win.free();
    }

    private static void shared(Intracomm node, Win win) throws Exception {
        int rank = node.getRank();
        win.sharedQuery(rank).putLong(0, 100 + rank);
        win.sync();
        node.barrier();
        win.sync();
        for (int each = 0; each < node.getSize(); each++) {
            require(win.sharedQuery(each).getLong(0) == 100 + each, "the memory of rank " + each);
        }
        node.barrier();
        win.free();
    }

    /** A column into every second long, and back. */
    private static void large(Buffer memory, boolean own) throws Exception {
        Intracomm world = MPI.COMM_WORLD;
        int next = (world.getRank() + 1) % world.getSize();
        Win win = own ? new Win(memory, LONGS, 1, MPI.INFO_NULL, world)
            : new Win(LONGS, 1, MPI.INFO_NULL, world, memory, Win.FLAVOR_PRIVATE);
        LongBuffer data = MPI.newLongBuffer(LONGS);
        for (int i = 0; i < LONGS; i++) {
            data.put(i, i * (world.getRank() + 1L));
        }
        LongBuffer back = MPI.newLongBuffer(LONGS / 2);
        Datatype second = Datatype.createVector(LONGS / 2, 1, 2, MPI.LONG);
        second.commit();
        win.fence(0);
        win.put(data, LONGS, MPI.LONG, next, 0, LONGS, MPI.LONG);
        win.fence(0);
        win.accumulate(data, LONGS / 2, MPI.LONG, next, 0, 1, second, MPI.SUM);
        win.fence(0);
        win.get(back, LONGS / 2, MPI.LONG, next, 0, 1, second);
        win.fence(0);
        for (int i = 0; i < LONGS / 2; i++) {
            require(back.get(i) == 3L * i * (world.getRank() + 1), "long " + i + " is " + back.get(i));
        }
        win.free();
    }

    /** Rank 0 only looks at its memory. */
    private static void passive() throws Exception {
        Intracomm world = MPI.COMM_WORLD;
        ByteBuffer memory = MPI.newByteBuffer(64);
        Win win = new Win(memory, 64, 1, MPI.INFO_NULL, world);
        if (world.getRank() == 0) {
            for (int each = 1; each < world.getSize(); each++) {
                while (memory.get(each) == 0) {
                    Thread.onSpinWait();
                }
            }
        } else {
            win.lock(MPI.LOCK_SHARED, 0, 0);
            win.put(MPI.newByteBuffer(1).put(0, (byte) 1), 1, MPI.BYTE, 0, world.getRank(), 1, MPI.BYTE);
            win.unlock(0);
        }
        win.free();
    }
}
