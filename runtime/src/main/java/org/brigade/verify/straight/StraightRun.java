package org.brigade.verify.straight;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import mpi.spi.Call;
import mpi.spi.Collective;
import org.brigade.engine.ShortMessages;
import org.brigade.engine.node.PulledBlocks;
import org.brigade.engine.node.SharedAccess;
import org.brigade.engine.node.SharedBuffer;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.verify.Terms;
import org.brigade.verify.Wrong;

/**
 * Calls of straight-line code by all ranks, one after another, on one communicator: a program for the verifier.
 *
 * @param calls in order
 * @param granule bytes of a cell; all items and pieces are multiples
 * @param halfBytes of the shared buffer
 * @param commutative whether the order of operands does not matter
 * @param past which ranks store past the caches: never, always (all) or measured (every other one)
 * @param handOver the call before which another communicator takes the shared buffer over; -1: none does
 */
record StraightRun(int ranks, List<StraightCall> calls, int granule, int halfBytes, boolean commutative, String past,
    int handOver) {
    /** Names of the memory that ranks share. */
    static final String SHARED = "the shared buffer";
    static final String BOARDS = "the boards";
    private static final long FIRST_KEY = 1L << 32;
    private static final long HAND_OVER_KEY = 1L << 40;

    /** Stands between a rank's code and its memory, to break it. */
    interface Faults {
        default SharedAccess access(SharedAccess access, int rank) {
            return access;
        }

        default ShortMessages messages(ShortMessages messages, int rank) {
            return messages;
        }

        /** Whether the rank's reductions have their operands in the wrong order. */
        default boolean swapsOperands(int rank) {
            return false;
        }
    }

    /** No faults. */
    static final Faults NO_FAULTS = new Faults() {
    };

    /**
     * Runs all ranks. Throws {@link Wrong} at the first fault.
     *
     * @param operations by rank: takes what the rank does, and bytes have no terms; null to check them
     */
    void run(Interleaving.Order order, Faults faults, Operations[] operations) {
        int[] first = new int[calls.size() + 1];
        for (int i = 0; i < calls.size(); i++) {
            first[i + 1] = first[i] + calls.get(i).elements(granule);
        }
        Terms terms = operations == null ? new Terms(ranks, first[calls.size()], commutative) : null;
        Interleaving interleaving = new Interleaving(ranks, order);
        SymbolicMemory memory = new SymbolicMemory(ranks, terms, interleaving, granule);
        int head = SharedBuffer.headBytes(ranks);
        ByteBuffer shared = SymbolicMemory.buffer(head + 2 * halfBytes);
        memory.name(shared, SHARED);
        ByteBuffer boards = SymbolicMemory.buffer(ranks * PulledBlocks.BYTES);
        memory.name(boards, BOARDS);
        SymbolicMessages.Channels channels = new SymbolicMessages.Channels(ranks);
        StraightCall.Buffers[][] buffers = new StraightCall.Buffers[calls.size()][ranks];
        Call[][] made = new Call[calls.size()][ranks];
        for (int i = 0; i < calls.size(); i++) {
            for (int rank = 0; rank < ranks; rank++) {
                made[i][rank] = new Call(rank, ranks);
                buffers[i][rank] = calls.get(i).begin(rank, made[i][rank], memory, first[i]);
            }
        }
        int[][] entered = new int[calls.size()][ranks];
        StraightCall.Agreed[] agreed = new StraightCall.Agreed[calls.size()];
        Arrays.setAll(agreed, i -> new StraightCall.Agreed());
        interleaving.run(rank -> {
            Operations own = operations == null ? Operations.NONE : operations[rank];
            SymbolicAccess access = new SymbolicAccess(memory, rank, past(rank), own);
            boolean swaps = faults.swapsOperands(rank);
            SharedAccess used = faults.access(access, rank);
            ShortMessages messages =
                faults.messages(new SymbolicMessages(channels, memory, rank, own), rank);
            NativeMemory[] slots = new NativeMemory[ranks];
            for (int member = 0; member < ranks; member++) {
                slots[member] = used.view(boards, member * PulledBlocks.BYTES, PulledBlocks.BYTES);
            }
            SharedBuffer buffer = new SharedBuffer(shared, ranks, rank, used);
            StraightRank code = new StraightRank(rank, ranks, messages, used, new SymbolicMembers(access, memory, rank),
                new PulledBlocks(slots, rank, used), buffer);
            for (int i = 0; i < calls.size(); i++) {
                if (i == handOver) {
                    handOver(rank, code, buffer, access, messages);
                }
                StraightCall call = calls.get(i);
                synchronized (memory) {
                    memory.clocks[rank][rank]++;
                    entered[i][rank] = memory.clocks[rank][rank];
                }
                boolean reduces = call.algorithm().collective().reduces;
                code.run(FIRST_KEY + 4L * i, made[i][rank], call.algorithm(),
                    reduces ? new SymbolicCombiner(memory, rank, call.itemBytes(), swaps, own) : null,
                    reduces ? new SymbolicCombiner(memory, rank, call.itemBytes(), !swaps, own) : null);
                if (call.algorithm().collective() == Collective.BARRIER) {
                    requireAll(rank, memory, entered[i]);
                }
                if (memory.hasTerms()) {
                    call.check(rank, buffers[i][rank], memory, first[i], agreed[i]);
                }
            }
        });
        String left = channels.left();
        if (left != null) {
            throw new Wrong(left);
        }
        memory.known(shared).requireGrowth();
    }

    private String past(int rank) {
        return past.equals("measured") ? rank % 2 == 0 ? "always" : "never" : past;
    }

    /** As {@link org.brigade.engine.node.SharedBuffers}: rank 0 waits until all have ended, and tells the others. */
    private void handOver(int rank, StraightRank code, SharedBuffer buffer, SymbolicAccess access,
        ShortMessages messages) {
        Region nothing = new Region();
        code.end();
        if (rank == 0) {
            while (!buffer.haveEnded(1)) {
                access.blockOnMissed();
            }
            for (int peer = 1; peer < ranks; peer++) {
                messages.send(peer, HAND_OVER_KEY, nothing, 0, "a hand-over");
            }
        } else {
            messages.receive(0, HAND_OVER_KEY, nothing, 0, "a hand-over");
        }
        code.takeOver();
    }

    /** Who leaves a barrier knows that all have entered it. */
    private static void requireAll(int rank, SymbolicMemory memory, int[] entered) {
        for (int other = 0; other < entered.length; other++) {
            if (entered[other] == 0 || memory.clocks[rank][other] < entered[other]) {
                throw new Wrong("rank " + rank + " may leave the barrier before rank " + other + " has entered it");
            }
        }
    }

    @Override
    public String toString() {
        return ranks + " ranks: " + calls + (handOver < 0 ? "" : ", the shared buffer handed over before call "
            + handOver);
    }
}
