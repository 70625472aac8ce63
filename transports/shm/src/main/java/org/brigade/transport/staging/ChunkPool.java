package org.brigade.transport.staging;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.brigade.device.CopyEngine;
import org.brigade.device.Devices;
import org.brigade.device.LocalDevices;
import org.brigade.memory.NativeMemory;

/**
 * Page-locked memory for an end's links that carry device memory. A link takes a chunk and gives it back for others to
 * use, so there are as many chunks as were ever needed at once. Under the progress lock.
 */
public final class ChunkPool {
    /** Long enough that a copy's fixed cost does not count, short enough that the other side begins soon. */
    static final int CHUNK_BYTES = 512 << 10;
    private static final int PAGE = 4096;

    private Devices devices;
    private final ArrayDeque<NativeMemory> free = new ArrayDeque<>();
    private final List<NativeMemory> all = new ArrayList<>();

    /** Uses the devices of this process, which are looked for when the first message from or to device memory comes. */
    public ChunkPool() {
        this(null);
    }

    /** @param devices used instead of this process's */
    public ChunkPool(Devices devices) {
        this.devices = devices;
    }

    /** The copy engine; null if there is none. Starts the driver. */
    public CopyEngine copies() {
        if (devices == null) {
            devices = LocalDevices.find();
        }
        return devices == null ? null : devices.copies();
    }

    /** Up to so many chunks for one link and direction, used in turn. Each is taken when first needed. */
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

    /** The chunks of one link and direction. */
    public final class Chunks {
        private final NativeMemory[] taken;

        private Chunks(int count) {
            taken = new NativeMemory[count];
        }

        /** The chunk for a piece; it may hold anything. */
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

    /** Call it when no link uses the pool any more. */
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
