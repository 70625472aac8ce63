package org.brigade.verify;

import java.util.Optional;
import mpi.spi.Collective;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.algorithm.WireUse;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.Schedule;
import org.brigade.schedule.ScheduleBuilder;

/**
 * Decides whether an algorithm is correct for one geometry, by running the schedules of all ranks on symbolic values:
 * every send meets its receive, in order and size; the run ends, even without room in the channels; no two lanes of a
 * rank race; unwritten memory is never read, and SEND never written; and the final memory is what the MPI standard
 * says, each contribution once, in rank order unless the algorithm needs commutative operations or follows wires where
 * they commute, and for allreduce the identical term on every rank.
 */
public final class Verifier {
    /** From here on, with fewer sizes and roots: such schedules are large, and smaller ones cover their kinds. */
    static final int MANY_RANKS = 18;

    private Verifier() {
    }

    /** Verifies an algorithm for a number of ranks; the root is 0 for collectives that have none. */
    public static Optional<Failure> verify(ScheduledAlgorithm algorithm, int ranks, int root, boolean inPlace,
        int radix) {
        return verify(algorithm, new Geometry(algorithm.collective(), ranks, root, root, inPlace, radix));
    }

    /** Verifies an algorithm for all ranks of a geometry, given as the root's. */
    public static Optional<Failure> verify(ScheduledAlgorithm algorithm, Geometry geometry) {
        int ranks = geometry.ranks();
        Schedule[] schedules;
        try {
            schedules = build(algorithm, geometry);
        } catch (IllegalStateException | IllegalArgumentException e) {
            return Optional.of(new Failure(algorithm.name(), geometry, "", 0, e.getMessage()));
        }
        boolean commutative = algorithm.restrictions().commutative() || geometry.commutes() && ordersBoth(algorithm);
        for (Sizes sizes : Sizes.of(algorithm.collective(), algorithm.pipelined(), ranks >= MANY_RANKS)) {
            Optional<Failure> failure = run(schedules, commutative, sizes, 0);
            if (failure.isPresent()) {
                return failure;
            }
        }
        for (int capacity = 1; capacity <= 2 && ranks < MANY_RANKS; capacity++) {
            Optional<Failure> failure = run(schedules, commutative, Sizes.ONE, capacity);
            if (failure.isPresent()) {
                return failure;
            }
        }
        return Optional.empty();
    }

    /** Whether it reduces along the wires if the operation commutes, else in rank order. */
    static boolean ordersBoth(ScheduledAlgorithm algorithm) {
        return algorithm.collective().reduces && !algorithm.restrictions().commutative()
            && algorithm.wireUse() != WireUse.NONE;
    }

    /** The schedules of all ranks. */
    public static Schedule[] build(ScheduledAlgorithm algorithm, int ranks, int root, boolean inPlace, int radix) {
        return build(algorithm, new Geometry(algorithm.collective(), ranks, root, root, inPlace, radix));
    }

    /** The schedules of all ranks for a geometry, given as the root's. */
    public static Schedule[] build(ScheduledAlgorithm algorithm, Geometry geometry) {
        Schedule[] schedules = new Schedule[geometry.ranks()];
        for (int rank = 0; rank < schedules.length; rank++) {
            ScheduleBuilder builder = new ScheduleBuilder(algorithm.name(), geometry.of(rank));
            algorithm.build(geometry.of(rank), builder);
            schedules[rank] = builder.finish();
        }
        return schedules;
    }

    /** Verifies given schedules, one for each rank, with all sizes that fit the collective. */
    public static Optional<Failure> verify(Schedule[] schedules, boolean commutative) {
        Collective collective = schedules[0].geometry().collective();
        for (Sizes sizes : Sizes.of(collective, true, false)) {
            Optional<Failure> failure = run(schedules, commutative, sizes, 0);
            if (failure.isPresent()) {
                return failure;
            }
        }
        return Optional.empty();
    }

    static Optional<Failure> run(Schedule[] schedules, boolean commutative, Sizes sizes, int capacity) {
        try {
            run(schedules, commutative, sizes, capacity, schedules[0].geometry().collective() == Collective.BARRIER);
            return Optional.empty();
        } catch (Wrong | IllegalStateException | IndexOutOfBoundsException e) {
            Schedule first = schedules[schedules[0].geometry().root()];
            return Optional
                .of(new Failure(first.algorithm(), first.geometry(), sizes.toString(), capacity, e.getMessage()));
        }
    }

    private static void run(Schedule[] schedules, boolean commutative, Sizes sizes, int capacity, boolean withClocks) {
        Program[] programs = new Program[schedules.length];
        int elements = 0;
        for (int rank = 0; rank < programs.length; rank++) {
            programs[rank] = new Program(schedules[rank], sizes);
            elements = Math.max(elements, programs[rank].image.terms.length);
        }
        Terms terms = new Terms(programs.length, elements, commutative);
        Conditions conditions = new Conditions(programs, terms);
        conditions.contribute();
        KahnNetwork network = new KahnNetwork(programs, terms, capacity, withClocks);
        network.run();
        for (int rank = 0; rank < programs.length; rank++) {
            int unheard = withClocks && schedules[rank].geometry().collective() == Collective.BARRIER
                ? network.unheardOf(rank) : -1;
            if (unheard >= 0) {
                throw new Wrong("rank " + rank + " may leave the barrier before rank " + unheard + " has entered it");
            }
            Races races = new Races(programs[rank]);
            int number = rank;
            String race = withClocks
                ? races.find((laneA, a, laneB, b) -> network.before(number, laneA, a, laneB, b))
                : races.find(Races.local(programs[rank]));
            if (race != null && !withClocks) {
                // Lanes and awaits leave two runs unordered, but messages through other ranks may order them.
                run(schedules, commutative, sizes, capacity, true);
                return;
            }
            if (race != null) {
                throw new Wrong(race);
            }
        }
        // Last, as values mean little where there is a race.
        conditions.check();
    }
}
