package org.brigade.transport.sisci;

import mpi.spi.DeviceBuffer;
import org.brigade.device.CopyEngine;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.transport.sisci.adapter.AttachedMemory.Attachment;
import org.brigade.transport.sisci.adapter.DmaChannel;
import org.brigade.transport.sisci.adapter.Sisci;
import org.brigade.transport.sisci.adapter.SisciException;
import org.brigade.transport.staging.BounceBuffer;
import org.brigade.transport.staging.Pipeline;

/**
 * DMA to one place of a peer's. It sends a message in chunks, each on its own channel, and counts them as arrived in
 * order. DMA reads device memory itself where it can ({@link DeviceProbe}). Otherwise the device copies a chunk into
 * the channel's page-locked memory while other chunks cross the bridge. Under the connection's lock.
 */
final class DmaSender implements BounceBuffer {
    private static final long RETRY_INTERVAL = 1_000_000;
    private static final int CLOSE_MILLIS = 1000;

    /** Where the bytes go. Positions are those of the place's own. */
    interface Destination {
        /** The peer's segment, as a handle. */
        long remote();

        /** Where a position lies in the segment. */
        long place(long position);

        /** How many bytes from a position on lie in one piece. */
        int inOnePiece(long position);

        /** Whether there is no room yet up to an end. */
        boolean isShortOf(long end);

        /** Where a message may begin. */
        long next();

        /** A chunk has arrived, and all before it. */
        void arrived(long start, int bytes);

        /** Whether a transfer that failed is to be tried again while patience lasts. */
        boolean retries();
    }

    /** A chunk that a channel carries, or will carry once it has been copied out of device memory. */
    private static final class Transfer {
        DmaChannel channel;
        Object source;
        boolean staged;
        /** Whether the channel carries the chunk; if not, it is still being copied out of device memory. */
        boolean started;
        long at;
        int bytes;
        long start;
        long failedSince;
        long nextTry;
    }

    private final Bridge bridge;
    private final DeviceProbe probe;
    private final Destination destination;
    /** The size and the places of a transfer are multiples of this. */
    private final int grain;
    private final int messageGrain;
    private final Transfer[] transfers;
    private int first;
    private int running;
    /**
     * Of the message under way: the bytes given to channels, where they end in the ring, and the bytes that have
     * arrived.
     */
    private long posted;
    private long postedEnd;
    private long arrived;
    private boolean failed;
    /** For a message that goes straight from device memory; {@code straight} tells whether its next bytes do. */
    private Attachment attachment;
    private boolean straight;
    /** Copies chunks out of device memory, in the order of their transfers; null until the first. */
    private Pipeline copies;

    /** @param messageGrain chunks that DMA reads from attached memory are multiples of this */
    DmaSender(Bridge bridge, DeviceProbe probe, Destination destination, int messageGrain) {
        this.bridge = bridge;
        this.probe = probe;
        this.destination = destination;
        this.messageGrain = messageGrain;
        grain = bridge.adapter.grain;
        transfers = new Transfer[bridge.adapter.settings.channels()];
        for (int i = 0; i < transfers.length; i++) {
            transfers[i] = new Transfer();
        }
    }

    /**
     * Begins a message; false if there is no channel, or no room.
     *
     * @param from the attachment of its device memory if DMA is to read that, released at the end; else null
     */
    boolean begin(Region source, long at, long bytes, Attachment from) {
        prepare(from);
        boolean begun = false;
        try {
            begun = post(source, at, bytes);
        } finally {
            if (!begun) {
                letGo();
            }
        }
        return begun;
    }

    /** As {@link #begin}, but nothing is sent yet: {@link #goOn} does that. */
    void prepare(Attachment from) {
        attachment = from;
        straight = from != null;
        posted = 0;
        arrived = 0;
        failed = false;
        postedEnd = destination.next();
    }

    /** Continues the message; returns how many of its bytes have arrived. */
    long goOn(Region source, long at, long bytes) {
        reap(source, at);
        while (posted < bytes && !failed && post(source, at, bytes)) {
            // as many as there are channels and room for
        }
        return arrived;
    }

    /** Bytes of the message that have arrived. */
    long arrived() {
        return arrived;
    }

    /** Whether a transfer failed that is not tried again: then the message is to be {@link #cancel}led. */
    boolean hasFailed() {
        return failed;
    }

    /** Ends all transfers, so that nothing of the message arrives later; false if one cannot be stopped. */
    boolean cancel() {
        boolean stopped = true;
        if (copies != null) {
            copies.close();
            copies = null;
        }
        for (; running > 0; running--) {
            Transfer transfer = transfers[first];
            stopped &= !transfer.started || transfer.channel.stop();
            bridge.release(transfer.channel);
            transfer.source = null;
            first = (first + 1) % transfers.length;
        }
        letGo();
        return stopped;
    }

    /** Releases the attachment, when the message has ended or was not begun. */
    void letGo() {
        if (attachment != null) {
            bridge.side().attached().release(attachment);
            attachment = null;
        }
    }

    /** Starts the next chunk on a channel; false if there is no channel, or no room. */
    private boolean post(Region source, long at, long bytes) {
        int chunk =
            (int) Math.min(Math.min(bytes - posted, bridge.transferBytes()), destination.inOnePiece(postedEnd));
        if (attachment != null && chunk > messageGrain) {
            chunk &= -messageGrain; // a rest that DMA cannot read itself goes alone, through host memory
        }
        int rounded = chunk + messageGrain - 1 & -messageGrain;
        if (running == transfers.length || destination.isShortOf(postedEnd + rounded)) {
            return false;
        }
        DmaChannel channel = bridge.freeChannel();
        if (channel == null) {
            return false;
        }
        Transfer transfer = transfers[(first + running) % transfers.length];
        transfer.channel = channel;
        transfer.at = posted;
        transfer.bytes = chunk;
        transfer.start = postedEnd;
        transfer.failedSince = 0;
        transfer.started = false;
        transfer.staged = true;
        boolean begun = false;
        running++;
        try {
            CopyEngine engine = source.isDevice() ? bridge.side().copies() : null;
            if (engine == null) {
                start(transfer, source, at);
            } else if (!startFromDevice(transfer, (DeviceBuffer) source.buffer(), source.offset() + at)) {
                copy(engine, source, at, bytes);
            }
            begun = true;
        } finally {
            if (!begun) {
                running--;
                bridge.release(channel);
            }
        }
        posted += chunk;
        postedEnd += chunk;
        return true;
    }

    /** Sends from host memory. Also from device memory, waiting for the copy, if the other ways have failed. */
    private void start(Transfer transfer, Region source, long at) {
        transfer.source = source.buffer();
        transfer.started = true;
        transfer.staged = !source.isNative() || !transfer.channel.takesAddresses() || (transfer.bytes & grain - 1) != 0
            || (source.address() + at + transfer.at & grain - 1) != 0;
        if (transfer.staged) {
            source.read(at + transfer.at, transfer.channel.staging(), 0, transfer.bytes);
            startStaged(transfer);
        } else {
            transfer.channel.startFrom(source.address() + at + transfer.at, destination.remote(),
                destination.place(transfer.start), transfer.bytes);
        }
    }

    private void startStaged(Transfer transfer) {
        transfer.channel.startStaged(destination.remote(), destination.place(transfer.start),
            transfer.bytes + grain - 1 & -grain);
    }

    /** Sends straight from device memory; false if that does not work for this chunk. */
    private boolean startFromDevice(Transfer transfer, DeviceBuffer buffer, long at) {
        long address = buffer.address + at + transfer.at;
        if (!straight || !attachment.contains(address, transfer.bytes) || (transfer.bytes & grain - 1) != 0
            || (address & grain - 1) != 0) {
            return false;
        }
        try {
            transfer.channel.startAttached(attachment, address, destination.remote(), destination.place(transfer.start),
                transfer.bytes);
        } catch (SisciException e) {
            probe.failed(attachment.range.device(), e.getMessage());
            straight = false;
            return false;
        }
        transfer.source = buffer;
        transfer.started = true;
        transfer.staged = false;
        return true;
    }

    /** Makes the device copy the last chunk into its channel's memory, while other chunks cross the bridge. */
    private void copy(CopyEngine engine, Region source, long at, long bytes) {
        if (copies == null) {
            copies = new Pipeline(this, transfers.length, 0).use(engine);
        }
        if (!copies.isRunning()) {
            copies.begin(bytes, posted);
        }
        copies.read(source, at);
    }

    // ---- the channels' memory, as the pipeline sees it ----

    private Transfer last() {
        return transfers[(first + running - 1) % transfers.length];
    }

    @Override
    public int stretch(long from) {
        return running > 0 && !last().started && last().at == from ? last().bytes : 0;
    }

    @Override
    public NativeMemory memory(long from) {
        return last().channel.staging(bridge.side().copies());
    }

    @Override
    public void copied(long end) {
        for (int i = 0; i < running; i++) {
            Transfer transfer = transfers[(first + i) % transfers.length];
            if (!transfer.started && transfer.at < end) {
                transfer.started = true;
                startStaged(transfer);
            }
        }
    }

    /**
     * Starts the transfers that have been copied out of device memory; if copies failed, sends their bytes another way.
     */
    private void reapCopies(Region source, long at) {
        if (copies.isRunning()) {
            copies.read(source, at);
        }
        for (int i = 0; i < running && !copies.isRunning(); i++) {
            Transfer transfer = transfers[(first + i) % transfers.length];
            if (!transfer.started) {
                start(transfer, source, at);
            }
        }
    }

    /** Counts the finished transfers as arrived, in order. */
    private void reap(Region source, long at) {
        if (copies != null) {
            reapCopies(source, at);
        }
        while (running > 0 && transfers[first].started) {
            Transfer transfer = transfers[first];
            int state = transfer.channel.state();
            if (state == Sisci.DMA_POSTED) {
                return;
            }
            boolean done = state == Sisci.DMA_DONE || state == Sisci.DMA_IDLE;
            if (!done || !transfer.staged && transfer.source != source.buffer()) {
                if (!done && !destination.retries()) {
                    failed = true;
                } else if (done || mayRetry(transfer)) {
                    start(transfer, source, at);
                }
                return;
            }
            arrived += transfer.bytes;
            destination.arrived(transfer.start, transfer.bytes);
            bridge.release(transfer.channel);
            transfer.source = null;
            first = (first + 1) % transfers.length;
            running--;
        }
    }

    /** Whether to retry now: a link that is down may come up again, so retry now and then while patience lasts. */
    private boolean mayRetry(Transfer transfer) {
        long now = System.nanoTime();
        if (transfer.failedSince == 0) {
            transfer.failedSince = now;
        } else if (now - transfer.nextTry < 0) {
            return false;
        } else if (now - transfer.failedSince > bridge.adapter.settings.patienceNanos()) {
            bridge.fail(SisciException.of("SCIStartDmaTransfer", SisciException.TRANSFER_FAILED));
            return false;
        }
        transfer.nextTry = now + RETRY_INTERVAL;
        return true;
    }

    /** Waits until all transfers have ended, so that their memory may be freed. */
    void close() {
        if (copies != null) {
            copies.close();
        }
        for (; running > 0; running--) {
            transfers[first].channel.await(CLOSE_MILLIS);
            first = (first + 1) % transfers.length;
        }
    }
}
