package org.brigade.verify.straight;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.verify.Terms;
import org.brigade.verify.Wrong;

/** The memory of all ranks in one run, and what each rank knows of the others: a vector clock. */
final class SymbolicMemory {
    /** Cells, and the byte of them at which a buffer begins. */
    record Place(Cells cells, long at) {
    }

    /** All buffers outside the heap lie here, above each other: only their objects tell them apart. */
    private static ByteBuffer all = ByteBuffer.allocateDirect(4 << 20);
    private static final int WORD_BYTES = 8;
    /** An address names one of the stretches of memory in its upper bits. */
    private static final int ADDRESS_BITS = 40;

    final int ranks;
    final Terms terms;
    final Interleaving interleaving;
    /** Bytes of a cell. */
    final int granule;
    /** By rank: the latest clock of each rank that it knows. */
    final int[][] clocks;
    private final Map<Object, Place> places = new IdentityHashMap<>();
    private final Map<Cells, Cells> wordCells = new IdentityHashMap<>();
    private final List<Cells> addressed = new ArrayList<>();

    /** @param terms null: nothing is known of bytes but that they are copied */
    SymbolicMemory(int ranks, Terms terms, Interleaving interleaving, int granule) {
        this.ranks = ranks;
        this.terms = terms;
        this.interleaving = interleaving;
        this.granule = granule;
        clocks = new int[ranks][ranks];
        for (int rank = 0; rank < ranks; rank++) {
            clocks[rank][rank] = 1;
        }
    }

    /** A buffer outside the heap, of which the bytes mean nothing. */
    static synchronized ByteBuffer buffer(int bytes) {
        if (bytes > all.capacity()) {
            all = ByteBuffer.allocateDirect(bytes);
        }
        return all.slice(0, bytes);
    }

    /** Whether it is known whose contribution bytes are. */
    boolean hasTerms() {
        return terms != null;
    }

    /** Makes a buffer known by a name. */
    Cells name(Object buffer, String name) {
        Cells cells = new Cells(name, granule);
        places.put(buffer, new Place(cells, 0));
        return cells;
    }

    /** The cells of a buffer that has a name. */
    Cells known(Object buffer) {
        return places.get(buffer).cells;
    }

    NativeMemory view(ByteBuffer shared, int at, int bytes) {
        NativeMemory view = new NativeMemory(shared.slice(at, bytes));
        Place whole = place(shared, "shared memory");
        places.put(view.bytes, new Place(whole.cells, whole.at + at));
        return view;
    }

    /** Memory that is met for the first time is the rank's own. */
    private Place place(Object buffer, String name) {
        Place place = places.get(buffer);
        if (place == null) {
            name(buffer, name);
            place = places.get(buffer);
        }
        return place;
    }

    Place place(NativeMemory memory, long at, int rank) {
        Place place = place(memory.bytes, "rank " + rank + "'s own memory");
        return new Place(place.cells, place.at + at);
    }

    Place place(Region region, long at, int rank) {
        Place place = place(region.buffer(), "rank " + rank + "'s own memory");
        return new Place(place.cells, place.at + region.offset() + at);
    }

    /**
     * The cells in which words of a stretch of memory are stored: the same ones unless those are longer than a word.
     */
    Cells wordsOf(Cells cells) {
        return granule <= WORD_BYTES ? cells
            : wordCells.computeIfAbsent(cells, data -> new Cells("words of " + data.name, WORD_BYTES));
    }

    /** What a rank knows now; it then goes on to its next clock. */
    int[] release(int rank) {
        int[] clock = clocks[rank].clone();
        clocks[rank][rank]++;
        return clock;
    }

    void acquire(int rank, int[] clock) {
        int[] own = clocks[rank];
        for (int other = 0; other < ranks; other++) {
            own[other] = Math.max(own[other], clock[other]);
        }
    }

    long address(Place place) {
        int number = addressed.indexOf(place.cells);
        if (number < 0) {
            number = addressed.size();
            addressed.add(place.cells);
        }
        return (number + 1L << ADDRESS_BITS) + place.at;
    }

    Place at(long address) {
        int number = (int) (address >>> ADDRESS_BITS) - 1;
        if (number < 0 || number >= addressed.size()) {
            throw new Wrong("an address that no rank has told");
        }
        return new Place(addressed.get(number), address & (1L << ADDRESS_BITS) - 1);
    }

    void copy(int rank, Place from, Place to, long bytes) {
        if (from.cells == to.cells && from.at == to.at || bytes == 0 || terms == null) {
            return;
        }
        int source = from.cells.cell(from.at);
        int target = to.cells.cell(to.at);
        int count = from.cells.cell(bytes);
        for (int i = 0; i < count; i++) {
            to.cells.write(target + i, from.cells.read(source + i, rank, clocks[rank]), rank, clocks[rank]);
        }
    }

    /** The terms of a stretch of memory, as they are sent. */
    int[] read(int rank, Place from, int bytes) {
        int[] read = new int[bytes == 0 || terms == null ? 0 : from.cells.cell(bytes)];
        for (int i = 0; i < read.length; i++) {
            read[i] = from.cells.read(from.cells.cell(from.at) + i, rank, clocks[rank]);
        }
        return read;
    }

    void write(int rank, Place to, int[] these) {
        for (int i = 0; i < these.length; i++) {
            to.cells.write(to.cells.cell(to.at) + i, these[i], rank, clocks[rank]);
        }
    }
}
