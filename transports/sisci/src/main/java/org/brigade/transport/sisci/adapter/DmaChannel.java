package org.brigade.transport.sisci.adapter;

import org.brigade.device.CopyEngine;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.sisci.adapter.AttachedMemory.Attachment;

/**
 * A DMA queue, which carries one transfer at a time, and its staging memory for data that does not lie in native
 * memory.
 */
public final class DmaChannel {
    private static final int STOP_MILLIS = 1000;

    private final Adapter adapter;
    private final long device;
    private final long queue;
    private final int stagingBytes;
    private final int ways;
    /** Null until first needed. */
    private Staging staging;
    private boolean pinned;

    /** @param ways the ways of DMA that work: {@link Probe#REGISTERED}, {@link Probe#ADDRESSED}, or both */
    public DmaChannel(Adapter adapter, int stagingBytes, int ways) {
        this.adapter = adapter;
        this.stagingBytes = stagingBytes;
        this.ways = ways;
        device = Sisci.open();
        try {
            queue = Sisci.createQueue(device, adapter.number);
        } catch (SisciException e) {
            Teardown.run(() -> Sisci.close(device));
            throw e;
        }
    }

    /** The memory for the next transfer's bytes. */
    public NativeMemory staging() {
        if (staging == null) {
            staging = makeStaging();
        }
        return staging.memory;
    }

    /** As {@link #staging}, page-locked for a device's copies. */
    public NativeMemory staging(CopyEngine copies) {
        NativeMemory memory = staging();
        if (!pinned) {
            pinned = true;
            copies.pin(memory);
        }
        return memory;
    }

    /** Staging memory that has been page-locked, so that it can be unlocked; null if there is none. */
    public NativeMemory pinned() {
        return pinned ? staging.memory : null;
    }

    /** Starts a transfer out of device memory into a peer's segment. */
    public void startAttached(Attachment from, long address, long remote, long at, int bytes) {
        Sisci.startDma(queue, from.segment, address - from.base, remote, at, bytes);
    }

    /** A host registers a limited amount of memory. Beyond that the adapter gets addresses, if it takes any. */
    private Staging makeStaging() {
        if ((ways & Probe.REGISTERED) == 0) {
            return Staging.make(adapter, stagingBytes, false);
        }
        try {
            return Staging.make(adapter, stagingBytes, true);
        } catch (SisciException e) {
            if (!takesAddresses()) {
                throw e;
            }
            return Staging.make(adapter, stagingBytes, false);
        }
    }

    /** Whether {@link #startFrom} moves anything. */
    public boolean takesAddresses() {
        return (ways & Probe.ADDRESSED) != 0;
    }

    /** Starts a transfer of the data in {@link #staging}. */
    public void startStaged(long remote, long at, int bytes) {
        if (staging.segment != 0) {
            Sisci.startDma(queue, staging.segment, 0, remote, at, bytes);
        } else {
            startFrom(staging.memory.address(), remote, at, bytes);
        }
    }

    /** Starts a transfer from the caller's native memory. */
    public void startFrom(long address, long remote, long at, int bytes) {
        Sisci.startDmaFrom(queue, address, remote, at, bytes);
    }

    /** See {@link Sisci#queueState}. */
    public int state() {
        return Sisci.queueState(queue);
    }

    /** Waits until no transfer runs; returns the state then. */
    public int await(int milliseconds) {
        int state = Sisci.queueState(queue);
        return state == Sisci.DMA_POSTED ? Sisci.awaitQueue(queue, milliseconds) : state;
    }

    /** Stops the running transfer, so that nothing of it arrives later. False if it cannot be stopped. */
    public boolean stop() {
        if (await(STOP_MILLIS) == Sisci.DMA_POSTED) {
            Sisci.abortQueue(queue);
        }
        return await(STOP_MILLIS) != Sisci.DMA_POSTED;
    }

    public void close() {
        stop();
        boolean gone = Teardown.run(() -> Sisci.removeQueue(queue));
        if (staging != null && gone) {
            staging.close();
        }
        Teardown.run(() -> Sisci.close(device));
    }
}
