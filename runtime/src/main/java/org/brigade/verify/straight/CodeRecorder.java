package org.brigade.verify.straight;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import mpi.spi.Collective;
import mpi.spi.Counts;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.SharedBufferAlgorithm;
import org.brigade.engine.node.PulledBlocks;
import org.brigade.engine.node.SharedBuffer;
import org.brigade.schedule.code.CodeOperations;
import org.brigade.schedule.code.MemoryOperation;
import org.brigade.schedule.code.MemoryOperation.Kind;
import org.brigade.schedule.code.MemoryOperation.Stretch;
import org.brigade.verify.SampleCall;

/**
 * Takes down what straight-line code does in one call: its code is run for all ranks, as the verifier runs it, with
 * buffers as long as those of a job. Whose bytes an operation reads does not depend on the order of the ranks, as the
 * verifier has shown.
 */
public final class CodeRecorder {
    /** Longer buffers are not made: their bytes mean nothing, but they take memory. */
    private static final long MOST_BYTES = 1L << 30;

    /** What all ranks' recordings know together. */
    private static final class Shared {
        private final LastWriters writers = new LastWriters();
        /** By release: how many words its rank had published before. */
        private final Map<Cells.Release, Integer> numbers = new IdentityHashMap<>();
    }

    private static final class Recording implements Operations {
        private final int rank;
        private final int ranks;
        private final int head;
        private final Shared shared;
        private final List<MemoryOperation> operations = new ArrayList<>();
        private final Map<Cells, String> names = new HashMap<>();
        private int published;

        Recording(int rank, int ranks, Shared shared) {
            this.rank = rank;
            this.ranks = ranks;
            this.shared = shared;
            head = SharedBuffer.headBytes(ranks);
        }

        /** The member in whose part of the boards, or of the buffer's head, a word lies. */
        private int owner(SymbolicMemory.Place word) {
            return isBoards(word) ? (int) (word.at() / PulledBlocks.BYTES) : SharedBuffer.owner(word.at(), ranks);
        }

        private static boolean isBoards(SymbolicMemory.Place place) {
            return place.cells().name.equals(StraightRun.BOARDS);
        }

        /** Whether other ranks read there. */
        private static boolean isShared(SymbolicMemory.Place place) {
            return isBoards(place) || place.cells().name.equals(StraightRun.SHARED);
        }

        private Stretch word(SymbolicMemory.Place word, long value) {
            boolean tick = !isBoards(word) && SharedBuffer.isTick(word.at(), ranks);
            return tick ? new Stretch("tick", value) : new Stretch("block", -1);
        }

        @Override
        public void published(SymbolicMemory.Place word, Cells.Release release) {
            shared.numbers.put(release, published);
            operations.add(MemoryOperation.word(Kind.PUBLISH, -1, published++, word(word, release.value())));
        }

        @Override
        public void found(SymbolicMemory.Place word, long value, Cells.Release release) {
            int owner = owner(word);
            if (owner != rank) {
                operations.add(MemoryOperation.word(Kind.AWAIT, owner, shared.numbers.get(release), word(word, value)));
            }
        }

        @Override
        public void copied(SymbolicMemory.Place from, SymbolicMemory.Place to, long bytes, boolean inPeer) {
            LastWriters.Foreign foreign = shared.writers.foreign(from, bytes, rank);
            add(inPeer ? Kind.READ : Kind.COPY, foreign, to, null, from, bytes);
        }

        @Override
        public void combined(SymbolicMemory.Place incoming, SymbolicMemory.Place operand, SymbolicMemory.Place target,
            long bytes) {
            add(Kind.REDUCE, shared.writers.foreign(incoming, bytes, rank)
                .and(shared.writers.foreign(operand, bytes, rank)), target, operand, incoming, bytes);
        }

        private void add(Kind kind, LastWriters.Foreign foreign, SymbolicMemory.Place to,
            SymbolicMemory.Place operand, SymbolicMemory.Place from, long bytes) {
            operations.add(new MemoryOperation(kind, foreign.writer(), 0, bytes, foreign.bytes(),
                isShared(to) ? bytes : 0, stretch(to), operand == null ? null : stretch(operand), stretch(from)));
            shared.writers.write(to, bytes, rank);
        }

        @Override
        public void sent(int peer, int bytes) {
            operations.add(MemoryOperation.message(Kind.SEND, peer, bytes));
        }

        @Override
        public void received(int peer, int bytes, SymbolicMemory.Place target) {
            operations.add(MemoryOperation.message(Kind.RECEIVE, peer, bytes));
            written(target, bytes);
        }

        @Override
        public void folded(int peer, int bytes, SymbolicMemory.Place target) {
            operations.add(MemoryOperation.message(Kind.RECEIVE_REDUCE, peer, bytes));
            written(target, bytes);
        }

        private void written(SymbolicMemory.Place target, int bytes) {
            if (bytes > 0) {
                shared.writers.write(target, bytes, rank);
            }
        }

        private Stretch stretch(SymbolicMemory.Place place) {
            if (isBoards(place) || isShared(place) && place.at() < head) {
                return new Stretch("board of rank " + owner(place), 0);
            }
            if (isShared(place)) {
                return new Stretch("SHARED", place.at() - head);
            }
            return new Stretch(names.computeIfAbsent(place.cells(), cells -> words(cells.name)), place.at());
        }

        private String words(String name) {
            boolean sent = name.startsWith(StraightCall.SENT);
            if (!sent && !name.startsWith(StraightCall.RECEIVED)) {
                return "SCRATCH";
            }
            String role = sent ? "SEND" : "RECV";
            return name.contains(" of rank " + rank + " in") ? role
                : role + name.substring(name.indexOf(" of rank"), name.indexOf(" in call"));
        }
    }

    private CodeRecorder() {
    }

    /**
     * The operations of all ranks.
     *
     * @param bytes by which the algorithm is chosen: the vector, a block, or all blocks
     * @throws IllegalArgumentException if the verifier does not run the algorithm's code, it does not serve such a
     * call, or its buffers are too long to be made here
     */
    public static CodeOperations of(Algorithm algorithm, int ranks, int root, long bytes) {
        Collective collective = algorithm.collective();
        if (!StraightSuite.isVerified(algorithm)) {
            throw new IllegalArgumentException(algorithm + " is not straight-line code in host memory");
        }
        long each = collective.counts == Counts.SHARED ? bytes / ranks : bytes;
        long longest = collective.counts == Counts.VECTOR ? bytes : Math.multiplyExact(each, (long) ranks);
        if (longest > MOST_BYTES) {
            throw new IllegalArgumentException(algorithm + " of " + bytes + " bytes on " + ranks
                + " ranks has buffers of "
                + longest + " bytes; operations are taken down up to " + MOST_BYTES + ": name fewer bytes or ranks");
        }
        int item = collective.reduces && each % Integer.BYTES == 0 ? Integer.BYTES : 1;
        int count = collective == Collective.BARRIER ? 0 : (int) (each / item);
        SampleCall sample = new SampleCall(collective, ranks, collective.rooted ? root : 0, count, 0, false, true);
        StraightRun run = new StraightRun(ranks, List.of(new StraightCall(0, algorithm, sample, item, true)), 1,
            SharedBufferAlgorithm.windowBytes(ranks), algorithm.restrictions().commutative(), "never", -1);
        Shared shared = new Shared();
        Recording[] recordings = new Recording[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            recordings[rank] = new Recording(rank, ranks, shared);
        }
        run.run(CodeRecorder::goOn, StraightRun.NO_FAULTS, recordings);
        List<List<MemoryOperation>> operations = new ArrayList<>();
        for (Recording recording : recordings) {
            operations.add(List.copyOf(recording.operations));
        }
        return new CodeOperations(algorithm.toString(), collective.rooted ? root : -1, bytes, operations);
    }

    /** The rank that runs goes on, as long as it can. */
    private static int goOn(int current, int[] ready, int count) {
        for (int i = 0; i < count; i++) {
            if (ready[i] == current) {
                return i;
            }
        }
        return 0;
    }
}
