package org.brigade.transport.sisci.adapter;

import java.nio.ByteBuffer;
import org.brigade.memory.NativeMemory;

/**
 * Memory of this process that a DMA reads; registered with the adapter if possible, so that transfers need no look-up.
 */
public final class Staging {
    private static final int PAGE = 4096;

    public final NativeMemory memory;
    /** 0 if the memory is not registered. */
    public final long segment;
    private final long device;

    private Staging(NativeMemory memory, long device, long segment) {
        this.memory = memory;
        this.device = device;
        this.segment = segment;
    }

    public static Staging make(Adapter adapter, int bytes, boolean registered) {
        NativeMemory memory =
            new NativeMemory(ByteBuffer.allocateDirect(bytes + 2 * PAGE).alignedSlice(PAGE).slice(0, bytes));
        if (!registered) {
            return new Staging(memory, 0, 0);
        }
        long device = Sisci.open();
        long segment = 0;
        try {
            segment =
                Sisci.createSegment(device, 0, bytes, Sisci.flag("SCI_FLAG_EMPTY") | Sisci.flag("SCI_FLAG_PRIVATE"));
            Sisci.registerMemory(memory.address(), bytes, segment);
            Sisci.prepareSegment(segment, adapter.number, Sisci.flag("SCI_FLAG_DMA_SOURCE_ONLY"));
            return new Staging(memory, device, segment);
        } catch (SisciException e) {
            long made = segment;
            if (segment != 0) {
                Teardown.run(() -> Sisci.removeSegment(made, 0));
            }
            Teardown.run(() -> Sisci.close(device));
            throw e;
        }
    }

    public void close() {
        if (segment != 0) {
            Teardown.run(() -> Sisci.removeSegment(segment, 0));
            Teardown.run(() -> Sisci.close(device));
        }
    }
}
