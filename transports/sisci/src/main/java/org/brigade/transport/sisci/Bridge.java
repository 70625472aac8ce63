package org.brigade.transport.sisci;

import org.brigade.device.CopyEngine;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.transport.sisci.adapter.Adapter;
import org.brigade.transport.sisci.adapter.Crossover;
import org.brigade.transport.sisci.adapter.DmaChannel;
import org.brigade.transport.sisci.adapter.Inbox;
import org.brigade.transport.sisci.adapter.InboxDescriptor;
import org.brigade.transport.sisci.adapter.MulticastDescriptor;
import org.brigade.transport.sisci.adapter.Outbox;
import org.brigade.transport.sisci.adapter.RemoteTargets;
import org.brigade.transport.sisci.adapter.Sisci;
import org.brigade.transport.sisci.adapter.SisciException;
import org.brigade.transport.sisci.adapter.SisciSettings;

/**
 * The way over the bridge to one peer's memory, as the lanes of a {@link Connection} share it: the inboxes of both
 * sides, DMA channels, and whether what was stored has arrived. Under the lock of this object, like everything that
 * sends.
 */
abstract class Bridge implements SisciLaneReceiver.Writer, MulticastReceiver.Writer {
    private static final long REPAIR_INTERVAL = 200_000;
    private static final long EVENT_INTERVAL = 20_000_000;
    /** From about this size on, the fixed cost of a copy out of device memory hides behind that of DMA. */
    private static final long DEVICE_CROSSOVER = 32 << 10;

    final int peer;
    final Adapter adapter;
    final ConnectionOwner owner;
    private final SisciDeviceSide side;
    private DmaChannel[] channels = {};
    private boolean[] busy = {};
    private int nextChannel;
    private NativeMemory copyStaging;
    private Crossover crossover = Crossover.NEVER;
    private Inbox inbox;
    private Outbox outbox;
    private RemoteTargets targets;
    private boolean pinned;

    private volatile String lost;
    /** The peer has written an impossible value: nothing from it is believed any more. */
    private volatile boolean refused;

    private boolean dirty;
    private boolean suspended;
    private long suspendedSince;
    private long nextRepair;
    private long nextEvents;
    private final long[] acknowledged = new long[MulticastDescriptor.SLOTS];

    Bridge(int peer, Adapter adapter, ConnectionOwner owner, SisciDeviceSide side) {
        this.peer = peer;
        this.adapter = adapter;
        this.owner = owner;
        this.side = side;
    }

    /** Where the peer is, for messages, as long as its inbox is not known. */
    abstract String where();

    /** Stores again what the lanes have stored and the peer may not have. */
    abstract void storeAgain(NativeMemory remote);

    /** Both inboxes are known. */
    final void connect(Inbox mine, Outbox theirs) {
        inbox = mine;
        outbox = theirs;
        targets = new RemoteTargets(adapter, theirs.node);
    }

    /** The channels for DMA, and from which size on they are used. */
    final void use(DmaChannel[] made, Crossover measured) {
        channels = made;
        busy = new boolean[made.length];
        crossover = measured;
        nextEvents = System.nanoTime();
    }

    /** What became of the peer; null if it is not lost. */
    String lost() {
        return lost;
    }

    /** Whether nothing from the peer is believed any more. */
    final boolean isRefused() {
        return refused;
    }

    /** The peer's inbox; null while there is none. */
    Outbox outbox() {
        return outbox;
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
        owner.cannotBeWritten(peer, memory, why);
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

    // ---- failures ----

    /** The peer has written an impossible value. */
    @Override
    public void refuse(String what) {
        refused = true;
        String where = outbox == null ? where() : inbox + ", which node " + outbox.node + " writes";
        fail("rank " + peer + " " + what + ": refused (" + where + ": "
            + SisciException.describe(SisciException.OUT_OF_RANGE) + ")");
    }

    void fail(SisciException e) {
        fail("rank " + peer + " cannot be reached by SISCI: " + (outbox == null ? where() : outbox) + ": "
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

    /** Begins a sequence of stores whose arrival can be checked. */
    final void restart() {
        if (outbox.start() != Sisci.SEQUENCE_OK) {
            suspend();
        }
    }

    /** Whether anything can be sent now. */
    final boolean usable() {
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
            storeAgain(outbox.memory);
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

    // ---- upkeep and end ----

    /** Makes the tender find out whether the peer, which has long been silent, can be reached. */
    final synchronized void doubt() {
        dirty |= outbox != null;
    }

    /** Checks what has been stored; returns whether more may be due soon. */
    final synchronized boolean tendStores() {
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

    /** Whether everything stored has arrived, or never will. */
    final synchronized boolean isSettled() {
        if (lost != null || !suspended && !dirty) {
            return true;
        }
        return suspended ? repair() && !dirty : confirmed() && !suspended;
    }

    /** Releases what belongs to the peer. No lane uses it any more. */
    final void close() {
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
}
