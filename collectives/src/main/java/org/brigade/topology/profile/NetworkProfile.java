package org.brigade.topology.profile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.brigade.pattern.NetworkSpeed;

/**
 * The fastest ring and chains over nodes of a network, as measured with one flow on each hop: the result of a search,
 * kept in a file. Nodes have indices; their host names tell which they are. Immutable.
 */
public final class NetworkProfile {
    /** More are not searched. */
    public static final int MOST_NODES = 24;

    /** Of a byte. */
    private static final double BITS = 8;

    private final String fabric;
    private final String date;
    private final long bytes;
    private final List<String> hosts;
    private final Visit ring;
    private final Map<Integer, Visit> chains;

    /**
     * A path over nodes.
     *
     * @param bandwidth bytes/s of its slowest hop, with all under way
     * @param nodes their indices, each once
     */
    public record Visit(double bandwidth, List<Integer> nodes) {
        public Visit {
            nodes = List.copyOf(nodes);
        }
    }

    /**
     * @param fabric what carried the data from node to node
     * @param date of the measurements, as year-month-day
     * @param bytes of each transfer
     * @param hosts by index
     * @param ring over all nodes
     * @param chains over all nodes, by their first one; those that are missing follow the ring
     * @throws IllegalArgumentException if hosts have equal names, or a path does not visit each node once
     */
    public NetworkProfile(String fabric, String date, long bytes, List<String> hosts, Visit ring,
        Map<Integer, Visit> chains) {
        this.fabric = fabric;
        this.date = date;
        this.bytes = bytes;
        this.hosts = List.copyOf(hosts);
        this.ring = ring;
        this.chains = Collections.unmodifiableMap(new TreeMap<>(chains));
        if (hosts.size() < 2 || hosts.size() > MOST_NODES || new HashSet<>(hosts).size() < hosts.size()) {
            throw new IllegalArgumentException(
                "nodes " + hosts + ": 2 to " + MOST_NODES + " of different names can be in a profile");
        }
        check(ring, "the ring");
        chains.forEach((start, chain) -> {
            check(chain, "the chain from node " + start);
            if (!chain.nodes().get(0).equals(start)) {
                throw new IllegalArgumentException("the chain from node " + start + " begins elsewhere");
            }
        });
    }

    private void check(Visit visit, String what) {
        Set<Integer> visited = new HashSet<>(visit.nodes());
        boolean inside = visited.stream().allMatch(node -> node >= 0 && node < hosts.size());
        if (visit.nodes().size() != hosts.size() || visited.size() != hosts.size() || !inside) {
            throw new IllegalArgumentException(
                what + " visits " + visit.nodes() + ", and must visit each of " + hosts.size() + " nodes once");
        }
        if (!(visit.bandwidth() > 0) || Double.isInfinite(visit.bandwidth())) {
            throw new IllegalArgumentException(what + " has " + visit.bandwidth() + " bytes/s; give a positive number");
        }
    }

    public String fabric() {
        return fabric;
    }

    public String date() {
        return date;
    }

    public long bytes() {
        return bytes;
    }

    public List<String> hosts() {
        return hosts;
    }

    public Visit ring() {
        return ring;
    }

    /**
     * The network's speed, with the rate that was measured: that of the ring's slowest hop, with all under way.
     *
     * @param known what else is known of it; null if nothing is
     */
    public NetworkSpeed speed(NetworkSpeed known) {
        long rate = Math.max(1, Math.round(BITS * ring.bandwidth()));
        String source = "measured by brigade profile --nodes";
        return known == null ? new NetworkSpeed(NetworkSpeed.SOCKETS_NANOS, rate, 1, source) : known.at(rate, source);
    }

    /** By first node. */
    public Map<Integer, Visit> chains() {
        return chains;
    }

    /**
     * The order of some of the nodes: as they follow each other among all.
     *
     * @param members by the numbers that the order has: their indices here, each once
     */
    public NodeOrder over(int[] members) {
        int[] numberOf = new int[hosts.size()];
        Arrays.fill(numberOf, -1);
        for (int number = 0; number < members.length; number++) {
            numberOf[members[number]] = number;
        }
        return new NodeOrder() {
            @Override
            public int[] ring() {
                return from(0, ring.nodes());
            }

            @Override
            public int[] from(int node) {
                Visit chain = chains.get(members[node]);
                return from(node, chain == null ? ring.nodes() : chain.nodes());
            }

            /** The members among these nodes, which are in a circle, beginning with one of them. */
            private int[] from(int first, List<Integer> nodes) {
                List<Integer> circle = new ArrayList<>(nodes);
                Collections.rotate(circle, -circle.indexOf(members[first]));
                return circle.stream().mapToInt(index -> numberOf[index]).filter(number -> number >= 0).toArray();
            }
        };
    }
}
