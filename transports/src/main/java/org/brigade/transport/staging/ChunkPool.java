package org.brigade.transport.staging;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.brigade.assembly.Parts;
import org.brigade.device.CopyEngine;
import org.brigade.device.Devices;
import org.brigade.memory.NativeMemory;

/**
 * Page-locked memory for the links of an end that stand in front of others: a chunk belongs to whoever took it, and is
 * used again afterwards, so that there are as many as were ever needed at once. Under the progress lock.
 */
public final class ChunkPool {
    /**
     * Long enough that what a copy costs beside its bytes does not count, short enough that the other side soon begins.
     */
    public static final int CHUNK_BYTES = 512 << 10;
    private static final int PAGE = 4096;

    private final Devices given;
    private final ArrayDeque<NativeMemory> free = new ArrayDeque<>();
    private final List<NativeMemory> all = new ArrayList<>();
    private CopyEngine copies;
    private boolean sought;

    /** For the devices of this process, which are sought when device memory first comes by. */
    public ChunkPool() {
        this(null);
    }

    /** @param devices others than this process's */
    public ChunkPool(Devices devices) {
        given = devices;
    }

    /** Null if there is none. Starts the driver. */
    public CopyEngine copies() {
        if (!sought) {
            sought = true;
            Devices devices = given != null ? given : Parts.devices();
            copies = devices == null ? null : devices.copies();
        }
        return copies;
    }

    /** A chunk; its content is whatever it was. */
    public NativeMemory take() {
        NativeMemory chunk = free.poll();
        if (chunk == null) {
            chunk = new NativeMemory(
                ByteBuffer.allocateDirect(CHUNK_BYTES + PAGE).alignedSlice(PAGE).slice(0, CHUNK_BYTES));
            if (copies() != null) {
                copies.pin(chunk);
            }
            all.add(chunk);
        }
        return chunk;
    }

    /** Takes one back. */
    public void give(NativeMemory chunk) {
        free.add(chunk);
    }

    /** No link uses any of it any more. */
    public void close() {
        for (NativeMemory chunk : all) {
            if (copies != null) {
                copies.unpin(chunk);
            }
        }
        all.clear();
        free.clear();
    }
}
