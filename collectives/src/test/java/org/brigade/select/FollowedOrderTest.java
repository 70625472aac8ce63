package org.brigade.select;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import mpi.spi.Collective;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Order;
import org.brigade.topology.profile.NetworkProfile;
import org.brigade.topology.profile.NetworkProfile.Visit;
import org.brigade.topology.profile.NodeByNode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Explanations show the order of ranks that a call follows, where a profile of the network gives one. */
class FollowedOrderTest {
    /** Of four nodes: 0, 2, 1, 3. */
    private static final NetworkProfile NETWORK = new NetworkProfile("mpi", "2026-11-27", 1,
        List.of("a", "b", "c", "d"), new Visit(1, List.of(0, 2, 1, 3)), Map.of());

    private static final String TABLE = "latency 250\nbandwidth 12\n";

    /** Ranks in blocks of two, dealt out in turn, and one a node. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "BCAST; pipelined-chain; 0,0,1,1,2,2,3,3; true; [0, 1, 4, 5, 2, 3, 6, 7]",
        "BCAST; hierarchical; 0,0,1,1,2,2,3,3; true; [0, 1, 4, 5, 2, 3, 6, 7]",
        "BCAST; topology-aware-chain; 0,1,2,3,0,1,2,3; true; [0, 4, 2, 6, 1, 5, 3, 7]",
        "REDUCE; pipelined-chain; 0,1,2,3; true; [0, 2, 1, 3]",
        "REDUCE; pipelined-chain; 0,1,2,3,0,1,2,3; true; [0, 4, 2, 6, 1, 5, 3, 7]",
        "REDUCE; pipelined-chain; 0,1,2,3; false; none",
        "REDUCE; opposite-chains; 0,1,2,3; true; [0, 2, 1, 3]",
        "REDUCE; hierarchical; 0,1,2,3,0,1,2,3; true; [0, 4, 2, 6, 1, 5, 3, 7]",
        "REDUCE; binomial; 0,1,2,3; true; none",
        "ALLREDUCE; multi-leader; 0,0,1,1,2,2,3,3; true; [0, 1, 4, 5, 2, 3, 6, 7]",
        "ALLREDUCE; segmented-ring; 0,0,1,1,2,2,3,3; true; [0, 1, 4, 5, 2, 3, 6, 7]"})
    void theOrderOfTheNodesIsShown(Collective collective, String algorithm, String nodes, boolean commutes,
        String order) {
        int[] nodeOf = Arrays.stream(nodes.split(",")).mapToInt(Integer::parseInt).toArray();
        CommunicatorTopology wires =
            new NodeByNode(nodeOf, Order.identity(nodeOf.length), NETWORK.over(new int[] {0, 1, 2, 3}))
                .following(CommunicatorTopology.ofNodes(null, nodeOf));
        Selector selector =
            new Selector(Catalogue::of, TuningTable.parse("t", TABLE + collective.key() + " " + algorithm),
                new Settings(new Properties(), Map.of()));
        String text = Explanation.of(selector, collective, nodeOf.length, 4 << 20, commutes, wires);
        assertEquals(order.equals("none") ? List.of() : List.of("  order: " + order),
            text.lines().filter(line -> line.startsWith("  order: ")).toList(), text);
    }
}
