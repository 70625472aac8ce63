package org.brigade.transport.sisci;

import org.brigade.device.CopyEngine;
import org.brigade.memory.NativeMemory;
import org.brigade.nativ.Sisci;
import org.brigade.nativ.SisciException;
import org.brigade.transport.sisci.AttachedMemory.Attachment;

/** A DMA queue, which carries one transfer at a time, and memory to send from for what does not lie in native memory. */
final class DmaChannel {
    private final Adapter adapter;
    private final Outbox target;
    private final long device;
    private final long queue;
    private final int stagingBytes;
    private final boolean registered;
    /** Null until first needed. */
    private Staging staging;
    private boolean pinned;

    /** @param registered whether the adapter reads registered memory; else it is told addresses */
    DmaChannel(Adapter adapter, Outbox target, int stagingBytes, boolean registered) {
        this.adapter = adapter;
        this.target = target;
        this.stagingBytes = stagingBytes;
        this.registered = registered;
        device = Sisci.open();
        try {
            queue = Sisci.createQueue(device, adapter.number);
        } catch (SisciException e) {
            Quietly.run(() -> Sisci.close(device));
            throw e;
        }
    }

    /** The memory for the next transfer's bytes. */
    NativeMemory staging() {
        if (staging == null) {
            staging = Staging.make(adapter, stagingBytes, registered);
        }
        return staging.memory;
    }

    /** As {@link #staging}, page-locked for a device's copies. */
    NativeMemory staging(CopyEngine copies) {
        NativeMemory memory = staging();
        if (!pinned) {
            pinned = true;
            copies.pin(memory);
        }
        return memory;
    }

    /** Memory that a device's copies may be told to forget; null if there is none. */
    NativeMemory pinned() {
        return pinned ? staging.memory : null;
    }

    /** Starts a transfer out of device memory. */
    void startAttached(Attachment from, long address, int targetOffset, int bytes) {
        Sisci.startDma(queue, from.segment, address - from.base, target.remote, targetOffset, bytes);
    }

    /** Starts a transfer of what has been put into {@link #staging}. */
    void startStaged(int targetOffset, int bytes) {
        if (staging.segment != 0) {
            Sisci.startDma(queue, staging.segment, 0, target.remote, targetOffset, bytes);
        } else {
            startFrom(staging.memory.address(), targetOffset, bytes);
        }
    }

    /** Starts a transfer from native memory of the caller's. */
    void startFrom(long address, int targetOffset, int bytes) {
        Sisci.startDmaFrom(queue, address, target.remote, targetOffset, bytes);
    }

    /** As {@link Sisci#queueState}. */
    int state() {
        return Sisci.queueState(queue);
    }

    /** Waits until nothing runs; the state then. */
    int await(int milliseconds) {
        int state = Sisci.queueState(queue);
        return state == Sisci.DMA_POSTED ? Sisci.awaitQueue(queue, milliseconds) : state;
    }

    void close() {
        if (await(1000) == Sisci.DMA_POSTED) {
            Sisci.abortQueue(queue);
            await(1000);
        }
        boolean gone = Quietly.run(() -> Sisci.removeQueue(queue));
        if (staging != null && gone) {
            staging.close();
        }
        Quietly.run(() -> Sisci.close(device));
    }
}
