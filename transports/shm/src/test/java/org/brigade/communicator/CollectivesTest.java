package org.brigade.communicator;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import mpi.spi.Collective;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.WireUse;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.topology.Place;
import org.brigade.transport.Endpoint;
import org.brigade.transport.loopback.LoopbackJob;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every algorithm of the catalogue, run by the engine over real links by ranks as threads, gives what MPI says. */
@Isolated // forces algorithms through system properties
class CollectivesTest {
    private static final int[] COUNTS = {0, 1, 2, 7, 12, 250, 1000, 5000, 40000};

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
        for (int ranks = 1; ranks <= 6; ranks++) {
            trial(algorithm, LoopbackJob.endpoints(ranks), ranks == 5 ? 9 : 6);
        }
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void everyAlgorithmComesThroughNarrowLinks(Algorithm algorithm) throws Exception {
        for (int ranks : new int[] {2, 3, 8}) {
            trial(algorithm, LoopbackJob.narrowEndpoints(ranks), ranks == 3 ? 9 : 8);
        }
    }

    static Stream<Algorithm> wired() {
        return algorithms().filter(algorithm -> algorithm.wireUse() != WireUse.NONE);
    }

    /**
     * Two NUMA nodes of two caches each, ranks dealt out to them in turn; the first calls come before anybody has
     * asked.
     */
    @Tag("once")
    @ParameterizedTest
    @MethodSource("wired")
    void whatFollowsWiresGivesTheSameOverThem(Algorithm algorithm) throws Exception {
        for (int ranks : new int[] {3, 5, 7}) {
            Place[] places = new Place[ranks];
            for (int rank = 0; rank < ranks; rank++) {
                places[rank] = new Place(rank % 2, rank % 4, rank);
            }
            trial(algorithm, Jobs.values()[ranks % 3].endpoints(ranks, ranks), places, ranks == 5 ? 6 : 8);
        }
    }

    @ParameterizedTest
    @MethodSource("wired")
    void ringsAndChainsFollowTheOrderThatIsForced(Algorithm algorithm) throws Exception {
        System.setProperty("brigade.ring.order", "3,0,4,1,2");
        try {
            trial(algorithm, LoopbackJob.endpoints(5), 8);
        } finally {
            System.clearProperty("brigade.ring.order");
        }
    }

    private static void trial(Algorithm algorithm, Endpoint[] endpoints, int counts) throws Exception {
        trial(algorithm, endpoints, null, counts);
    }

    private static void trial(Algorithm algorithm, Endpoint[] endpoints, Place[] places, int counts) throws Exception {
        Collective collective = algorithm.collective();
        String property = "brigade." + collective.key() + ".algorithm";
        System.setProperty(property, algorithm.name());
        try {
            int ranks = endpoints.length;
            if (algorithm.restrictions().violatedBy(ranks, 0, true) != null) {
                return;
            }
            ThreadJob.run(endpoints, false, null, places, (provider, world) -> {
                for (int c = 0; c < counts; c++) {
                    int count = COUNTS[c];
                    if (algorithm.restrictions().violatedBy(ranks, CollectiveTrial.bytes(collective, ranks, count),
                        true) != null) {
                        continue;
                    }
                    for (int form = 0; form < 16; form++) {
                        boolean ordered = (form & 8) != 0;
                        if (ordered
                            && (!collective.reduces || algorithm.restrictions().commutative() || count % 2 != 0)) {
                            continue;
                        }
                        int root = (count + form) % ranks;
                        new CollectiveTrial(world, root, count, (form & 1) != 0,
                            (form & 2) != 0 && collective != Collective.BCAST, (form & 4) != 0, ordered)
                            .run(collective);
                    }
                }
            });
        } finally {
            System.clearProperty(property);
        }
    }
}
