package org.brigade.transport.nodes;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.release.Release;
import org.brigade.assembly.Parts;
import org.brigade.bootstrap.Build;
import org.brigade.bootstrap.Exchange;
import org.brigade.bootstrap.Job;
import org.brigade.bootstrap.MachineRanks;
import org.brigade.bootstrap.Nodes;
import org.brigade.bootstrap.Processors;
import org.brigade.pattern.NetworkSpeed;
import org.brigade.tuned.ClusterShape;
import org.brigade.tuned.ClusterTable;
import org.brigade.select.Settings;
import org.brigade.topology.profile.MachineFingerprint;
import org.brigade.topology.system.NetworkPorts;
import org.brigade.transport.Endpoint;
import org.brigade.transport.Fabric;
import org.brigade.transport.Transport;

/**
 * Connects the ranks of a job on several nodes. The ranks find out who is on which node, from whom each can reach. Then
 * the ranks of each node connect, and then the nodes.
 */
public final class NodesOpening {
    /** First word of the first message of every release; the release's name follows. */
    private static final int BRIGADE = 0x42524721;
    /** Version of the protocol between ranks. */
    private static final int PROTOCOL = 3;

    // Where each part begins in what a rank says of its place; processors follow.
    private static final int MACHINE = Integer.BYTES;
    private static final int STEM = MACHINE + Long.BYTES;
    private static final int RATE = STEM + Long.BYTES;
    private static final int PORTS = RATE + Long.BYTES;
    private static final int PLACE = PORTS + Integer.BYTES;

    private final Job job;
    private final Exchange exchange;

    /**
     * What all ranks have then.
     *
     * @param endpoint this rank's end
     * @param table the rules for jobs of this shape that rank 0 has found
     */
    public record Opened(Endpoint endpoint, ClusterTable table) {
    }

    private NodesOpening(Job job, Exchange exchange) {
        this.job = job;
        this.exchange = exchange;
    }

    /**
     * Opens this rank's end.
     *
     * @param settings what this process was told; they must be the same on all ranks
     * @param table the fingerprint of the rules that all ranks must have
     * @throws MPIException if the ranks cannot connect, with the cure
     */
    public static Opened open(Parts parts, Job job, Settings settings, long table) {
        Transport within = parts.transport(job);
        Fabric fabric = parts.fabric(job, settings.get("fabric"));
        Exchange exchange = parts.bootstrap().exchange(job);
        try {
            NodesOpening opening = new NodesOpening(job, exchange);
            opening.compareReleases();
            opening.compare(fabric, new long[] {settings.fingerprint(), table});
            Opened opened = new NodesOpening(agree(job, exchange), exchange).open(within, fabric, settings);
            exchange = null;
            return opened;
        } finally {
            if (exchange != null) {
                exchange.close();
            }
        }
    }

    /**
     * Returns the job with a key that is the same on all ranks. MPICH's launcher gives no key. The substitute, the
     * process that started a rank, differs between nodes, and on one node if it was listed more than once. If the keys
     * differ, all ranks use rank 0's key with a unique number.
     */
    private static Job agree(Job job, Exchange exchange) {
        byte[] key = job.key().getBytes(StandardCharsets.US_ASCII);
        byte[][] all = exchange
            .allgather(ByteBuffer.allocate(Long.BYTES + key.length).putLong(System.nanoTime()).put(key).array());
        boolean same = true;
        for (byte[] each : all) {
            same &= keyOf(each).equals(keyOf(all[0]));
        }
        return same ? job : new Job(job.launcher(), job.rank(), job.size(), job.localRank(), job.localSize(),
            keyOf(all[0]) + "-" + Long.toHexString(ByteBuffer.wrap(all[0]).getLong()), job.node(), job.nodes(),
            job.joined());
    }

    private static String keyOf(byte[] said) {
        return new String(said, Long.BYTES, said.length - Long.BYTES, StandardCharsets.US_ASCII);
    }

    private Opened open(Transport within, Fabric fabric, Settings settings) {
        int[] here = within.reachable(job, exchange);
        String host = MachineFingerprint.hostName();
        // A fabric that knows its speed spares the kernel's files.
        NetworkPorts ports = fabric.speed() == null ? NetworkPorts.here() : new NetworkPorts(0, 0, false);
        byte[][] said = exchange.allgather(
            words(here[0], Processors.machine(), ClusterShape.word(host), ports, Processors.ofThisThread().words()));
        Nodes nodes = Nodes.of(job.rank(), lowest(said));
        Endpoint node = within.open(job, here);
        try {
            NodesEndpoint opened = new NodesEndpoint(node, fabric.name(),
                fabric.speed() == null ? slowest(said) : fabric.speed(), fabric.open(job, nodes, exchange), nodes,
                machine(said, nodes), exchange);
            // Rank 0's rules for all, as each node may have others. Then every sender finds its peer, too.
            ClusterTable found = job.rank() != 0 ? ClusterTable.NONE
                : ClusterTable.find(settings, ClusterShape.of(fabric.name(), nodes, host, stems(said)));
            byte[][] told = exchange.allgather(found.told().getBytes(StandardCharsets.UTF_8));
            node = null;
            return new Opened(opened.tellingOfExit(), job.rank() == 0 ? found
                : ClusterTable.heard(new String(told[0], StandardCharsets.UTF_8)));
        } finally {
            if (node != null) {
                node.exiting();
                node.close();
            }
        }
    }

    /** Encodes a rank's place: the lowest rank of its node, its machine, its host's stem and links, its processors. */
    private static byte[] words(int lowest, long machine, long stem, NetworkPorts ports, long[] processors) {
        ByteBuffer said = ByteBuffer.allocate(PLACE + Long.BYTES * processors.length).putInt(lowest).putLong(machine)
            .putLong(stem).putLong(ports.bitsPerSecond()).putInt(ports.infiniBand() ? -ports.count() : ports.count());
        for (long word : processors) {
            said.putLong(word);
        }
        return said.array();
    }

    /** The slowest node's links; null if some node does not know its own. */
    private static NetworkSpeed slowest(byte[][] said) {
        long rate = Long.MAX_VALUE;
        int ports = Integer.MAX_VALUE;
        boolean infiniBand = true;
        for (byte[] each : said) {
            ByteBuffer its = ByteBuffer.wrap(each);
            rate = Math.min(rate, its.getLong(RATE));
            int count = its.getInt(PORTS);
            infiniBand &= count < 0;
            ports = Math.min(ports, Math.abs(count));
        }
        return rate == 0 ? null : new NetworkSpeed(
            infiniBand ? NetworkSpeed.INFINIBAND_NANOS : NetworkSpeed.SOCKETS_NANOS, rate, ports,
            "the rate of the nodes' adapters, and the usual latency of " + (infiniBand ? "InfiniBand" : "Ethernet"));
    }

    private static int[] lowest(byte[][] said) {
        int[] lowest = new int[said.length];
        for (int rank = 0; rank < said.length; rank++) {
            lowest[rank] = ByteBuffer.wrap(said[rank]).getInt();
        }
        return lowest;
    }

    private static long[] stems(byte[][] said) {
        long[] stems = new long[said.length];
        for (int rank = 0; rank < said.length; rank++) {
            stems[rank] = ByteBuffer.wrap(said[rank]).getLong(STEM);
        }
        return stems;
    }

    /**
     * The ranks of this rank's machine. One machine may hold several nodes of a job, as mpjrun's emulated nodes do.
     */
    private MachineRanks machine(byte[][] said, Nodes nodes) {
        long machine = ByteBuffer.wrap(said[job.rank()]).getLong(MACHINE);
        Processors[] all = new Processors[said.length];
        int count = 0;
        int mine = 0;
        for (int rank = 0; rank < said.length; rank++) {
            ByteBuffer its = ByteBuffer.wrap(said[rank]).position(PLACE);
            if (its.getLong(MACHINE) == machine && machine != 0 || nodes.isHere(rank)) {
                mine = rank == job.rank() ? count : mine;
                long[] words = new long[Math.min(Processors.WORDS, its.remaining() / Long.BYTES)];
                its.asLongBuffer().get(words);
                all[count++] = Processors.ofWords(words);
            }
        }
        return new MachineRanks(Arrays.copyOf(all, count), mine, nodes.here().length);
    }

    /** This release, its build and protocol, as in {@code 0.1.0 (build 5f0c2b77000a31c0, protocol 1)}. */
    private static String release() {
        return Release.number() + " (build " + Long.toHexString(Build.fingerprint())
            + ", protocol " + PROTOCOL + ")";
    }

    /** Compares releases before anything else: later messages may differ between releases. */
    private void compareReleases() {
        String ours = release();
        byte[] release = ours.getBytes(StandardCharsets.UTF_8);
        byte[][] all = exchange
            .allgather(ByteBuffer.allocate(Integer.BYTES + release.length).putInt(BRIGADE).put(release).array());
        for (int rank = 0; rank < all.length; rank++) {
            ByteBuffer theirs = ByteBuffer.wrap(all[rank]);
            boolean understood = theirs.remaining() >= Integer.BYTES && theirs.getInt() == BRIGADE;
            String its = understood
                ? new String(all[rank], Integer.BYTES, all[rank].length - Integer.BYTES, StandardCharsets.UTF_8)
                : "another";
            if (!its.equals(ours)) {
                throw error("rank " + rank + " runs Brigade " + its + ", this rank " + ours
                    + "; give all ranks the same brigade.jar");
            }
        }
    }

    /** Compares fabrics and settings: all ranks must use one fabric and choose the same algorithms. */
    private void compare(Fabric fabric, long[] settings) {
        byte[] name = fabric.name().getBytes(StandardCharsets.UTF_8);
        ByteBuffer mine = ByteBuffer.allocate(settings.length * Long.BYTES + name.length);
        for (long word : settings) {
            mine.putLong(word);
        }
        byte[][] all = exchange.allgather(mine.put(name).array());
        for (int rank = 0; rank < all.length; rank++) {
            ByteBuffer theirs = ByteBuffer.wrap(all[rank]);
            for (int i = 0; i < settings.length; i++) {
                if (theirs.remaining() < Long.BYTES || theirs.getLong() != settings[i]) {
                    throw error(Settings.ofThisProcess().disagreement(rank, i == 0));
                }
            }
            byte[] other = new byte[theirs.remaining()];
            theirs.get(other);
            String its = new String(other, StandardCharsets.UTF_8);
            if (!its.equals(fabric.name())) {
                throw error("rank " + rank + " would join the nodes by " + its + ", this rank by " + fabric.name()
                    + "; give all ranks the same with -Dbrigade.fabric or BRIGADE_FABRIC, and see by brigade info on"
                    + " both nodes why one cannot");
            }
        }
    }

    private MPIException error(String what) {
        return ErrorClass.OTHER.in("Init on rank " + job.rank() + " of " + job.size(), what);
    }
}
