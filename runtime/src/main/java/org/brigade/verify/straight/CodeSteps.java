package org.brigade.verify.straight;

import java.util.ArrayList;
import java.util.List;
import mpi.spi.Collective;
import mpi.spi.Counts;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.WireUse;
import org.brigade.engine.node.PulledBlocks;
import org.brigade.engine.node.SharedBuffer;
import org.brigade.verify.SampleCall;

/**
 * What straight-line code does in one call, operation by operation: its code is run for all ranks, with buffers as long
 * as those of a job.
 */
public final class CodeSteps {
    /** Longer vectors are cut into the same windows. */
    private static final long MOST_BYTES = 256L << 20;

    /** What a rank does. */
    public enum Kind {
        PUBLISH, AWAIT, COPY, REDUCE, SEND, RECEIVE, RECEIVE_REDUCE
    }

    /**
     * One operation.
     *
     * @param peer the rank that is waited for, or that a message goes to or comes from; -1: none
     * @param bytes that are moved
     * @param text the operation in words
     */
    public record Step(Kind kind, int peer, long bytes, String text) {
    }

    private static final class Recorder implements Operations {
        private final int rank;
        private final int ranks;
        private final int head;
        private final List<Step> steps = new ArrayList<>();

        Recorder(int rank, int ranks) {
            this.rank = rank;
            this.ranks = ranks;
            head = SharedBuffer.headBytes(ranks);
        }

        /** The member in whose part of the boards, or of the buffer's head, a word lies; and which word it is. */
        private static int owner(SymbolicMemory.Place word, int ranks) {
            if (word.cells().name.equals(StraightRun.BOARDS)) {
                return (int) (word.at() / PulledBlocks.BYTES);
            }
            return SharedBuffer.owner(word.at(), ranks);
        }

        private String words(SymbolicMemory.Place word, long value, int owner) {
            boolean tick = !word.cells().name.equals(StraightRun.BOARDS) && SharedBuffer.isTick(word.at(), ranks);
            return (tick ? "tick " + value : "block") + (owner == rank ? "" : " of rank " + owner);
        }

        @Override
        public void published(SymbolicMemory.Place word, long value) {
            steps.add(new Step(Kind.PUBLISH, -1, 0, "publish " + words(word, value, rank)));
        }

        @Override
        public void found(SymbolicMemory.Place word, long value) {
            int owner = owner(word, ranks);
            if (owner != rank) {
                steps.add(new Step(Kind.AWAIT, owner, 0, "await " + words(word, value, owner)));
            }
        }

        @Override
        public void copied(SymbolicMemory.Place from, SymbolicMemory.Place to, long bytes) {
            steps.add(new Step(Kind.COPY, -1, bytes, words(to, bytes) + " = " + words(from, bytes)));
        }

        @Override
        public void combined(SymbolicMemory.Place incoming, SymbolicMemory.Place operand, SymbolicMemory.Place target,
            long bytes) {
            steps.add(new Step(Kind.REDUCE, -1, bytes, words(target, bytes) + " = " + words(operand, bytes) + " op "
                + words(incoming, bytes)));
        }

        @Override
        public void sent(int peer, int bytes) {
            steps.add(new Step(Kind.SEND, peer, bytes, "send " + bytes + " bytes to " + peer));
        }

        @Override
        public void received(int peer, int bytes) {
            steps.add(new Step(Kind.RECEIVE, peer, bytes, "receive " + bytes + " bytes from " + peer));
        }

        @Override
        public void folded(int peer, int bytes) {
            steps.add(new Step(Kind.RECEIVE_REDUCE, peer, bytes,
                "receive " + bytes + " bytes from " + peer + " and reduce"));
        }

        private String words(SymbolicMemory.Place place, long bytes) {
            String name = place.cells().name;
            long at = place.at();
            if (name.equals(StraightRun.SHARED)) {
                name = at < head ? "board of rank " + owner(place, ranks) : "SHARED";
                at = at < head ? 0 : at - head;
            } else if (name.equals(StraightRun.BOARDS)) {
                name = "board of rank " + owner(place, ranks);
                at = 0;
            } else if (name.startsWith(StraightCall.SENT) || name.startsWith(StraightCall.RECEIVED)) {
                String role = name.startsWith(StraightCall.SENT) ? "SEND" : "RECV";
                String of = " of rank " + rank + " in";
                name = name.contains(of) ? role
                    : role + name.substring(name.indexOf(" of rank"), name.indexOf(" in call"));
            } else {
                name = "SCRATCH";
            }
            return name + "[" + at + ".." + (at + bytes) + "]";
        }
    }

    private CodeSteps() {
    }

    /**
     * The operations of all ranks, by rank.
     *
     * @param bytes by which the algorithm is chosen: the vector, a block, or all blocks
     * @throws IllegalArgumentException if the verifier does not run the algorithm's code
     */
    public static List<List<Step>> of(Algorithm algorithm, int ranks, int root, long bytes) {
        Collective collective = algorithm.collective();
        long each = collective.counts == Counts.SHARED ? bytes / ranks : bytes;
        int item = collective.reduces && each % Integer.BYTES == 0 ? Integer.BYTES : 1;
        int count = collective == Collective.BARRIER ? 0 : (int) (Math.min(each, MOST_BYTES) / item);
        SampleCall sample = new SampleCall(collective, ranks, collective.rooted ? root : 0, count, 0, false, true);
        StraightRun run = new StraightRun(ranks, List.of(new StraightCall(0, algorithm, sample, item, true)), 1,
            SharedBuffer.halfBytes(ranks), algorithm.restrictions().commutative(), "never", -1);
        Recorder[] recorders = new Recorder[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            recorders[rank] = new Recorder(rank, ranks);
        }
        run.run((current, ready, able) -> 0, StraightRun.NO_FAULTS, recorders);
        List<List<Step>> steps = new ArrayList<>();
        for (Recorder recorder : recorders) {
            steps.add(List.copyOf(recorder.steps));
        }
        return steps;
    }

    /** Whether an algorithm is straight-line code that sends short messages: those of its schedule, as tests show. */
    public static boolean sendsOnly(Algorithm algorithm) {
        return StraightSuite.isVerified(algorithm) && algorithm.wireUse() == WireUse.NONE;
    }

    /** One rank's operations as text, one a line. */
    public static String print(Algorithm algorithm, int ranks, int root, int rank, List<Step> steps) {
        StringBuilder text = new StringBuilder();
        text.append(algorithm).append(", rank ").append(rank).append(" of ").append(ranks);
        if (algorithm.collective().rooted) {
            text.append(", root ").append(root);
        }
        text.append(": ").append(steps.size()).append(" operations\n");
        for (Step step : steps) {
            text.append("    ").append(step.text()).append('\n');
        }
        return text.toString();
    }
}
