package org.brigade.transport.sisci;

import java.nio.ByteBuffer;
import org.brigade.device.Devices;
import org.brigade.transport.FabricEnd;
import org.brigade.transport.Link;
import org.brigade.transport.Multicasts;
import org.brigade.transport.sisci.adapter.Adapter;
import org.brigade.transport.sisci.adapter.NodeVoice;
import org.brigade.transport.sisci.adapter.Probe;
import org.brigade.transport.sisci.adapter.Sisci;
import org.brigade.transport.sisci.adapter.SisciException;
import org.brigade.transport.sisci.adapter.Teardown;

/**
 * A rank's end of a SISCI fabric. It has an interrupt by which other ranks introduce themselves, a connection to each
 * peer that is used, and a thread, the tender. The tender makes connections and checks stores that nobody has checked.
 * Only threads that wait for messages move them, never the tender.
 */
final class SisciEnd implements FabricEnd, ConnectionOwner {
    private static final int ADDRESS_BYTES = 20;
    private static final int BUSY_MILLIS = 1;
    private static final int IDLE_MILLIS = 5;
    private static final long DRAIN_NANOS = 2_000_000_000;

    private final Adapter adapter;
    private final int rank;
    private final long job;
    private final NodeVoice voice;
    private final long device;
    private final long interrupt;
    private final int interruptNumber;
    private final Thread tender = new Thread(this::tend, "brigade-sisci");
    private int[] nodes;
    private int[] interrupts;
    private Connection[] connections;
    private SisciMulticasts multicasts;
    private volatile boolean ending;
    /** Why no peer is reached any more; null: they are. */
    private volatile String broken;
    private final NodeVoice deviceVoice;
    private final SisciDeviceSide side;

    /** Thrown if ranks are on several machines: the software library joins processes of one machine only. */
    static final class UnreachableException extends RuntimeException {
        private static final long serialVersionUID = 1;

        UnreachableException(int peer) {
            super("the software libsisci (BRIGADE_SISCI=emulated) joins processes of one machine only, but rank " + peer
                + " has another /dev/shm than this rank, another PID namespace or another"
                + " BRIGADE_SISCI_FABRIC; between hosts use the host's MPI (unset BRIGADE_SISCI, or"
                + " -Dbrigade.fabric=mpi) or real adapters");
        }
    }

    private SisciEnd(Adapter adapter, int rank, long job, Devices devices) {
        this.adapter = adapter;
        side = new SisciDeviceSide(adapter, devices);
        this.rank = rank;
        this.job = job;
        voice = new NodeVoice(job);
        deviceVoice = new NodeVoice(job + 1);
        device = Sisci.open();
        try {
            interrupt = Sisci.createInterrupt(device, adapter.number);
            interruptNumber = Sisci.interruptNumber();
        } catch (SisciException e) {
            Teardown.run(() -> Sisci.close(device));
            throw e;
        }
    }

    /** Makes a rank reachable. */
    static SisciEnd listen(Adapter adapter, int rank, long job) {
        return new SisciEnd(adapter, rank, job, null);
    }

    /** As above, with devices other than this process's. */
    static SisciEnd listen(Adapter adapter, int rank, long job, Devices devices) {
        return new SisciEnd(adapter, rank, job, devices);
    }

    /** The address that the other ranks need for {@link #begin}. */
    byte[] address() {
        return ByteBuffer.allocate(ADDRESS_BYTES).putInt(adapter.node).putInt(interruptNumber).putInt(adapter.groups)
            .putLong(Sisci.place()).array();
    }

    /**
     * Begins to serve.
     *
     * @param addresses by rank
     * @throws IllegalArgumentException if the address of a rank is malformed
     * @throws UnreachableException if the software library cannot join this rank and another
     */
    void begin(byte[][] addresses) {
        long place = Sisci.place();
        nodes = new int[addresses.length];
        interrupts = new int[addresses.length];
        connections = new Connection[addresses.length];
        int groups = adapter.groups;
        for (int peer = 0; peer < addresses.length; peer++) {
            if (addresses[peer].length != ADDRESS_BYTES) {
                throw new IllegalArgumentException("rank " + peer + " has another version of Brigade's SISCI fabric");
            }
            ByteBuffer address = ByteBuffer.wrap(addresses[peer]);
            nodes[peer] = address.getInt();
            interrupts[peer] = address.getInt();
            groups = Math.min(groups, address.getInt());
            if (address.getLong() != place) {
                throw new UnreachableException(peer);
            }
            connections[peer] = new Connection(peer, adapter, this, side);
        }
        multicasts = new SisciMulticasts(adapter, connections, groups);
        tender.setDaemon(true);
        tender.start();
    }

    // ---- links ----

    @Override
    public Link link(int peer, int lane) {
        return connections[peer].link(lane);
    }

    @Override
    public int met() {
        return connections.length;
    }

    @Override
    public int met(int number) {
        return number;
    }

    @Override
    public boolean isConnected(int peer) {
        return connections[peer].isOpen();
    }

    @Override
    public String lost(int peer) {
        return broken != null ? broken : connections[peer].lost();
    }

    @Override
    public Multicasts multicasts() {
        return multicasts.groups() > 0 ? multicasts : null;
    }

    Connection connection(int peer) {
        return connections[peer];
    }

    // ---- the tender ----

    private void tend() {
        try {
            tendUntilEnd();
        } catch (RuntimeException | Error e) {
            broken = "this rank's SISCI connections are not served any more: " + e;
            throw e;
        }
    }

    private void tendUntilEnd() {
        boolean soon = false;
        while (!ending) {
            try {
                byte[] message = Sisci.awaitInterrupt(interrupt, soon ? BUSY_MILLIS : IDLE_MILLIS);
                if (message != null) {
                    hear(message);
                }
            } catch (SisciException e) {
                Teardown.nap(IDLE_MILLIS * 1_000_000L); // the adapter's failure shows on the connections
            }
            soon = false;
            for (Connection connection : connections) {
                soon |= connection.tend();
            }
            soon |= multicasts.tend();
        }
    }

    /** Ignores ranks of other jobs, and those that name a wrong node. */
    private void hear(byte[] message) {
        Hello hello = Hello.decode(message);
        if (hello != null && hello.job() == job && hello.to() == rank && hello.from() >= 0
            && hello.from() < connections.length && hello.node() == nodes[hello.from()]) {
            connections[hello.from()].heard(hello);
        }
    }

    // ---- called by the handshakes ----

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public long job() {
        return job;
    }

    @Override
    public int nodeOf(int peer) {
        return nodes[peer];
    }

    @Override
    public int interruptOf(int peer) {
        return interrupts[peer];
    }

    @Override
    public void dmaFound(int peer, int ways) {
        if ((ways & Probe.REGISTERED) != 0 || !voice.speaks()) {
            return;
        }
        String found =
            "brigade: SISCI on node " + adapter.node + ": DMA from registered memory did not arrive at node "
                + nodes[peer] + " (is the IOMMU on? iommu=pt intel_iommu=on), so ";
        System.err.println(
            found + ((ways & Probe.ADDRESSED) != 0 ? "DMA goes from user memory into segments that the driver allocates"
                : "the processor copies everything: no DMA arrives"));
    }

    @Override
    public void deviceFound(int peer, String why) {
        if (why == null || !deviceVoice.speaks()) {
            return;
        }
        System.err.println("brigade: SISCI on node " + adapter.node + ": DMA cannot send device memory to node "
            + nodes[peer] + " (" + why + "), so it goes by way of page-locked host memory");
    }

    @Override
    public void cannotBeWritten(int peer, String memory, String why) {
        if (voice.speaks()) {
            System.err.println("brigade: SISCI on node " + adapter.node + ": DMA from node " + nodes[peer]
                + " cannot write into " + memory + " here (" + why + "), so the processor copies long messages");
        }
    }

    // ---- end ----

    @Override
    public void close() {
        ending = true;
        boolean interrupted = false;
        while (tender.isAlive()) {
            try {
                tender.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        multicasts.close(System.nanoTime() + DRAIN_NANOS);
        drain();
        for (Connection connection : connections) {
            connection.closeOut();
        }
        side.close();
        for (Connection connection : connections) {
            if (connection.inbox() != null) {
                connection.inbox().withdraw();
            }
        }
        long deadline = System.nanoTime() + DRAIN_NANOS;
        for (Connection connection : connections) {
            if (connection.inbox() != null) {
                connection.inbox().remove(deadline);
            }
        }
        voice.close();
        deviceVoice.close();
        Teardown.run(() -> Sisci.removeInterrupt(interrupt));
        Teardown.run(() -> Sisci.close(device));
    }

    /** Waits until the peers have what was accepted. */
    private void drain() {
        long deadline = System.nanoTime() + DRAIN_NANOS;
        for (Connection connection : connections) {
            while (!connection.drained() && System.nanoTime() - deadline < 0) {
                Teardown.nap(200_000);
            }
        }
    }
}
