package org.brigade.engine.node;

import java.nio.ByteBuffer;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.nativ.Libc;
import org.brigade.nativ.ProcessMemory;
import org.brigade.op.LocalCopy;
import org.brigade.select.Settings;

/** The memory of this machine. The only implementation in a running job, so the JVM compiles calls of it away. */
public final class HostAccess implements SharedAccess {
    /** Up to so many bytes are copied as words, the last one whole. */
    private static final int FEW_BYTES = 64;

    /** Null before the first copy of a rank's own. */
    private LocalCopy own;

    @Override
    public NativeMemory view(ByteBuffer shared, int at, int bytes) {
        return new NativeMemory(shared.slice(at, bytes));
    }

    @Override
    public long load(NativeMemory memory, int at) {
        return memory.getLong(at);
    }

    @Override
    public void store(NativeMemory memory, int at, long value) {
        memory.putLong(at, value);
    }

    @Override
    public void publish(NativeMemory memory, int at, long value) {
        memory.putLongRelease(at, value);
    }

    @Override
    public boolean holds(NativeMemory memory, int at, long value) {
        return memory.getLongAcquire(at) == value;
    }

    @Override
    public boolean hasReached(NativeMemory memory, int at, long least) {
        return memory.getLongAcquire(at) >= least;
    }

    @Override
    public void copyIn(Region from, long at, NativeMemory to, int place, int bytes) {
        from.read(at, to, place, bytes);
    }

    @Override
    public void copyInPast(Region from, long at, NativeMemory to, int place, int bytes) {
        if (from.streams()) {
            from.stream(at, to, place, bytes);
        } else {
            from.read(at, to, place, bytes);
        }
    }

    @Override
    public void copyOut(NativeMemory from, int place, Region to, long at, int bytes) {
        to.write(at, from, place, bytes);
    }

    @Override
    public void copyOutPast(NativeMemory from, int place, Region to, long at, int bytes) {
        to.writePast(at, from, place, bytes);
    }

    @Override
    public void copy(NativeMemory from, int at, NativeMemory to, int place, int bytes) {
        if (bytes <= FEW_BYTES && to.capacity() - place >= (bytes + Long.BYTES - 1 & -Long.BYTES)) {
            for (int word = 0; word < bytes; word += Long.BYTES) {
                to.putLong(place + word, from.getLong(at + word));
            }
        } else {
            to.bytes.put(place, from.bytes, at, bytes);
        }
    }

    @Override
    public void copyOwn(Region to, long at, Region from, long place, long bytes) {
        if (own == null) {
            own = new LocalCopy();
        }
        own.copy(to, at, from, place, bytes);
    }

    @Override
    public long address(Region buffer) {
        return buffer.address();
    }

    @Override
    public long address(NativeMemory memory) {
        return memory.address();
    }

    @Override
    public int readPeer(ProcessMemory peer, long from, long to, long bytes) {
        return peer.read(from, to, bytes);
    }

    @Override
    public boolean canStorePast() {
        return Libc.streams();
    }

    @Override
    public String storesPast() {
        return Settings.ofThisProcess().get("shm.streams");
    }
}
