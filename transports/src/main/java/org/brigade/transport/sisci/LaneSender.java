package org.brigade.transport.sisci;

import static org.brigade.transport.sisci.InboxDescriptor.*;

import mpi.spi.DeviceBuffer;
import org.brigade.device.CopyEngine;
import org.brigade.device.CopyQueue;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.nativ.Sisci;
import org.brigade.nativ.SisciException;
import org.brigade.transport.FabricEnd;
import org.brigade.transport.Link;
import org.brigade.transport.sisci.AttachedMemory.Attachment;

/**
 * The sending end of one lane: short messages as words that tell of themselves, longer ones through the ring, copied by the processor or, from the crossover on, by DMA. What was stored as words is kept until
 * the peer has freed it, as it may have to be stored again. Under the connection's lock.
 *
 * <p>Of device memory, DMA reads what it can ({@link DeviceProbe}). All else the device copies into the channels' memory, which is page-locked: one chunk while others cross the bridge.
 *
 * <p>A message that goes by DMA counts as begun by its first 16 bytes being accepted; all others are accepted when the adapter has confirmed them. A caller may go on from a copy of the message in
 * other memory: what is being sent from the old one is then sent again.
 */
final class LaneSender {
    /** The first chunk by the processor: the receiver is to start soon. They double until {@link #LARGEST_COPY}: each is confirmed by the adapter, which takes 3 us, a third of what these bytes take. */
    private static final int FIRST_COPY = 64 << 10;
    private static final int LARGEST_COPY = 256 << 10;
    private static final long RETRY_INTERVAL = 1_000_000;
    /** What a begun DMA message has accepted. */
    private static final int BEGUN = 16;

    /** A chunk that a channel carries, or will when it has come out of device memory. */
    private static final class Transfer {
        DmaChannel channel;
        Object source;
        boolean staged;
        /** A copy from the device into the channel's memory runs. */
        boolean copying;
        /** That copy has failed. */
        boolean uncopied;
        long at;
        int bytes;
        long start;
        long failedSince;
        long nextTry;
    }

    private final Connection connection;
    private final int lane;
    private final Inbox inbox;
    private final Outbox outbox;
    private final NativeMemory remote;
    private final int words;
    private final int wordMask;
    private final int wordCount;
    private final int inlineBytes;
    private final NativeMemory mirror;
    private final NativeMemory scratch;
    private final int ring;
    private final int ringMask;
    private final int messageGrain;

    private long written;
    private long wordsFreed;
    private long tail;
    private long bytesFreed;

    /** The message under way: its length, and what has been accepted of it; 0 and 0 between messages. */
    private long open;
    private long accepted;
    private boolean byDma;
    /** Of a message by DMA: what has been given to channels, and what has arrived. */
    private long posted;
    private long arrived;
    private long postedEnd;
    private int kind;
    private long key;
    private boolean told;
    private final Transfer[] transfers;
    private int first;
    private int running;

    /** Copies out of device memory, in the order of their transfers; null until the first. */
    private CopyQueue copies;
    private int copying;
    /** Of the message under way, if its bytes go straight from device memory. */
    private Attachment attachment;
    /** What a probe of device memory goes by; null while there is none. */
    private DmaChannel probing;
    private Attachment probed;
    private long probeStart;
    private long probeKey;
    private String refusedProbe;

    LaneSender(Connection connection, int lane, Inbox inbox, Outbox outbox) {
        this.connection = connection;
        this.lane = lane;
        this.inbox = inbox;
        this.outbox = outbox;
        this.remote = outbox.memory;
        this.words = InboxDescriptor.words(lane);
        this.wordCount = InboxDescriptor.wordCount(lane);
        this.wordMask = wordCount - 1;
        this.inlineBytes = InboxDescriptor.inlineBytes(lane);
        this.mirror = NativeMemory.allocate(wordCount * 8);
        this.scratch = NativeMemory.allocate(inlineBytes + 8);
        this.ring = lane == FabricEnd.CONTROL ? 0 : InboxDescriptor.ring(lane, outbox.ringBytes);
        this.ringMask = outbox.ringBytes - 1;
        this.messageGrain = Math.max(GRAIN, connection.adapter.grain);
        transfers = new Transfer[connection.adapter.settings.channels()];
        for (int i = 0; i < transfers.length; i++) {
            transfers[i] = new Transfer();
        }
    }

    // ---- messages ----

    long trySend(int messageKind, long messageKey, Region source, long at, long bytes, long sent) {
        if (probing != null && !probeSent()) {
            return Link.REFUSED;
        }
        if (bytes > inlineBytes) {
            return sent == 0 ? begin(messageKind, messageKey, source, at, bytes) : goOn(source, at, bytes, sent);
        }
        int payload = payloadWords((int) bytes);
        if (open != 0 || noWords(HEAD_WORDS + payload)) {
            return Link.REFUSED;
        }
        if (bytes > 0) {
            scratch.putLong((int) bytes - 1 & -8, 0); // so that no byte of an earlier message goes along
            source.read(at, scratch, 0, (int) bytes);
        }
        putHead(messageKind, messageKey, (int) bytes);
        for (int i = 0; i < payload; i++) {
            put(scratch.bytes.getInt(i << 2));
        }
        connection.stored();
        return bytes;
    }

    boolean trySendWords(int messageKind, long messageKey, long firstWord, long secondWord) {
        if (probing != null && !probeSent() || open != 0 || noWords(HEAD_WORDS + 4)) {
            return false;
        }
        putHead(messageKind, messageKey, 16);
        putLong(firstWord);
        putLong(secondWord);
        connection.stored();
        return true;
    }

    private long begin(int messageKind, long messageKey, Region source, long at, long bytes) {
        if (lane == FabricEnd.CONTROL) {
            throw new IllegalArgumentException("a notice of " + bytes + " bytes; " + inlineBytes + " fit");
        }
        if (open != 0 || noWords(RINGED_WORDS)) {
            return Link.REFUSED;
        }
        kind = messageKind;
        key = messageKey;
        postedEnd = tail + messageGrain - 1 & -messageGrain;
        posted = 0;
        arrived = 0;
        told = false;
        byDma = bytes >= connection.crossover(source);
        if (!byDma) {
            return copyOn(source, at, bytes, 0);
        }
        if (source.isDevice() && bytes >= DeviceSide.DIRECT_BYTES) {
            attachment = connection.probe().attachment(this, (DeviceBuffer) source.buffer());
            if (probing != null) {
                return Link.REFUSED;
            }
        }
        boolean begun = false;
        try {
            begun = post(source, at, bytes);
        } finally {
            if (!begun) {
                letGo();
            }
        }
        if (!begun) {
            return Link.REFUSED;
        }
        open = bytes;
        accepted = BEGUN;
        return BEGUN;
    }

    private long goOn(Region source, long at, long bytes, long sent) {
        if (bytes != open || sent != accepted) {
            throw new IllegalStateException("byte " + sent + " of a message of " + bytes + " bytes, while byte " + accepted + " of " + open + " is due");
        }
        if (!byDma) {
            return copyOn(source, at, bytes, sent);
        }
        reap(source, at);
        while (posted < bytes && post(source, at, bytes)) {
            // as many as there are channels and room
        }
        long now = Math.max(accepted, arrived) - accepted;
        advance(bytes, accepted + now);
        return now > 0 ? now : Link.REFUSED;
    }

    private void advance(long bytes, long total) {
        boolean ended = total == bytes;
        if (ended) {
            letGo();
        }
        open = ended ? 0 : bytes;
        accepted = ended ? 0 : total;
    }

    private void letGo() {
        if (attachment != null) {
            connection.side().attached().release(attachment);
            attachment = null;
        }
    }

    // ---- by the processor ----

    private long copyOn(Region source, long at, long bytes, long sent) {
        long share = Math.min(Math.max(FIRST_COPY, sent), Math.min(LARGEST_COPY, outbox.ringBytes / SisciSettings.CHUNKS_A_RING)) & -GRAIN;
        int chunk = (int) Math.min(Math.min(bytes - sent, share), ringMask + 1 - ((int) postedEnd & ringMask));
        if (noRoom(postedEnd + chunk)) {
            return Link.REFUSED;
        }
        int place = ring + ((int) postedEnd & ringMask);
        if (source.isNative()) {
            outbox.copy(source.address() + at + sent, place, chunk);
        } else {
            NativeMemory staging = connection.copyStaging(LARGEST_COPY);
            source.read(at + sent, staging, 0, chunk);
            outbox.copy(staging.address(), place, chunk);
        }
        if (!connection.confirmed()) {
            return Link.REFUSED; // it is copied again
        }
        long start = postedEnd;
        postedEnd += chunk;
        publish(bytes, start, chunk);
        advance(bytes, sent + chunk);
        return chunk;
    }

    /** Moves the tail to behind bytes that have arrived; tells of the message with the first. */
    private void publish(long bytes, long start, int chunk) {
        tail = start + chunk;
        remote.putLong(line(lane) + TAIL, tail);
        if (!told) {
            putHead(kind, key, RINGED);
            putLong(bytes);
            putLong(start);
            put(chunk);
            told = true;
        }
        connection.stored();
    }

    // ---- by DMA ----

    /** Starts the next chunk on a channel; false if there is no channel, or no room. */
    private boolean post(Region source, long at, long bytes) {
        int wrapped = (int) postedEnd & ringMask;
        int chunk = (int) Math.min(Math.min(bytes - posted, connection.transferBytes()), ringMask + 1 - wrapped);
        if (attachment != null && chunk > messageGrain) {
            chunk &= -messageGrain; // a rest that DMA cannot take by itself goes by way of the host, alone
        }
        int rounded = chunk + messageGrain - 1 & -messageGrain;
        if (running == transfers.length || noRoom(postedEnd + rounded)) {
            return false;
        }
        DmaChannel channel = connection.freeChannel();
        if (channel == null) {
            return false;
        }
        Transfer transfer = transfers[(first + running) % transfers.length];
        transfer.channel = channel;
        transfer.at = posted;
        transfer.bytes = chunk;
        transfer.start = postedEnd;
        transfer.failedSince = 0;
        transfer.uncopied = false;
        boolean started = false;
        try {
            if (!source.isDevice()) {
                start(transfer, source, at);
            } else if (!startFromDevice(transfer, (DeviceBuffer) source.buffer(), source.offset() + at)) {
                copy(transfer, source, at);
            }
            started = true;
        } finally {
            if (!started) {
                connection.release(channel);
            }
        }
        running++;
        posted += chunk;
        postedEnd += chunk;
        return true;
    }

    /** From host memory; from a device's too, waiting for the copy, when what was begun otherwise has failed. */
    private void start(Transfer transfer, Region source, long at) {
        transfer.source = source.buffer();
        int grain = connection.adapter.grain;
        transfer.staged = !source.isNative() || !transfer.channel.takesAddresses() || (transfer.bytes & grain - 1) != 0 || (source.address() + at + transfer.at & grain - 1) != 0;
        if (transfer.staged) {
            source.read(at + transfer.at, transfer.channel.staging(), 0, transfer.bytes);
            transfer.channel.startStaged(place(transfer), transfer.bytes + grain - 1 & -grain);
        } else {
            transfer.channel.startFrom(source.address() + at + transfer.at, place(transfer), transfer.bytes);
        }
    }

    private int place(Transfer transfer) {
        return ring + ((int) transfer.start & ringMask);
    }

    /** Straight from device memory; false if that is no way for this chunk. */
    private boolean startFromDevice(Transfer transfer, DeviceBuffer buffer, long at) {
        long address = buffer.address + at + transfer.at;
        int grain = connection.adapter.grain;
        if (attachment == null || !attachment.contains(address, transfer.bytes) || (transfer.bytes & grain - 1) != 0 || (address & grain - 1) != 0) {
            return false;
        }
        try {
            transfer.channel.startAttached(attachment, address, place(transfer), transfer.bytes);
        } catch (SisciException e) {
            connection.probe().failed(attachment.range.device(), e.getMessage());
            return false;
        }
        transfer.source = buffer;
        transfer.staged = false;
        return true;
    }

    /** Has the device copy a chunk into the channel's memory, while others cross the bridge. */
    private void copy(Transfer transfer, Region source, long at) {
        CopyEngine engine = connection.side().copies();
        if (engine == null) {
            start(transfer, source, at);
            return;
        }
        if (copies == null) {
            copies = engine.queue();
        }
        transfer.source = source.buffer();
        transfer.staged = true;
        try {
            copies.read((DeviceBuffer) source.buffer(), source.offset() + at + transfer.at, transfer.channel.staging(engine), 0, transfer.bytes);
        } catch (RuntimeException e) {
            loseCopies();
            throw e;
        }
        transfer.copying = true;
        copying++;
    }

    /** Starts the transfers whose bytes have come out of device memory. */
    private void sendCopied() {
        int still;
        try {
            still = copies.running();
        } catch (RuntimeException e) {
            loseCopies();
            throw e;
        }
        int grain = connection.adapter.grain;
        for (int i = 0; i < running && copying > still; i++) {
            Transfer transfer = transfers[(first + i) % transfers.length];
            if (transfer.copying) {
                transfer.copying = false;
                copying--;
                transfer.channel.startStaged(place(transfer), transfer.bytes + grain - 1 & -grain);
            }
        }
    }

    /** The device has failed, and no copy runs any more. */
    private void loseCopies() {
        for (Transfer transfer : transfers) {
            transfer.uncopied |= transfer.copying;
            transfer.copying = false;
        }
        copying = 0;
    }

    /** Takes in the transfers that are done, in their order. */
    private void reap(Region source, long at) {
        if (copying > 0) {
            sendCopied();
        }
        while (running > 0 && !transfers[first].copying) {
            Transfer transfer = transfers[first];
            if (transfer.uncopied) {
                start(transfer, source, at);
                transfer.uncopied = false;
            }
            int state = transfer.channel.state();
            if (state == Sisci.DMA_POSTED) {
                return;
            }
            boolean done = state == Sisci.DMA_DONE || state == Sisci.DMA_IDLE;
            if (!done || !transfer.staged && transfer.source != source.buffer()) {
                if (done || mayRetry(transfer)) {
                    start(transfer, source, at);
                }
                return;
            }
            arrived += transfer.bytes;
            publish(open, transfer.start, transfer.bytes);
            connection.release(transfer.channel);
            transfer.source = null;
            first = (first + 1) % transfers.length;
            running--;
        }
    }

    /** A link that is down may come up again: so long as there is patience, and now and then. */
    private boolean mayRetry(Transfer transfer) {
        long now = System.nanoTime();
        if (transfer.failedSince == 0) {
            transfer.failedSince = now;
        } else if (now - transfer.nextTry < 0) {
            return false;
        } else if (now - transfer.failedSince > connection.adapter.settings.patienceNanos()) {
            connection.fail(SisciException.of("SCIStartDmaTransfer", SisciException.TRANSFER_FAILED));
            return false;
        }
        transfer.nextTry = now + RETRY_INTERVAL;
        return true;
    }

    // ---- probes of device memory ----

    /** Begins to send a sample, which lies in attached memory; false if there is no room for it now. No message may be under way. */
    boolean startProbe(Attachment from, long address, int number, long checksum) {
        long start = tail + messageGrain - 1 & -messageGrain;
        if (((int) start & ringMask) + DeviceProbe.BYTES > ringMask + 1) {
            start += ringMask + 1 - ((int) start & ringMask); // in one piece
        }
        DmaChannel channel = noRoom(start + DeviceProbe.BYTES) ? null : connection.freeChannel();
        if (channel == null) {
            return false;
        }
        probing = channel;
        probed = from;
        probeStart = start;
        probeKey = (long) number << 32 | checksum;
        try {
            channel.startAttached(from, address, ring + ((int) start & ringMask), DeviceProbe.BYTES);
        } catch (SisciException e) {
            refusedProbe = e.getMessage();
        }
        return true;
    }

    /** Whether the probe under way is out of the way: the peer has been told of it, or there is nothing to be told. */
    private boolean probeSent() {
        int state = refusedProbe != null ? Sisci.DMA_ERROR : probing.state();
        if (state == Sisci.DMA_POSTED || noWords(RINGED_WORDS)) {
            return false;
        }
        boolean done = state == Sisci.DMA_DONE || state == Sisci.DMA_IDLE;
        if (done) {
            told = true; // as what follows tells of it, by another length
            publish(0, probeStart, DeviceProbe.BYTES);
            put(head(0, PROBE));
            putLong(probeKey);
            putLong(DeviceProbe.BYTES);
            putLong(probeStart);
            put(DeviceProbe.BYTES);
            connection.stored();
        }
        String failure = done ? null : refusedProbe != null ? refusedProbe : SisciException.of("SCIStartDmaTransfer", SisciException.TRANSFER_FAILED).getMessage();
        connection.release(probing);
        probing = null;
        refusedProbe = null;
        connection.probe().sent(probed, lane, failure);
        probed = null;
        return true;
    }

    /** What the peer has last said of a probe that came by a lane. */
    long probeVerdict(int ofLane) {
        return inbox.word(line(ofLane) + PROBE_VERDICT);
    }

    /** Lets the transfers run out: their memory may go. */
    void close() {
        if (copies != null) {
            copies.close();
        }
        if (probing != null) {
            probing.await(1000);
        }
        for (; running > 0; running--) {
            transfers[first].channel.await(1000);
            first = (first + 1) % transfers.length;
        }
    }

    // ---- words ----

    private void putHead(int messageKind, long messageKey, int length) {
        put(head(messageKind, length));
        putLong(messageKey);
    }

    private void putLong(long value) {
        put((int) value);
        put((int) (value >>> 32));
    }

    private void put(int data) {
        int place = (int) written & wordMask;
        long word = word(data, lap(written, wordCount));
        mirror.putLong(place << 3, word);
        remote.putLong(words + (place << 3), word);
        written++;
    }

    /** Stores all again that the peer may not have; the sequence check said so. */
    void storeAgain() {
        for (long position = wordsFreed; position < written; position++) {
            int place = ((int) position & wordMask) << 3;
            remote.putLong(words + place, mirror.getLong(place));
        }
        remote.putLong(line(lane) + TAIL, tail);
    }

    // ---- credit, as the peer reports it into this rank's inbox ----

    private boolean noWords(int needed) {
        if (written + needed - wordsFreed <= wordCount) {
            return false;
        }
        wordsFreed = credit(WORDS_FREED, wordsFreed, written, "words");
        return written + needed - wordsFreed > wordCount;
    }

    private boolean noRoom(long end) {
        if (end - bytesFreed <= ringMask + 1) {
            return false;
        }
        bytesFreed = credit(BYTES_FREED, bytesFreed, tail, "bytes");
        return end - bytesFreed > ringMask + 1;
    }

    private long credit(int which, long known, long most, String what) {
        long now = inbox.word(line(lane) + which);
        if (now < known || now > most) {
            connection.refuse("has freed " + now + " " + what + " of " + most + " on lane " + lane + ", after " + known);
            return known;
        }
        return now;
    }
}
