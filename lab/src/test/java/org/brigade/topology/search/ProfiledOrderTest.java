package org.brigade.topology.search;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Order;
import org.brigade.pattern.TransferRoute;
import org.brigade.topology.profile.CrossedPath;
import org.brigade.topology.profile.MeasuredPath;
import org.brigade.topology.profile.NodeLayout;
import org.brigade.topology.profile.PathProfile;
import org.brigade.topology.profile.ProfiledOrder;
import org.brigade.topology.profile.Transfer;
import org.junit.jupiter.api.Test;

class ProfiledOrderTest {
    private static final NodeLayout LAYOUT = NodeLayout.uniform(2, new int[] {0, 0, 1}, 0);

    private static PathProfile profile(long seed, boolean across) {
        ProfileSearch search =
            new ProfileSearch(LAYOUT, new PathSearch(LAYOUT, new SharedWires(LAYOUT, seed, false)), null);
        for (int mask : ProfileSearch.sets(3, 1)) {
            if (Integer.bitCount(mask) > 1) {
                search.within(mask);
            }
            if (across) {
                search.across(mask);
            }
        }
        return search.profile();
    }

    /** Only 0 > 2 > 1 > 0 is fast. */
    private static PathProfile oneFastRing() {
        List<Transfer> fast = List.of(Mover.KERNEL.write(0, 2), Mover.KERNEL.write(2, 1), Mover.KERNEL.write(1, 0));
        ProfileSearch search = new ProfileSearch(LAYOUT,
            new PathSearch(LAYOUT, set -> fast.containsAll(set.transfers()) ? 2e10 : 1e10), null);
        search.within(7);
        search.within(3);
        return search.profile();
    }

    @Test
    void ordersKeepTheWayOfEachHop() {
        List<Transfer> body = List.of(Mover.KERNEL.write(0, 2), Mover.KERNEL.toHost(2, 1), Mover.KERNEL.fromHost(1, 1),
            Mover.KERNEL.read(1, 0));
        PathProfile profile = new PathProfile.Builder(null, LAYOUT).ring(7, MeasuredPath.of(1e10, 7, body, true))
            .chain(7, MeasuredPath.of(1e10, 7, body.subList(0, 3), false)).build();
        ProfiledOrder profiled = new ProfiledOrder(profile, new int[4], new int[] {1, 2, 0, 0});
        Order ring = profiled.ring();
        assertArrayEquals(new int[] {2, 3, 1, 0}, ring.toArray());
        assertNull(ring.way(2, 3), "one device");
        assertEquals(TransferRoute.WRITE, ring.way(3, 1));
        assertEquals(TransferRoute.bounce(1), ring.way(1, 0));
        assertEquals(TransferRoute.READ, ring.way(0, 2));
        Order chain = profiled.from(3);
        assertEquals(TransferRoute.WRITE, chain.way(2, 1));
        assertEquals(TransferRoute.bounce(1), chain.way(1, 0));
        assertNull(chain.way(0, 3), "the chain has ended");
        assertEquals(TransferRoute.WRITE, profiled.following(CommunicatorTopology.NONE).order(4).way(3, 1));
    }

    @Test
    void ranksFollowTheirDevices() {
        PathProfile profile = oneFastRing();
        assertArrayEquals(new int[] {0, 2, 1},
            new ProfiledOrder(profile, new int[3], new int[] {0, 1, 2}).ring().toArray());
        assertArrayEquals(new int[] {2, 1, 0},
            new ProfiledOrder(profile, new int[3], new int[] {1, 2, 0}).ring().toArray(), "rank 2 has device 0");
        assertArrayEquals(new int[] {2, 1, 0},
            new ProfiledOrder(profile, new int[3], new int[] {0, 1, 2}).from(2).toArray());
        assertArrayEquals(new int[] {0, 3, 2, 1},
            new ProfiledOrder(profile, new int[4], new int[] {0, 1, 2, 0}).ring().toArray(),
            "ranks of a device follow each other");
        assertArrayEquals(new int[] {3, 0, 2, 1},
            new ProfiledOrder(profile, new int[4], new int[] {0, 1, 2, 0}).from(3).toArray(), "but the root is first");
    }

    @Test
    void setsThatWereNotMeasuredHaveNoOrder() {
        ProfiledOrder order = new ProfiledOrder(oneFastRing(), new int[2], new int[] {0, 2});
        assertNull(order.ring());
        assertNull(order.from(0));
        assertArrayEquals(new int[] {0, 1},
            new ProfiledOrder(oneFastRing(), new int[2], new int[] {2, 2}).ring().toArray(),
            "one device needs no measurement");
        assertThrows(IllegalArgumentException.class, () -> new ProfiledOrder(oneFastRing(), new int[1], new int[] {3}));
    }

    @Test
    void whereNothingWasMeasuredBetweenNodesEachNodeHasItsFastestChain() {
        ProfiledOrder order =
            new ProfiledOrder(oneFastRing(), new int[] {5, 5, 5, 9, 9, 9}, new int[] {0, 1, 2, 0, 1, 2});
        assertArrayEquals(new int[] {4, 3, 5, 0, 2, 1}, order.from(4).toArray());
        assertEquals(0, order.ringBandwidth());
    }

    /** Against all choices of paths, node by node. */
    @Property(tries = 10)
    void ringsOverNodesAreAsFastAsTheFastestOfAll(@ForAll long seed) {
        PathProfile profile = profile(seed, true);
        int[] nodeOf = {0, 0, 0, 1, 2, 2};
        int[] deviceOf = {2, 0, 1, 1, 0, 2};
        ProfiledOrder order = new ProfiledOrder(profile, nodeOf, deviceOf);
        double best = 0;
        for (CrossedPath first : profile.crossed(7)) {
            for (CrossedPath second : profile.crossed(2)) {
                boolean meet = first.head() != null && first.tail() != null && second.tail() != null
                    && first.tail().equals(second.head());
                for (CrossedPath third : meet && Math.min(first.path().bandwidth(), second.path().bandwidth()) > best
                    ? profile.crossed(5) : List.<CrossedPath>of()) {
                    if (second.tail().equals(third.head()) && first.head().equals(third.tail())) {
                        best = Math.max(best, Math.min(third.path().bandwidth(),
                            Math.min(first.path().bandwidth(), second.path().bandwidth())));
                    }
                }
            }
        }
        assertEquals(best, order.ringBandwidth());
        int[] sorted = order.ring().toArray();
        int[] nodes = Arrays.stream(sorted).map(rank -> nodeOf[rank]).toArray();
        assertArrayEquals(new int[] {0, 0, 0, 1, 2, 2}, nodes, "node after node");
        Arrays.sort(sorted);
        assertArrayEquals(new int[] {0, 1, 2, 3, 4, 5}, sorted);
        int crossed = 0;
        for (int position = 0; position < 6; position++) {
            TransferRoute way = order.ring().way(position);
            boolean within = nodes[position] == nodes[(position + 1) % 6];
            assertEquals(within, way.by() != TransferRoute.By.NETWORK, order.ring()::toString);
            crossed += within ? 0 : 1;
        }
        assertEquals(3, crossed);
    }

    @Property(tries = 10)
    void chainsOverNodesBeginAtTheRoot(@ForAll long seed) {
        PathProfile profile = profile(seed, true);
        ProfiledOrder order = new ProfiledOrder(profile, new int[] {0, 0, 0, 1, 2, 2}, new int[] {2, 0, 1, 1, 0, 2});
        for (int root = 0; root < 6; root++) {
            int[] chain = order.from(root).toArray();
            assertEquals(root, chain[0]);
            assertEquals(6, Arrays.stream(chain).distinct().count());
        }
        assertTrue(Arrays.stream(order.from(3).toArray()).limit(3).allMatch(rank -> rank >= 3),
            "from node 1 to node 2");
    }
}
