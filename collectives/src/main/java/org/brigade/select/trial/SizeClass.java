package org.brigade.select.trial;

import mpi.spi.Collective;
import org.brigade.algorithm.Placement;
import org.brigade.select.ByteSize;

/**
 * The blocking calls that one decision is for, on one set of GPUs.
 *
 * @param placement of all members' buffers
 * @param anyOrder whether {@linkplain SameBits#always all algorithms} give the same bits
 * @param octave log2 of the bytes, rounded down
 * @param shipped what the table says for them: if it says something else one day, this decision is void
 */
public record SizeClass(Collective collective, Placement placement, boolean anyOrder, int octave, Way shipped) {
    /** The class of calls of so many bytes, at least 1. */
    public static SizeClass of(Collective collective, Placement placement, boolean anyOrder, long bytes, Way shipped) {
        return new SizeClass(collective, placement, anyOrder, 63 - Long.numberOfLeadingZeros(bytes), shipped);
    }

    /** The same for another placement, for which the table says something else. */
    public SizeClass at(Placement another, Way says) {
        return new SizeClass(collective, another, anyOrder, octave, says);
    }

    /** As {@link #toString} writes it, without the shipped way; null if it cannot be read. */
    static SizeClass parse(String text, String shipped) {
        String[] words = text.split(" ");
        if (words.length != 4) {
            return null;
        }
        for (Collective collective : Collective.values()) {
            if (collective.key().equals(words[0])) {
                Way way = Way.parse(collective, shipped);
                try {
                    int octave = Integer.parseInt(words[3]);
                    boolean any = words[2].equals("any-order");
                    return way == null || octave < 0 || octave > 62 || !any && !words[2].equals("this-order") ? null
                        : new SizeClass(collective, Placement.valueOf(words[1]), any, octave, way);
                } catch (IllegalArgumentException e) {
                    return null;
                }
            }
        }
        return null;
    }

    /** For people: {@code allreduce of 1 MiB to 2 MiB}. */
    public String words() {
        return collective.key() + " of " + ByteSize.words(1L << octave) + " to " + ByteSize.words(1L << octave + 1)
            + (placement == Placement.ALIGNED ? "" : placement.aligned ? ", in place"
                : ", buffers not at multiples of " + Placement.ALIGNMENT + " bytes"
                    + (placement.inPlace ? ", in place" : ""))
            + (collective.reduces ? anyOrder ? ", operations that are exact in any order" : ", other operations" : "");
    }

    /** For files. */
    @Override
    public String toString() {
        return collective.key() + " " + placement + " " + (anyOrder ? "any-order" : "this-order") + " " + octave;
    }
}
