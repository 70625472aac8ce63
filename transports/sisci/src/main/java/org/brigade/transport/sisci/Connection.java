package org.brigade.transport.sisci;

import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.transport.FabricEnd;
import org.brigade.transport.Link;
import org.brigade.transport.sisci.adapter.Adapter;
import org.brigade.transport.sisci.adapter.Crossover;
import org.brigade.transport.sisci.adapter.DmaChannel;
import org.brigade.transport.sisci.adapter.Inbox;
import org.brigade.transport.sisci.adapter.Outbox;
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
final class Connection extends Bridge {
    private final SisciHandshake handshake;
    private final DeviceProbe probe;
    private final SisciLink[] links = new SisciLink[FabricEnd.LANES];
    private final SisciLaneSender[] senders = new SisciLaneSender[FabricEnd.LANES];
    private final SisciLaneReceiver[] receivers = new SisciLaneReceiver[FabricEnd.LANES];

    private volatile boolean wanted;
    private volatile boolean open;

    Connection(int peer, Adapter adapter, ConnectionOwner owner, SisciDeviceSide side) {
        super(peer, adapter, owner, side);
        probe = new DeviceProbe(side, owner, peer);
        for (int lane = 0; lane < links.length; lane++) {
            links[lane] = new SisciLink(this, lane);
        }
        handshake = new SisciHandshake(this, owner);
    }

    SisciLink link(int lane) {
        return links[lane];
    }

    boolean isOpen() {
        return open;
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
        return open && !isRefused() ? receivers[lane] : null;
    }

    @Override
    String where() {
        return handshake.where();
    }

    @Override
    void storeAgain(NativeMemory remote) {
        for (int lane = 0; lane < senders.length; lane++) {
            senders[lane].storeAgain();
            receivers[lane].storeAgain(remote);
        }
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
        if (!wanted || lost() != null) {
            return false;
        }
        if (!open) {
            handshake.step();
            return true;
        }
        return tendStores();
    }

    /** Both inboxes are known: the control lane works now, for the handshake. */
    synchronized void attach(Inbox mine, Outbox theirs) {
        connect(mine, theirs);
        for (int lane = 0; lane < senders.length; lane++) {
            senders[lane] = new SisciLaneSender(this, probe, lane, mine, theirs);
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
        use(made, measured);
        open = true;
    }

    // ---- end ----

    /** Whether everything accepted has arrived, or never will. */
    boolean drained() {
        return !open || isSettled();
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
        close();
    }

    /** This rank's inbox for the peer; null if there is none. */
    Inbox inbox() {
        return handshake.inbox();
    }
}
