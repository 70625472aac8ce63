package org.brigade.verify.straight;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.brigade.verify.Terms;
import org.brigade.verify.Wrong;

/**
 * One stretch of symbolic memory. A cell is so many bytes that are always copied together; it holds a term, and knows
 * which rank wrote it last and which have read it since, each with that rank's clock. Words that order memory lie
 * beside the cells.
 */
final class Cells {
    /** The term of bytes that a word has been stored in. */
    static final int WORD = -1;
    private static final int NOBODY = -1;

    /** A word that a rank has published, and what that rank knew. */
    record Release(long value, int[] clock) {
    }

    /** The values of a word, the first of which is 0. */
    static final class Word {
        long value;
        Release[] releases = new Release[4];
        int count;
        /** Whether somebody has waited for it to come so far: it must never fall. */
        boolean grows;
        /** The ranks that wait for it. */
        boolean[] waiting;

        Release add(long published, int[] clock) {
            if (count == releases.length) {
                releases = Arrays.copyOf(releases, 2 * count);
            }
            value = published;
            releases[count] = new Release(published, clock);
            return releases[count++];
        }
    }

    final String name;
    final int bytes;
    private int[] terms = {};
    private int[] writer = {};
    private int[] written = {};
    /** The only reader since the last write, or none; all readers' clocks if there are more. */
    private int[] reader = {};
    private int[] read = {};
    private int[][] readers = {};
    /** By position: plain values, and words that are published. */
    final Map<Integer, Long> values = new HashMap<>();
    final Map<Integer, Word> words = new HashMap<>();

    /** @param bytes of a cell */
    Cells(String name, int bytes) {
        this.name = name;
        this.bytes = bytes;
    }

    private void reach(int cell) {
        if (cell >= terms.length) {
            int before = terms.length;
            int length = Math.max(64, Math.max(cell + 1, before + before / 2));
            terms = Arrays.copyOf(terms, length);
            writer = Arrays.copyOf(writer, length);
            written = Arrays.copyOf(written, length);
            reader = Arrays.copyOf(reader, length);
            read = Arrays.copyOf(read, length);
            readers = Arrays.copyOf(readers, length);
            Arrays.fill(writer, before, length, NOBODY);
            Arrays.fill(reader, before, length, NOBODY);
        }
    }

    /** The cell at a position, which must be where one begins. */
    int cell(long at) {
        if (at < 0 || at % bytes != 0) {
            throw new Wrong(name + ": byte " + at + " is not where a cell of " + bytes + " begins");
        }
        return (int) (at / bytes);
    }

    /** Gives a cell a term before the run. */
    void fill(int cell, int term) {
        reach(cell);
        terms[cell] = term;
    }

    /** After the run. */
    int term(int cell) {
        return cell < terms.length ? terms[cell] : Terms.UNWRITTEN;
    }

    /** Whether a rank has written to a cell. */
    boolean isWritten(int cell) {
        return cell < writer.length && writer[cell] != NOBODY;
    }

    /** The caller writes to all of a buffer that a call has given back. */
    void reuse(int rank, int[] clock) {
        for (int cell = 0; cell < terms.length; cell++) {
            write(cell, terms[cell], rank, clock);
        }
    }

    int read(int cell, int rank, int[] clock) {
        reach(cell);
        int by = writer[cell];
        if (by != NOBODY && clock[by] < written[cell]) {
            throw new Wrong("rank " + rank + " reads " + place(cell) + ", which rank " + by
                + " writes without having told it so");
        }
        if (terms[cell] == Terms.UNWRITTEN) {
            throw new Wrong("rank " + rank + " reads " + place(cell) + ", which nobody has written");
        }
        if (reader[cell] == NOBODY || reader[cell] == rank && readers[cell] == null) {
            reader[cell] = rank;
            read[cell] = clock[rank];
        } else {
            if (readers[cell] == null) {
                readers[cell] = new int[clock.length];
                readers[cell][reader[cell]] = read[cell];
            }
            readers[cell][rank] = clock[rank];
        }
        return terms[cell];
    }

    void write(int cell, int term, int rank, int[] clock) {
        reach(cell);
        int by = writer[cell];
        if (by != NOBODY && clock[by] < written[cell]) {
            throw new Wrong("ranks " + by + " and " + rank + " write " + place(cell)
                + ", and neither knows whether the other has done so");
        }
        if (readers[cell] != null) {
            for (int other = 0; other < clock.length; other++) {
                requireRead(cell, rank, clock, other, readers[cell][other]);
            }
            readers[cell] = null;
        } else if (reader[cell] != NOBODY) {
            requireRead(cell, rank, clock, reader[cell], read[cell]);
        }
        reader[cell] = NOBODY;
        writer[cell] = rank;
        written[cell] = clock[rank];
        terms[cell] = term;
    }

    private void requireRead(int cell, int rank, int[] clock, int other, int when) {
        if (clock[other] < when) {
            throw new Wrong("rank " + rank + " overwrites " + place(cell) + ", which rank " + other
                + " may still be reading");
        }
    }

    private String place(int cell) {
        return "byte " + (long) cell * bytes + " of " + name;
    }

    /** Throws if a word that others compare with what they wait for has fallen. */
    void requireGrowth() {
        words.forEach((at, word) -> {
            for (int i = 1; i < word.count && word.grows; i++) {
                if (word.releases[i].value() < word.releases[i - 1].value()) {
                    throw new Wrong("the word at " + at + " of " + name + " falls from " + word.releases[i - 1].value()
                        + " to " + word.releases[i].value());
                }
            }
        });
    }

    Word word(int at) {
        return words.computeIfAbsent(at, position -> new Word());
    }
}
