package org.brigade.transport.sisci;

import java.util.Arrays;
import org.brigade.transport.sisci.adapter.Crossover;
import org.brigade.transport.sisci.adapter.DmaChannel;
import org.brigade.transport.sisci.adapter.Inbox;
import org.brigade.transport.sisci.adapter.Outbox;
import org.brigade.transport.sisci.adapter.Probe;
import org.brigade.transport.sisci.adapter.Sisci;
import org.brigade.transport.sisci.adapter.SisciException;
import org.brigade.transport.sisci.adapter.SisciSettings;
import org.brigade.transport.sisci.adapter.Teardown;

/**
 * How two ranks become connected. Both sides do the same, and neither has to be first. Each makes an inbox, tells the
 * other of it by data interrupt ({@link Hello}), and connects to the other's inbox. Then each writes a probe into the
 * other's ring, in every way that DMA can go, and the other answers which probes arrived. After that the rank may send.
 *
 * <pre>
 *   interrupt       from, to, node, segment id, ring bytes
 *   notice PROBE    checksums of the samples sent from registered memory and from an address;
 *                   {@link Probe#NOT_SENT} for a sample that was not sent
 *   notice PROBED   the ways that work: {@link Probe#REGISTERED}, {@link Probe#ADDRESSED}
 * </pre>
 *
 * <p>
 * Steps are short and never wait for the peer. A step that cannot be done yet is tried again. Only the tender calls
 * this class.
 */
final class SisciHandshake {
    private static final int PROBE = 240;
    private static final int PROBED = 241;
    private static final long HELLO_INTERVAL = 1_000_000_000;

    private final Connection connection;
    private final ConnectionOwner owner;
    private final int peer;
    private Hello theirs;
    private Inbox inbox;
    private Outbox outbox;
    private long began;
    private boolean greeted;
    private long greetedAt;
    private boolean probing;
    private long[] probe;
    private boolean probeTold;
    private boolean probeHeard;
    private long[] heardProbe;
    private int ways = -1;
    /** Why the current step cannot be done yet. */
    private SisciException last;

    SisciHandshake(Connection connection, ConnectionOwner owner) {
        this.connection = connection;
        this.owner = owner;
        this.peer = connection.peer;
    }

    /** Takes in the peer's Hello. The caller has checked its sender. */
    void heard(Hello hello) {
        if (outbox != null) {
            return; // the peer has said so before
        }
        theirs = hello;
    }

    Inbox inbox() {
        return inbox;
    }

    /** Where the peer is, for messages: {@code interrupt 3 of node 8}. */
    String where() {
        return theirs != null ? "segment 0x" + Integer.toHexString(theirs.id()) + " of node " + theirs.node()
            : "interrupt " + owner.interruptOf(peer) + " of node " + owner.nodeOf(peer);
    }

    void step() {
        long now = System.nanoTime();
        if (began == 0) {
            began = now;
        }
        try {
            if (inbox == null) {
                inbox = Inbox.make(connection.adapter, connection.adapter.settings.ringBytes());
            }
        } catch (SisciException e) {
            connection.fail("rank " + peer + " cannot be reached by SISCI: no segment for it on node "
                + connection.adapter.node + ": " + e.getMessage());
            return;
        }
        try {
            goOn(now);
        } catch (SisciException notYet) {
            last = notYet;
        }
        if (!connection.isOpen() && now - began > connection.adapter.settings.connectNanos()) {
            connection.fail(
                last != null ? last : SisciException.of("SCIConnectDataInterrupt", SisciException.NODE_NOT_RESPONDING));
        }
    }

    private void goOn(long now) {
        if (outbox == null && (!greeted || now - greetedAt > HELLO_INTERVAL)) {
            greet();
            greeted = true;
            greetedAt = now;
        }
        if (theirs == null) {
            return;
        }
        if (outbox == null) {
            try {
                outbox = Outbox.connect(connection.adapter, theirs.node(), theirs.id(), theirs.ringBytes());
            } catch (SisciException e) {
                if (e.code() == SisciException.OUT_OF_RANGE) {
                    connection.refuse("has announced an inbox with rings of " + theirs.ringBytes()
                        + " bytes, but its segment is shorter");
                    return;
                }
                throw e;
            }
            connection.attach(inbox, outbox);
        }
        if (!greeted) {
            return;
        }
        if (!probing) {
            probe = Probe.send(connection.adapter, outbox);
            probing = true;
        }
        if (!probeTold) {
            probeTold = connection.trySendNotice(PROBE, probe[0], probe[1]);
        }
        hear();
        if (probeTold && probeHeard && ways >= 0) {
            open();
        }
    }

    private void greet() {
        long device = Sisci.open();
        long interrupt = 0;
        try {
            interrupt =
                Sisci.connectInterrupt(device, owner.nodeOf(peer), connection.adapter.number,
                    owner.interruptOf(peer));
            Sisci.trigger(interrupt,
                new Hello(owner.rank(), peer, connection.adapter.node, inbox.id, inbox.ringBytes, owner.job())
                    .encode());
        } finally {
            long made = interrupt;
            if (made != 0) {
                Teardown.run(() -> Sisci.disconnectInterrupt(made));
            }
            Teardown.run(() -> Sisci.close(device));
        }
    }

    /** Takes in the peer's notices: one probe and one answer, in either order, and nothing after them. */
    private void hear() {
        SisciLaneReceiver notices = connection.notices();
        if (heardProbe != null) {
            answer();
        }
        while (!(probeHeard && ways >= 0) && heardProbe == null && notices.poll()) {
            if (notices.kind() == PROBE && notices.bytes() == 16 && !probeHeard) {
                heardProbe = new long[] {notices.word(0), notices.word(1)};
                notices.tryDiscard(Long.MAX_VALUE);
                answer();
            } else if (notices.kind() == PROBED && notices.bytes() == 16 && ways < 0
                && (notices.word(0) & ~(Probe.REGISTERED | Probe.ADDRESSED)) == 0) {
                ways = (int) notices.word(0);
                notices.tryDiscard(Long.MAX_VALUE);
            } else {
                connection.refuse("has sent notice " + notices.kind() + " of " + notices.bytes()
                    + " bytes, which is not part of a handshake");
                return;
            }
        }
    }

    private void answer() {
        if (connection.trySendNotice(PROBED, Probe.arrived(inbox, heardProbe), 0)) {
            heardProbe = null;
            probeHeard = true;
        }
    }

    private void open() {
        owner.dmaFound(peer, ways);
        DmaChannel[] channels = new DmaChannel[ways == 0 ? 0 : connection.adapter.settings.channels()];
        int made = 0;
        try {
            for (; made < channels.length; made++) {
                channels[made] =
                    new DmaChannel(connection.adapter, SisciSettings.stagingBytes(outbox.ringBytes), ways);
            }
        } catch (SisciException fewer) {
            last = fewer; // an adapter has few queues, and others may use some
        }
        DmaChannel[] all = Arrays.copyOf(channels, made);
        Crossover crossover =
            all.length == 0 ? Crossover.NEVER : Crossover.between(connection.adapter.settings.crossover(), outbox, all);
        for (DmaChannel channel : all) {
            if (!channel.stop()) { // a running transfer of the measurement would write into messages
                connection.fail(SisciException.of("SCIAbortDMAQueue", SisciException.TIMEOUT));
                return;
            }
        }
        connection.opened(all, crossover);
    }

}
