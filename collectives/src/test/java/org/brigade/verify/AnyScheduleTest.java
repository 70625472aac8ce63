package org.brigade.verify;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.algorithm.catalogue.Catalogue;

class AnyScheduleTest {
    @Property(tries = 60)
    void anyScheduleIsRight(@ForAll("algorithms") ScheduledAlgorithm algorithm,
        @ForAll @IntRange(min = 1, max = 70) int ranks,
        @ForAll @IntRange(max = 69) int root, @ForAll boolean inPlace, @ForAll @IntRange(min = 2, max = 16) int radix) {
        int size = algorithm.restrictions().powerOfTwo() ? Integer.highestOneBit(ranks) : ranks;
        Optional<Failure> failure =
            Verifier.verify(algorithm, size, algorithm.collective().rooted ? root % size : 0, inPlace, radix);
        assertTrue(failure.isEmpty(), () -> failure.get().toString());
    }

    @Provide
    Arbitrary<ScheduledAlgorithm> algorithms() {
        return Arbitraries.of(Catalogue.all().stream().filter(ScheduledAlgorithm.class::isInstance)
            .map(ScheduledAlgorithm.class::cast).toList());
    }
}
