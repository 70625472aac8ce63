package org.brigade.engine.node;

import java.nio.ByteBuffer;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.nativ.ProcessMemory;

/**
 * All that straight-line code does to memory that other ranks see, and to the memory that it copies from and to.
 * {@link HostAccess} does it. The verifier's has no values but knows of every byte whose contribution it is, and which
 * stores a rank must have seen; it runs the same code for all ranks. Reductions go through
 * {@link org.brigade.op.Combiner}, short messages through {@link org.brigade.engine.ShortMessages}.
 *
 * <p>
 * A word lies at a multiple of 8. Words that are {@linkplain #publish published} order memory: who has found one by
 * {@link #holds} or {@link #hasReached} sees what was stored before. All else is plain. Under the lock.
 */
public interface SharedAccess {
    /** A stretch of memory that the ranks share. */
    NativeMemory view(ByteBuffer shared, int at, int bytes);

    long load(NativeMemory memory, int at);

    void store(NativeMemory memory, int at, long value);

    /** Stores a word after everything stored or read before it (store-release). */
    void publish(NativeMemory memory, int at, long value);

    /** Whether a published word is this one (load-acquire). */
    boolean holds(NativeMemory memory, int at, long value);

    /** Whether a published word that only grows has come so far (load-acquire). */
    boolean hasReached(NativeMemory memory, int at, long least);

    void copyIn(Region from, long at, NativeMemory to, int place, int bytes);

    /** As {@link #copyIn}, with stores that go past the caches where the buffer allows it. */
    void copyInPast(Region from, long at, NativeMemory to, int place, int bytes);

    void copyOut(NativeMemory from, int place, Region to, long at, int bytes);

    /** As {@link #copyOut}, with stores that go past the caches where the buffer allows it. */
    void copyOutPast(NativeMemory from, int place, Region to, long at, int bytes);

    void copy(NativeMemory from, int at, NativeMemory to, int place, int bytes);

    /** Copies between two buffers of this rank; does nothing if both are the same bytes. */
    void copyOwn(Region to, long at, Region from, long place, long bytes);

    /** Where byte 0 of a buffer outside the heap lies, for {@link #readPeer}. */
    long address(Region buffer);

    /** As {@link #address(Region)}. */
    long address(NativeMemory memory);

    /** Copies from another rank's memory to this rank's; 0, or the system's error. */
    int readPeer(ProcessMemory peer, long from, long to, long bytes);

    /** Whether stores can go past the caches. */
    boolean canStorePast();

    /** The setting shm.streams: measured, always or never. */
    String storesPast();
}
