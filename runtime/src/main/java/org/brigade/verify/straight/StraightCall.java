package org.brigade.verify.straight;

import java.util.Arrays;
import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Extent;
import mpi.spi.Operand;
import org.brigade.algorithm.Algorithm;
import org.brigade.verify.SampleCall;
import org.brigade.verify.Terms;
import org.brigade.verify.Wrong;

/**
 * One call of all ranks in a run: it makes the buffers, fills them with what each rank contributes, and checks what the
 * call has left in them.
 *
 * @param number of the call in its run
 * @param itemBytes of an item of {@code sample}
 * @param outside whether buffers lie outside the heap
 */
record StraightCall(int number, Algorithm algorithm, SampleCall sample, int itemBytes, boolean outside) {
    /** Names of buffers begin so. */
    static final String SENT = "what is sent";
    static final String RECEIVED = "what is received";
    private static final int BUFFERS = 2;

    /** The buffers of one rank. */
    record Buffers(Object send, Object recv) {
    }

    /** Elements of a rank's contribution: cells, or more where a vector is longer than what is sent. */
    int elements(int granule) {
        int most = 1;
        for (int rank = 0; rank < sample.ranks(); rank++) {
            most = Math.max(most, Math.max(sample.items(sample.sent(rank)), sample.items(sample.received(rank))));
        }
        return most * itemBytes / granule;
    }

    private Object buffer(int items) {
        int bytes = Math.max(1, items * itemBytes);
        return outside ? SymbolicMemory.buffer(bytes) : new byte[bytes];
    }

    /** Makes a rank's buffers and describes its call. @param first element of the call in a rank's terms */
    Buffers begin(int rank, Call call, SymbolicMemory memory, int first) {
        Collective collective = sample.collective();
        call.begin(collective, true);
        call.extent = itemBytes;
        if (collective.rooted) {
            call.root(sample.root());
        }
        if (collective == Collective.BARRIER) {
            return new Buffers(null, null);
        }
        boolean root = !collective.rooted || rank == sample.root();
        boolean sends = collective != Collective.BCAST && (root || !collective.scatters());
        boolean receives = root || collective.recv == Extent.OWN || collective == Collective.BCAST;
        boolean inRecv = sample.inReceiveBuffer(rank);
        boolean inSend = sample.inPlace() && collective.scatters() && root;
        int[] sent = sample.sent(rank);
        int[] received = sample.received(rank);
        Object send = sends && !inRecv ? buffer(sample.items(sent)) : null;
        int[] held = collective == Collective.REDUCE_SCATTER && inRecv ? sent : received;
        Object recv = receives && !inSend ? buffer(sample.items(held)) : null;
        String of = " of rank " + rank + " in call " + number;
        if (send != null) {
            fill(memory.name(send, SENT + of), 0, sample.items(sent), rank, first, memory);
        }
        if (recv != null) {
            Cells cells = memory.name(recv, RECEIVED + of);
            if (inRecv) {
                fill(cells, sample.ownPlace(rank), sample.items(sent), rank, first, memory);
            }
        }
        describe(call, rank, send, recv, sends, receives, sent, received);
        return new Buffers(send, recv);
    }

    private void fill(Cells cells, int item, int items, int rank, int first, SymbolicMemory memory) {
        int width = itemBytes / memory.granule;
        for (int i = 0; memory.hasTerms() && i < items * width; i++) {
            cells.fill(item * width + i, memory.terms.leaf(rank, first + i));
        }
    }

    private void describe(Call call, int rank, Object send, Object recv, boolean sends, boolean receives, int[] sent,
        int[] received) {
        Collective collective = sample.collective();
        boolean inPlace = sample.inPlace();
        boolean scatters = collective.scatters();
        if (collective == Collective.REDUCE_SCATTER && inPlace) {
            operand(call.send, recv, collective.send, sent);
            call.recv.own(recv, 0, (long) received[0] * itemBytes);
            call.inPlace = true;
            return;
        }
        boolean here = inPlace && (!collective.rooted || rank == sample.root());
        if (sends && (!here || scatters)) {
            operand(call.send, send, collective.send, sent);
        } else {
            call.send.none();
        }
        if (receives && (!here || !scatters)) {
            operand(call.recv, recv, collective.recv, received);
        } else {
            call.recv.none();
        }
        if (here && collective != Collective.BCAST) {
            call.inPlace();
        }
    }

    private void operand(Operand operand, Object buffer, Extent extent, int[] counts) {
        if (extent == Extent.VECTOR) {
            operand.vector(buffer, 0, counts[0], itemBytes);
        } else if (extent == Extent.OWN) {
            operand.own(buffer, 0, (long) counts[0] * itemBytes);
        } else if (sample.listed() || sample.collective() == Collective.REDUCE_SCATTER) {
            int[] places = Arrays.copyOf(sample.places(counts), counts.length);
            operand.listed(buffer, 0, counts, places, itemBytes, counts.length);
        } else {
            operand.each(buffer, 0, (long) counts[0] * itemBytes, counts.length);
        }
    }

    /** The terms of an allreduce, which are the same on all ranks. */
    static final class Agreed {
        private int[] terms;
    }

    /**
     * Throws at the first byte of a rank's buffers that is not what MPI defines. Then the buffers are the caller's
     * again, who writes to them.
     *
     * @param first as in {@link #begin}
     */
    void check(int rank, Buffers buffers, SymbolicMemory memory, int first, Agreed agreed) {
        int width = itemBytes / memory.granule;
        boolean[] expected = new boolean[elements(memory.granule)];
        if (buffers.recv != null || sample.collective().scatters()) {
            sample.result(rank, (at, source, terms, from, count) -> {
                Cells cells = cells(buffers.recv, memory);
                for (int i = 0; i < count * width; i++) {
                    int cell = at * width + i;
                    expected[cell] = true;
                    requireTerm(cells, cell, source, terms, first, from * width + i, memory);
                }
            });
        }
        if (sample.collective() == Collective.ALLREDUCE) {
            agree(cells(buffers.recv, memory), rank, expected.length, agreed);
        }
        untouched(buffers, rank, expected, memory);
        for (Object buffer : new Object[] {buffers.send, buffers.recv}) {
            if (buffer != null) {
                cells(buffer, memory).reuse(rank, memory.clocks[rank]);
            }
        }
    }

    private void requireTerm(Cells cells, int cell, int source, int ranks, int first, int element,
        SymbolicMemory memory) {
        int term = cells.term(cell);
        boolean right = ranks == 1 ? term == memory.terms.leaf(source, first + element)
            : memory.terms.sumsAll(term, ranks, first + element);
        if (!right) {
            throw new Wrong("byte " + cell * (long) memory.granule + " of " + cells.name + ": "
                + (ranks == 1 ? "expected element " + element + " of rank " + source : "expected the sum of all ranks")
                + ", got "
                + (term == Terms.UNWRITTEN ? "nothing" : memory.terms.toString(term, first + element)));
        }
    }

    private static void agree(Cells cells, int rank, int count, Agreed agreed) {
        if (agreed.terms == null) {
            agreed.terms = new int[count];
            Arrays.setAll(agreed.terms, cells::term);
        }
        for (int cell = 0; cell < count; cell++) {
            if (agreed.terms[cell] != cells.term(cell)) {
                throw new Wrong("rank " + rank + " adds up in another order than the rank that ended first, at byte "
                    + (long) cell * cells.bytes + " of " + cells.name);
            }
        }
    }

    private static Cells cells(Object buffer, SymbolicMemory memory) {
        return memory.known(buffer);
    }

    /** Nothing but the result is written. */
    private void untouched(Buffers buffers, int rank, boolean[] expected, SymbolicMemory memory) {
        Object[] both = {buffers.send, buffers.recv};
        for (int i = 0; i < BUFFERS; i++) {
            boolean undefined = sample.collective() == Collective.REDUCE_SCATTER && sample.inPlace();
            boolean root = sample.collective() == Collective.BCAST && rank == sample.root();
            Cells cells = both[i] == null || undefined ? null : cells(both[i], memory);
            for (int cell = 0; cells != null && cell < expected.length; cell++) {
                if ((i == 0 || root || !expected[cell]) && cells.isWritten(cell)) {
                    throw new Wrong("byte " + cell * (long) memory.granule + " of " + cells.name
                        + " is written, which is not of the result");
                }
            }
        }
    }

    @Override
    public String toString() {
        return algorithm.collective().key() + "/" + algorithm.name() + " of " + sample.count() + " items of "
            + itemBytes
            + " bytes" + (sample.collective().rooted ? ", root " + sample.root() : "")
            + (sample.inPlace() ? ", in place" : "") + (outside ? ", outside the heap" : "");
    }
}
