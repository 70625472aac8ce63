package org.brigade.verify.straight;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.brigade.engine.node.SharedAccess;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.nativ.ProcessMemory;

/** Does one operation of a rank wrong: the {@code number}th of its kind. */
final class FaultyAccess implements SharedAccess {
    enum Fault {
        /** What another rank publishes is not waited for. */
        AWAIT_DROPPED,
        /** A word is published before the last copy to shared memory that it tells of. */
        PUBLISHED_EARLY,
        /** Two words that are published one after another change places. */
        TICKS_SWAPPED,
        /** A copy misses its last item. */
        COPIED_SHORT
    }

    private final SharedAccess access;
    private final Fault fault;
    private final int number;
    private final int itemBytes;
    private int count;
    /** The words that this rank publishes: it need not wait for them. */
    private final Map<NativeMemory, Set<Integer>> own = new IdentityHashMap<>();
    private Runnable delayed;
    private long owed;

    /** @param itemBytes by which a copy falls short */
    FaultyAccess(SharedAccess access, Fault fault, int number, int itemBytes) {
        this.access = access;
        this.fault = fault;
        this.number = number;
        this.itemBytes = itemBytes;
    }

    /** Whether the operation that was to be wrong has been reached. */
    boolean happened() {
        return count > number && owed == 0;
    }

    private boolean isDue(Fault which) {
        return fault == which && count++ == number;
    }

    @Override
    public NativeMemory view(ByteBuffer memory, int at, int bytes) {
        return access.view(memory, at, bytes);
    }

    @Override
    public long load(NativeMemory memory, int at) {
        return access.load(memory, at);
    }

    @Override
    public void store(NativeMemory memory, int at, long value) {
        access.store(memory, at, value);
    }

    @Override
    public void publish(NativeMemory memory, int at, long value) {
        own.computeIfAbsent(memory, key -> new HashSet<>()).add(at);
        if (owed != 0) {
            access.publish(memory, at, owed);
            owed = 0;
        } else if (isDue(Fault.TICKS_SWAPPED)) {
            owed = value;
            access.publish(memory, at, value + 1);
        } else {
            access.publish(memory, at, value);
        }
        if (delayed != null) {
            Runnable late = delayed;
            delayed = null;
            late.run();
        }
    }

    private boolean isDropped(NativeMemory memory, int at) {
        return !own.getOrDefault(memory, Set.of()).contains(at) && isDue(Fault.AWAIT_DROPPED);
    }

    @Override
    public boolean holds(NativeMemory memory, int at, long value) {
        return isDropped(memory, at) || access.holds(memory, at, value);
    }

    @Override
    public boolean hasReached(NativeMemory memory, int at, long least) {
        return isDropped(memory, at) || access.hasReached(memory, at, least);
    }

    @Override
    public void copyIn(Region from, long at, NativeMemory to, int place, int bytes) {
        if (bytes > 0 && isDue(Fault.PUBLISHED_EARLY)) {
            delayed = () -> access.copyIn(from, at, to, place, bytes);
        } else {
            access.copyIn(from, at, to, place, shortened(bytes));
        }
    }

    private int shortened(int bytes) {
        return bytes > 0 && isDue(Fault.COPIED_SHORT) ? bytes - itemBytes : bytes;
    }

    @Override
    public void copyInPast(Region from, long at, NativeMemory to, int place, int bytes) {
        access.copyInPast(from, at, to, place, bytes);
    }

    @Override
    public void copyOut(NativeMemory from, int place, Region to, long at, int bytes) {
        access.copyOut(from, place, to, at, shortened(bytes));
    }

    @Override
    public void copyOutPast(NativeMemory from, int place, Region to, long at, int bytes) {
        access.copyOutPast(from, place, to, at, bytes);
    }

    @Override
    public void copy(NativeMemory from, int at, NativeMemory to, int place, int bytes) {
        access.copy(from, at, to, place, shortened(bytes));
    }

    @Override
    public void copyOwn(Region to, long at, Region from, long place, long bytes) {
        boolean same = to.buffer() == from.buffer() && to.offset() + at == from.offset() + place;
        access.copyOwn(to, at, from, place, same ? bytes : shortened((int) bytes));
    }

    @Override
    public long address(Region buffer) {
        return access.address(buffer);
    }

    @Override
    public long address(NativeMemory memory) {
        return access.address(memory);
    }

    @Override
    public int readPeer(ProcessMemory peer, long from, long to, long bytes) {
        return access.readPeer(peer, from, to, shortened((int) bytes));
    }

    @Override
    public boolean canStorePast() {
        return access.canStorePast();
    }

    @Override
    public String storesPast() {
        return access.storesPast();
    }
}
