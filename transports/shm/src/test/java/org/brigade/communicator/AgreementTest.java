package org.brigade.communicator;

import static org.brigade.communicator.CollectiveCalls.calls;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import mpi.spi.ElementKind;
import mpi.spi.TypeLayout;
import org.brigade.communicator.call.Agreement;
import org.brigade.communicator.call.CursorPool;
import org.brigade.engine.FlatCollectives;
import org.brigade.engine.Membership;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.topology.Place;
import org.brigade.transport.Endpoint;
import org.brigade.transport.Link;
import org.brigade.transport.loopback.LoopbackJob;
import org.brigade.transport.nodes.NodesJob;
import org.junit.jupiter.api.Test;

class AgreementTest {
    private static final TypeLayout BYTE = TypeLayout.of("MPI.BYTE", ElementKind.BYTE, 1);
    private static final long KEY = 99L << 32;

    private static void agree(Endpoint[] endpoints, CommunicatorTopology wires) throws Exception {
        int ranks = endpoints.length;
        ThreadJob.run(endpoints, (provider, world) -> {
            int rank = world.rank();
            Membership membership = new Membership(rank, world.members(), "a test", false);
            Agreement agreement =
                new Agreement(membership, new FlatCollectives(provider.job().progress(), membership),
                    new CursorPool(provider.job().progress(), membership), provider.job().combiners(), wires);
            long[] greatest = {rank, -rank, rank == ranks / 2 ? Long.MAX_VALUE : Long.MIN_VALUE};
            long[] common = {-1, ~(1L << rank), 7};
            provider.job().progress().lock.lock();
            long[] all;
            try {
                agreement.greatest(KEY, greatest);
                agreement.common(KEY, common);
                all = agreement.all(KEY, rank * 10L, -rank);
            } finally {
                provider.job().progress().lock.unlock();
            }
            assertArrayEquals(new long[] {ranks - 1, 0, Long.MAX_VALUE}, greatest);
            assertArrayEquals(new long[] {-1, -1L << ranks, 7}, common);
            for (int other = 0; other < ranks; other++) {
                assertArrayEquals(new long[] {other * 10L, -other}, Arrays.copyOfRange(all, 2 * other, 2 * other + 2),
                    "what rank " + other + " said");
            }
        });
    }

    @Test
    void ranksOfOneNodeAgree() throws Exception {
        for (int ranks = 1; ranks <= 9; ranks++) {
            agree(LoopbackJob.endpoints(ranks), CommunicatorTopology.NONE);
            agree(LoopbackJob.narrowEndpoints(ranks), CommunicatorTopology.NONE);
        }
    }

    @Test
    void ranksOfSeveralNodesAgreeHoweverTheyAreMapped() throws Exception {
        for (int[] nodeOf : new int[][] {{0, 1}, {0, 0, 1, 1}, {0, 1, 0, 1, 2}, {0, 0, 0, 1, 0, 2, 2}}) {
            agree(NodesJob.endpoints(nodeOf), CommunicatorTopology.ofNodes(null, nodeOf));
            agree(NodesJob.narrowEndpoints(nodeOf), CommunicatorTopology.ofNodes(null, nodeOf));
        }
    }

    /** The end of a rank whose links write down whom they were sent something for. */
    private static Endpoint noting(Endpoint end, Set<Integer> spokenTo) {
        Link[] links = new Link[end.size() * Endpoint.LANES];
        return (Endpoint) Proxy.newProxyInstance(AgreementTest.class.getClassLoader(), new Class<?>[] {Endpoint.class},
            (proxy, method, arguments) -> {
                if (!method.getName().equals("link")) {
                    return invoke(end, method, arguments);
                }
                int peer = (Integer) arguments[0];
                int number = peer * Endpoint.LANES + (Integer) arguments[1];
                if (links[number] == null) {
                    Link link = end.link(peer, (Integer) arguments[1]);
                    links[number] = (Link) Proxy.newProxyInstance(AgreementTest.class.getClassLoader(),
                        new Class<?>[] {Link.class}, (same, its, given) -> {
                            if (its.getName().startsWith("trySend") && peer != end.rank()) {
                                spokenTo.add(peer);
                            }
                            return invoke(link, its, given);
                        });
                }
                return links[number];
            });
    }

    private static Object invoke(Object target, java.lang.reflect.Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Test
    void ranksFindOutAboutTheirWiresWithoutSpeakingToAllOthers() throws Exception {
        int ranks = 16;
        Place[] places = new Place[ranks];
        Endpoint[] endpoints = LoopbackJob.endpoints(ranks);
        @SuppressWarnings({"unchecked", "rawtypes"})
        Set<Integer>[] spokenTo = new Set[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            places[rank] = new Place(rank % 2, rank % 2, rank);
            spokenTo[rank] = new ConcurrentSkipListSet<>();
            endpoints[rank] = noting(endpoints[rank], spokenTo[rank]);
        }
        int block = 20_000; // long enough for the ring, which an allgather would leave for a single copy
        int[] counts = new int[ranks];
        int[] at = new int[ranks];
        Arrays.fill(counts, block);
        Arrays.setAll(at, rank -> rank * block);
        ThreadJob.run(endpoints, false, null, places, (provider, world) -> {
            byte[] mine = new byte[block];
            Arrays.fill(mine, (byte) world.rank());
            byte[] all = new byte[ranks * block];
            calls(world).allgatherv(mine, 0, block, BYTE, all, 0, counts, at, BYTE, true);
            for (int rank = 0; rank < ranks; rank++) {
                assertEquals(rank, all[rank * block]);
            }
        });
        for (int rank = 0; rank < ranks; rank++) {
            assertTrue(spokenTo[rank].contains(rank < ranks - 2 ? rank + 2 : (rank + 1) % 2),
                "the ring has not followed the NUMA nodes: rank " + rank + " spoke to " + spokenTo[rank]);
            assertTrue(spokenTo[rank].size() <= 4 + 1, "rank " + rank + " spoke to " + spokenTo[rank]);
        }
    }
}
