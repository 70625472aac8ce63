package org.brigade.transport.sisci;

import org.brigade.device.CopyEngine;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.transport.FabricEnd;
import org.brigade.transport.Link;
import org.brigade.transport.sisci.adapter.Adapter;
import org.brigade.transport.sisci.adapter.Inbox;
import org.brigade.transport.sisci.adapter.InboxDescriptor;
import org.brigade.transport.sisci.adapter.MulticastDescriptor;
import org.brigade.transport.sisci.adapter.Outbox;
import org.brigade.transport.sisci.adapter.RemoteTargets;
import org.brigade.transport.sisci.adapter.Sisci;
import org.brigade.transport.sisci.adapter.SisciException;
import org.brigade.transport.sisci.adapter.SisciSettings;

/**
 * The connection between this rank and one peer: an inbox on each side, three lanes in both directions, and some DMA
 * channels that the lanes share. The tender of either side makes it when it is first used.
 *
 * <p>
 * Stores over the bridge may get lost, and the adapter reports a loss only when asked (a sequence check, some 3 us). A
 * check would treble the time of words that carry their own lap number, so the sender does not check them at once. The
 * tender checks later, and stores again whatever the peer has not freed. All other data is confirmed before the peer
 * hears of it. If a link is down, the connection waits for it ({@link SisciSettings#patienceNanos}). The peer is lost
 * when that time is over, when its segment is gone, or when it has written an impossible value. Then nothing more is
 * sent, but what came whole before can still be taken.
 */
final class Connection implements SisciLaneReceiver.Writer, MulticastReceiver.Writer {
    private static final long REPAIR_INTERVAL = 200_000;
    private static final long EVENT_INTERVAL = 20_000_000;
    /** From about this size on, the fixed cost of a copy out of device memory hides behind that of DMA. */
    private static final long DEVICE_CROSSOVER = 32 << 10;

    final int peer;
    final Adapter adapter;
    private final SisciHandshake handshake;
    private final SisciDeviceSide side;
    private final SisciHandshake.Party membership;
    private final DeviceProbe probe;
    private final SisciLink[] links = new SisciLink[FabricEnd.LANES];
    private final SisciLaneSender[] senders = new SisciLaneSender[FabricEnd.LANES];
    private final SisciLaneReceiver[] receivers = new SisciLaneReceiver[FabricEnd.LANES];
    private DmaChannel[] channels = {};
    private boolean[] busy = {};
    private int nextChannel;
    private NativeMemory copyStaging;
    private Crossover crossover = Crossover.NEVER;
    private Inbox inbox;
    private Outbox outbox;
    private RemoteTargets targets;
    private boolean pinned;

    private volatile boolean wanted;
    private volatile boolean open;
    private volatile String lost;
    /** The peer has written an impossible value: nothing from it is believed any more. */
    private volatile boolean refused;

    // Under the lock of this object, like everything that sends.
    private boolean dirty;
    private boolean suspended;
    private long suspendedSince;
    private long nextRepair;
    private long nextEvents;
    private final long[] acknowledged = new long[MulticastDescriptor.SLOTS];

    Connection(int peer, Adapter adapter, SisciHandshake.Party membership, SisciDeviceSide side) {
        this.peer = peer;
        this.adapter = adapter;
        this.side = side;
        this.membership = membership;
        probe = new DeviceProbe(side, membership, peer);
        for (int lane = 0; lane < links.length; lane++) {
            links[lane] = new SisciLink(this, lane);
        }
        handshake = new SisciHandshake(this, membership);
    }

    SisciLink link(int lane) {
        return links[lane];
    }

    boolean isOpen() {
        return open;
    }

    /** What became of the peer; null if it is not lost. */
    String lost() {
        return lost;
    }

    // ---- the links' calls ----

    long trySend(int lane, int kind, long key, Region source, long at, long bytes, long sent) {
        if (!open) {
            wanted = true;
            return Link.REFUSED;
        }
        synchronized (this) {
            try {
                return usable() ? senders[lane].trySend(kind, key, source, at, bytes, sent) : Link.REFUSED;
            } catch (SisciException e) {
                fail(e);
                return Link.REFUSED;
            }
        }
    }

    boolean trySendWords(int lane, int kind, long key, long first, long second) {
        if (!open) {
            wanted = true;
            return false;
        }
        synchronized (this) {
            return usable() && senders[lane].trySendWords(kind, key, first, second);
        }
    }

    /** The receiving end of a lane; null while nothing can be received. */
    SisciLaneReceiver receiver(int lane) {
        return open && !refused ? receivers[lane] : null;
    }

    // ---- what the lanes need; under the lock ----

    /**
     * The message size from which on DMA is used. It is smaller for device memory, because the processor would have to
     * wait for each piece of a message there.
     */
    long crossover(Region source) {
        return source.isDevice()
            ? Math.min(crossover.bytes(), Math.max(DEVICE_CROSSOVER, InboxDescriptor.INLINE_BYTES + 1))
            : crossover.bytes();
    }

    /** The longest transfer of a channel. */
    int transferBytes() {
        return Math.min(crossover.transfer(), SisciSettings.stagingBytes(outbox.ringBytes));
    }

    @Override
    public SisciDeviceSide side() {
        return side;
    }

    /** The peer's segments that DMA writes on its request. */
    RemoteTargets targets() {
        return targets;
    }

    @Override
    public boolean checksums() {
        return adapter.settings.checksum();
    }

    @Override
    public void cannotBeWritten(String memory, String why) {
        membership.cannotBeWritten(peer, memory, why);
    }

    DeviceProbe probe() {
        return probe;
    }

    @Override
    public CopyEngine copies() {
        CopyEngine engine = side.copies();
        if (engine != null && !pinned) {
            pinned = true;
            engine.pin(inbox.memory);
        }
        return engine;
    }

    /** Call it after words have been stored. */
    void stored() {
        outbox.flush();
        dirty = true;
    }

    /** Whether everything stored so far has arrived. If not, it is stored again before anything else. */
    boolean confirmed() {
        if (outbox.check() != Sisci.SEQUENCE_OK) {
            suspend();
            return false;
        }
        dirty = false;
        restart();
        return true;
    }

    /** An idle channel, in turn; null if there is none. It is the caller's until {@link #release}. */
    DmaChannel freeChannel() {
        for (int i = 0; i < channels.length; i++) {
            int channel = (nextChannel + i) % channels.length;
            if (!busy[channel]) {
                busy[channel] = true;
                nextChannel = (channel + 1) % channels.length;
                return channels[channel];
            }
        }
        return null;
    }

    void release(DmaChannel channel) {
        for (int i = 0; i < channels.length; i++) {
            if (channels[i] == channel) {
                busy[i] = false;
            }
        }
    }

    /** Memory for data that the processor copies and that does not lie in native memory. */
    NativeMemory copyStaging(int bytes) {
        if (copyStaging == null) {
            copyStaging = NativeMemory.allocate(bytes);
        }
        return copyStaging;
    }

    /** Tells the peer how much of its stream has been consumed. Takes the lock. */
    @Override
    public synchronized void report(int place, long value) {
        if (outbox != null && lost == null && !suspended) {
            outbox.memory.putLong(place, value);
            stored();
        }
    }

    @Override
    public synchronized void report(int place, long[] values) {
        if (outbox != null && lost == null && !suspended) {
            for (int i = 0; i < values.length; i++) {
                outbox.memory.putLong(place + (i << 3), values[i]);
            }
            stored();
        }
    }

    /** Takes the lock. */
    @Override
    public synchronized void acknowledge(int slot, long value) {
        acknowledged[slot] = value;
        report(MulticastDescriptor.acknowledged(slot), value);
    }

    /** How much the peer has consumed of this rank's multicast; 0 before there is any. */
    long acknowledgedBy(int slot) {
        return inbox == null ? 0 : inbox.word(MulticastDescriptor.acknowledged(slot));
    }

    /** Makes the tender find out whether the peer, which has long been silent, can be reached. */
    synchronized void doubt() {
        dirty |= open;
    }

    // ---- failures ----

    /** The peer has written an impossible value. */
    @Override
    public void refuse(String what) {
        refused = true;
        String where = outbox == null ? handshake.where() : inbox + ", which node " + outbox.node + " writes";
        fail("rank " + peer + " " + what + ": refused (" + where + ": "
            + SisciException.describe(SisciException.OUT_OF_RANGE) + ")");
    }

    void fail(SisciException e) {
        fail("rank " + peer + " cannot be reached by SISCI: " + (outbox == null ? handshake.where() : outbox) + ": "
            + e.getMessage());
    }

    void fail(String sentence) {
        if (lost == null) {
            lost = sentence;
        }
    }

    private void suspend() {
        suspended = true;
        suspendedSince = System.nanoTime();
        nextRepair = suspendedSince;
    }

    private void restart() {
        if (outbox.start() != Sisci.SEQUENCE_OK) {
            suspend();
        }
    }

    private boolean usable() {
        return lost == null && (!suspended || repair());
    }

    /** Stores again everything that the peer may not have; returns whether the connection works again. */
    private boolean repair() {
        long now = System.nanoTime();
        if (now - nextRepair < 0) {
            return false;
        }
        nextRepair = now + REPAIR_INTERVAL;
        int status = outbox.start();
        if (status == Sisci.SEQUENCE_OK) {
            for (int lane = 0; lane < senders.length; lane++) {
                senders[lane].storeAgain();
                receivers[lane].storeAgain(outbox.memory);
            }
            for (int slot = 0; slot < acknowledged.length; slot++) {
                outbox.memory.putLong(MulticastDescriptor.acknowledged(slot), acknowledged[slot]);
            }
            outbox.flush();
            status = outbox.check();
            if (status == Sisci.SEQUENCE_OK) {
                suspended = false;
                dirty = false;
                restart();
                return !suspended;
            }
        }
        if (status == Sisci.SEQUENCE_NOT_RETRIABLE && outbox.isLost()) {
            fail(SisciException.of("SCICheckSequence", SisciException.SEGMENT_NOT_CONNECTED));
        } else if (now - suspendedSince > adapter.settings.patienceNanos()) {
            fail(SisciException.of("SCICheckSequence", status == Sisci.SEQUENCE_NOT_RETRIABLE
                ? SisciException.NO_LINK_ACCESS : SisciException.TRANSFER_FAILED));
        }
        return false;
    }

    // ---- opening and upkeep, by the tender ----

    /** Asks the tender to make the connection. Any thread may call this. */
    void want() {
        wanted = true;
    }

    void heard(Hello hello) {
        wanted = true;
        handshake.heard(hello);
        if (!open && hello.complaint() != null) {
            refuse(hello.complaint());
        }
    }

    /** Does what is due; returns whether more may be due soon. */
    boolean tend() {
        if (!wanted || lost != null) {
            return false;
        }
        if (!open) {
            handshake.step();
            return true;
        }
        synchronized (this) {
            long now = System.nanoTime();
            if (suspended) {
                repair();
            } else if (dirty) {
                confirmed();
            }
            if (now - nextEvents > 0 && lost == null) {
                nextEvents = now + EVENT_INTERVAL;
                if (outbox.isLost()) {
                    fail(SisciException.of("SCIWaitForRemoteSegmentEvent", SisciException.SEGMENT_NOT_CONNECTED));
                }
            }
            return suspended;
        }
    }

    /** Both inboxes are known: the control lane works now, for the handshake. */
    synchronized void attach(Inbox mine, Outbox theirs) {
        inbox = mine;
        outbox = theirs;
        targets = new RemoteTargets(adapter, theirs.node);
        for (int lane = 0; lane < senders.length; lane++) {
            senders[lane] = new SisciLaneSender(this, lane, mine, theirs);
            receivers[lane] = new SisciLaneReceiver(this, lane, mine.memory, mine.ringBytes);
        }
        restart();
    }

    /** For the handshake. */
    SisciLaneReceiver notices() {
        return receivers[FabricEnd.CONTROL];
    }

    /** For the handshake. */
    synchronized boolean trySendNotice(int kind, long first, long second) {
        return usable() && senders[FabricEnd.CONTROL].trySendWords(kind, 0, first, second);
    }

    /** The handshake is done. */
    synchronized void opened(DmaChannel[] made, Crossover measured) {
        channels = made;
        busy = new boolean[made.length];
        crossover = measured;
        nextEvents = System.nanoTime();
        open = true;
    }

    // ---- end ----

    /** Whether everything accepted has arrived, or never will. */
    synchronized boolean drained() {
        if (!open || lost != null || !suspended && !dirty) {
            return true;
        }
        return suspended ? repair() && !dirty : confirmed() && !suspended;
    }

    /** Releases what belongs to the peer. */
    synchronized void closeOut() {
        open = false;
        fail("rank " + peer + ": this rank has finalized");
        for (SisciLaneSender sender : senders) {
            if (sender != null) {
                sender.close();
            }
        }
        for (SisciLaneReceiver receiver : receivers) {
            if (receiver != null) {
                receiver.close();
            }
        }
        for (DmaChannel channel : channels) {
            NativeMemory staging = channel.pinned();
            channel.close();
            if (staging != null) {
                side.copies().unpin(staging);
            }
        }
        if (pinned) {
            side.copies().unpin(inbox.memory);
        }
        if (outbox != null) {
            targets.close();
            outbox.close();
        }
    }

    /** The peer's inbox; null while there is none. */
    Outbox outbox() {
        return outbox;
    }

    /** This rank's inbox for the peer; null if there is none. */
    Inbox inbox() {
        return inbox != null ? inbox : handshake.inbox();
    }
}
