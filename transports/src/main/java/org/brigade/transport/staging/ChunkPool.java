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
    static final int CHUNK_BYTES = 512 << 10;
    private static final int PAGE = 4096;

    private Devices devices;
    private final ArrayDeque<NativeMemory> free = new ArrayDeque<>();
    private final List<NativeMemory> all = new ArrayList<>();

    /** For the devices of this process, which are sought when device memory first comes by. */
    public ChunkPool() {
        this(null);
    }

    /** @param devices others than this process's */
    public ChunkPool(Devices devices) {
        this.devices = devices;
    }

    /** Null if there is none. Starts the driver. */
    public CopyEngine copies() {
        if (devices == null) {
            devices = Parts.devices();
        }
        return devices == null ? null : devices.copies();
    }

    /** For one link and direction, so many chunks in turn: taken when first needed. */
    Chunks chunks(int count) {
        return new Chunks(count);
    }

    private NativeMemory take() {
        NativeMemory chunk = free.poll();
        if (chunk == null) {
            chunk = new NativeMemory(
                ByteBuffer.allocateDirect(CHUNK_BYTES + PAGE).alignedSlice(PAGE).slice(0, CHUNK_BYTES));
            if (copies() != null) {
                copies().pin(chunk);
            }
            all.add(chunk);
        }
        return chunk;
    }

    /** What a link has of the pool. */
    public final class Chunks {
        private final NativeMemory[] taken;

        private Chunks(int count) {
            taken = new NativeMemory[count];
        }

        /** The chunk of a piece; its content is whatever it was. */
        public NativeMemory of(long piece) {
            int place = (int) (piece % taken.length);
            if (taken[place] == null) {
                taken[place] = take();
            }
            return taken[place];
        }

        void giveBack() {
            for (int i = 0; i < taken.length; i++) {
                if (taken[i] != null) {
                    free.add(taken[i]);
                    taken[i] = null;
                }
            }
        }
    }

    /** No link uses any of it any more. */
    public void close() {
        for (NativeMemory chunk : all) {
            if (copies() != null) {
                copies().unpin(chunk);
            }
        }
        all.clear();
        free.clear();
    }
}
