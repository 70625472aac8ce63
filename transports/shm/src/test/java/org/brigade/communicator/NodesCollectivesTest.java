package org.brigade.communicator;

import static org.brigade.communicator.CollectiveCalls.calls;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.ElementKind;
import mpi.spi.TypeLayout;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.device.DeviceCommunicator;
import org.brigade.transport.Endpoint;
import org.brigade.transport.chaos.ChaosEndpoint;
import org.brigade.transport.nodes.NodesJob;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Over several nodes and any mapping of ranks to them everything gives what it gives on one. */
@Isolated // forces algorithms through system properties
@Tag("once")
class NodesCollectivesTest {
    private static final int[] COUNTS = {0, 1, 7, 12, 250, 40_000};
    /** Blocks, in turn, one rank a node, irregular. */
    private static final int[][] MAPPINGS = {{0, 0, 1, 1}, {0, 1, 0, 1, 0}, {0, 1, 2}, {0, 1}, {0, 1, 1, 2, 0, 1, 0}};
    private static final TypeLayout INT = TypeLayout.of("MPI.INT", ElementKind.INT, 1);

    static Stream<Algorithm> algorithms() {
        List<Algorithm> all = new ArrayList<>();
        for (Collective collective : Collective.values()) {
            all.addAll(Catalogue.of(collective));
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void everyAlgorithmGivesWhatMpiSays(Algorithm algorithm) throws Exception {
        String property = "brigade." + algorithm.collective().key() + ".algorithm";
        System.setProperty(property, algorithm.name());
        try {
            for (int[] mapping : new int[][] {MAPPINGS[0], MAPPINGS[4]}) {
                if (algorithm.restrictions().violatedBy(mapping.length, 0, true) == null) {
                    trials(NodesJob.narrowEndpoints(mapping), algorithm);
                }
            }
        } finally {
            System.clearProperty(property);
        }
    }

    @ParameterizedTest
    @EnumSource(Collective.class)
    void whatSelectionTakesGivesWhatMpiSaysOnAnyMapping(Collective collective) throws Exception {
        for (int[] mapping : MAPPINGS) {
            ThreadJob.run(NodesJob.endpoints(mapping), (provider, world) -> trials(world, collective, null));
        }
        throughBadLinks(collective, MAPPINGS[collective.ordinal() % MAPPINGS.length]);
    }

    @Tag("nightly")
    @ParameterizedTest
    @EnumSource(Collective.class)
    void soDoesItThroughBadLinksOnEachOfThem(Collective collective) throws Exception {
        for (int[] mapping : MAPPINGS) {
            throughBadLinks(collective, mapping);
        }
    }

    /** Links that take little at a time, and do everything unpleasant that a link may do. */
    private static void throughBadLinks(Collective collective, int[] mapping) throws Exception {
        ThreadJob.run(ChaosEndpoint.around(NodesJob.narrowEndpoints(mapping), 11), true,
            (provider, world) -> trials(world, collective, null));
    }

    private static void trials(Endpoint[] endpoints, Algorithm algorithm) throws Exception {
        ThreadJob.run(endpoints, (provider, world) -> trials(world, algorithm.collective(), algorithm));
    }

    private static void trials(Communicator world, Collective collective, Algorithm forced) {
        for (int count : COUNTS) {
            if (forced != null && forced.restrictions().violatedBy(world.size(),
                CollectiveTrial.bytes(collective, world.size(), count), true) != null) {
                continue;
            }
            for (int form = 0; form < 16; form++) {
                boolean ordered = (form & 8) != 0;
                if (ordered && (!collective.reduces || forced != null && forced.restrictions().commutative()
                    || count % 2 != 0)) {
                    continue;
                }
                new CollectiveTrial(world, (count + form) % world.size(), count, (form & 1) != 0,
                    (form & 2) != 0 && collective != Collective.BCAST, (form & 4) != 0, ordered).run(collective);
            }
        }
    }

    /**
     * Buffers on devices of all ranks: the kernels reach no other node, so every call goes through the hosts, on all
     * ranks alike.
     */
    @ParameterizedTest
    @EnumSource(Collective.class)
    void deviceMemoryIsStagedBetweenNodesAndReachedDirectlyWithin(Collective collective) throws Exception {
        int[] mapping = MAPPINGS[1];
        FakeDevices[] devices = FakeDevices.ofJob(mapping.length);
        ThreadJob.run(NodesJob.endpoints(mapping), false, devices, (provider, world) -> {
            FakeDevices mine = devices[world.rank()];
            for (int count : new int[] {0, 12, 5000}) {
                new CollectiveTrial(world, count % world.size(), count, false, false, true, false, mine)
                    .run(collective);
            }
            assertEquals(0, mine.runs, "calls that ran on devices");
            Communicator node = world.splitShared(0);
            assertFalse(((DeviceCommunicator) world).isOnOneNode());
            assertTrue(((DeviceCommunicator) node).isOnOneNode());
            new CollectiveTrial(node, 0, 5000, false, false, true, false, mine).run(collective);
            assertEquals(DeviceCollectivesTest.hasKernels(collective) ? 1 : 0, mine.runs,
                "calls of a node's ranks that ran on devices");
        });
    }

    @Test
    void communicatorsAreMadeOfRanksOfAnyNodes() throws Exception {
        for (int[] mapping : MAPPINGS) {
            ThreadJob.run(NodesJob.endpoints(mapping), (provider, world) -> {
                int rank = world.rank();
                Communicator node = world.splitShared(-rank);
                int[] here = new int[node.size()];
                calls(node).allgather(new int[] {rank}, 0, 1, INT, here, 0, 1, INT, true);
                int[] expected = new int[here.length];
                for (int i = mapping.length - 1, n = 0; i >= 0; i--) {
                    if (mapping[i] == mapping[rank]) {
                        expected[n++] = i;
                    }
                }
                assertArrayEquals(expected, here, "the ranks of a node, by key");

                Communicator reversed = world.split(0, -rank);
                assertEquals(mapping.length - 1 - rank, reversed.rank());
                Communicator copy = reversed.duplicate();
                for (Communicator each : new Communicator[] {node, reversed, copy}) {
                    for (Collective collective : Collective.values()) {
                        new CollectiveTrial(each, each.size() - 1, 250, false, false, true, false).run(collective);
                    }
                }

                int[] odd = new int[mapping.length / 2];
                Arrays.setAll(odd, i -> 2 * i + 1);
                Communicator group = world.createGroup(odd, 3);
                if (rank % 2 == 0) {
                    assertNull(group);
                } else {
                    new CollectiveTrial(group, 0, 1000, false, false, false, false).run(Collective.ALLREDUCE);
                }
            });
        }
    }

    @Test
    void theNodesOfACommunicatorAreKnownFromItsFirstCallOn() throws Exception {
        System.setProperty("brigade.bcast.algorithm", "hierarchical");
        try {
            ThreadJob.run(NodesJob.endpoints(0, 1, 0, 1), (provider, world) -> {
                assertEquals(2, provider.job().wires().known(new int[] {0, 1, 2, 3}).nodes());
                assertEquals("[[0, 1, 0, 1]]",
                    provider.job().wires().known(new int[] {0, 1, 2, 3}).levels().toString());
                assertArrayEquals(new int[] {0, 2, 1, 3},
                    provider.job().wires().known(new int[] {0, 1, 2, 3}).order(4).toArray());
                assertEquals(2, provider.job().wires().known(new int[] {0, 3}).nodes());
                assertEquals(1, provider.job().wires().known(new int[] {0, 2}).nodes());
                new CollectiveTrial(world, 1, 5000, false, false, false, false).run(Collective.BCAST);
                assertEquals("hierarchical", Diagnostics.lastAlgorithm());
            });
        } finally {
            System.clearProperty("brigade.bcast.algorithm");
        }
    }
}
