package org.brigade.verify.straight;

import java.nio.ByteBuffer;
import org.brigade.engine.node.SharedAccess;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.nativ.ProcessMemory;

/** What a rank does to symbolic memory. */
final class SymbolicAccess implements SharedAccess {
    private final SymbolicMemory memory;
    private final int rank;
    private final String storesPast;
    private final Operations operations;
    /** What the rank has looked for last, in vain. */
    private Cells.Word missed;
    private String missedName;

    SymbolicAccess(SymbolicMemory memory, int rank, String storesPast, Operations operations) {
        this.memory = memory;
        this.rank = rank;
        this.storesPast = storesPast;
        this.operations = operations;
    }

    /** Waits until the word that this rank has looked for last changes. */
    void blockOnMissed() {
        if (missed == null) {
            throw new IllegalStateException("a wait for nothing");
        }
        if (missed.waiting == null) {
            missed.waiting = new boolean[memory.ranks];
        }
        missed.waiting[rank] = true;
        memory.interleaving.block(rank, missedName);
    }

    @Override
    public NativeMemory view(ByteBuffer shared, int at, int bytes) {
        return memory.view(shared, at, bytes);
    }

    @Override
    public long load(NativeMemory words, int at) {
        SymbolicMemory.Place place = memory.place(words, at, rank);
        Cells cells = memory.wordsOf(place.cells());
        for (int i = 0; memory.hasTerms() && i < Long.BYTES / cells.bytes; i++) {
            cells.read(cells.cell(place.at()) + i, rank, memory.clocks[rank]);
        }
        return cells.values.getOrDefault((int) place.at(), 0L);
    }

    @Override
    public void store(NativeMemory words, int at, long value) {
        SymbolicMemory.Place place = memory.place(words, at, rank);
        Cells cells = memory.wordsOf(place.cells());
        for (int i = 0; memory.hasTerms() && i < Long.BYTES / cells.bytes; i++) {
            cells.write(cells.cell(place.at()) + i, Cells.WORD, rank, memory.clocks[rank]);
        }
        cells.values.put((int) place.at(), value);
    }

    @Override
    public void publish(NativeMemory words, int at, long value) {
        memory.interleaving.point(rank);
        SymbolicMemory.Place place = memory.place(words, at, rank);
        Cells.Word word = place.cells().word((int) place.at());
        operations.published(place, word.add(value, memory.release(rank)));
        for (int other = 0; word.waiting != null && other < memory.ranks; other++) {
            if (word.waiting[other]) {
                word.waiting[other] = false;
                memory.interleaving.wake(other);
            }
        }
    }

    @Override
    public boolean holds(NativeMemory words, int at, long value) {
        memory.interleaving.point(rank);
        SymbolicMemory.Place place = memory.place(words, at, rank);
        Cells.Word word = place.cells().word((int) place.at());
        if (word.count > 0 && word.value == value) {
            memory.acquire(rank, word.releases[word.count - 1].clock());
            operations.found(place, value, word.releases[word.count - 1]);
            return true;
        }
        miss(word, place, value);
        return false;
    }

    /** The rank learns what was known when the word came so far, however far it has come since. */
    @Override
    public boolean hasReached(NativeMemory words, int at, long least) {
        memory.interleaving.point(rank);
        SymbolicMemory.Place place = memory.place(words, at, rank);
        Cells.Word word = place.cells().word((int) place.at());
        word.grows = true;
        for (int i = 0; i < word.count; i++) {
            if (word.releases[i].value() >= least) {
                memory.acquire(rank, word.releases[i].clock());
                operations.found(place, least, word.releases[i]);
                return true;
            }
        }
        if (least <= 0) {
            return true;
        }
        miss(word, place, least);
        return false;
    }

    private void miss(Cells.Word word, SymbolicMemory.Place place, long value) {
        missed = word;
        missedName = "word " + place.at() + " of " + place.cells().name + " to be " + value + " (it is " + word.value
            + ")";
    }

    @Override
    public void copyIn(Region from, long at, NativeMemory to, int place, int bytes) {
        if (bytes > 0) {
            copy(memory.place(from, at, rank), memory.place(to, place, rank), bytes);
        }
    }

    @Override
    public void copyInPast(Region from, long at, NativeMemory to, int place, int bytes) {
        copyIn(from, at, to, place, bytes);
    }

    @Override
    public void copyOut(NativeMemory from, int place, Region to, long at, int bytes) {
        if (bytes > 0) {
            copy(memory.place(from, place, rank), memory.place(to, at, rank), bytes);
        }
    }

    @Override
    public void copyOutPast(NativeMemory from, int place, Region to, long at, int bytes) {
        copyOut(from, place, to, at, bytes);
    }

    @Override
    public void copy(NativeMemory from, int at, NativeMemory to, int place, int bytes) {
        if (bytes > 0) {
            copy(memory.place(from, at, rank), memory.place(to, place, rank), bytes);
        }
    }

    @Override
    public void copyOwn(Region to, long at, Region from, long place, long bytes) {
        if (bytes > 0) {
            copy(memory.place(from, place, rank), memory.place(to, at, rank), bytes);
        }
    }

    private void copy(SymbolicMemory.Place from, SymbolicMemory.Place to, long bytes) {
        memory.copy(rank, from, to, bytes);
        operations.copied(from, to, bytes, false);
    }

    @Override
    public long address(Region buffer) {
        return memory.address(memory.place(buffer, 0, rank));
    }

    @Override
    public long address(NativeMemory own) {
        return memory.address(memory.place(own, 0, rank));
    }

    @Override
    public int readPeer(ProcessMemory peer, long from, long to, long bytes) {
        memory.copy(rank, memory.at(from), memory.at(to), bytes);
        operations.copied(memory.at(from), memory.at(to), bytes, true);
        return 0;
    }

    @Override
    public boolean canStorePast() {
        return true;
    }

    @Override
    public String storesPast() {
        return storesPast;
    }
}
