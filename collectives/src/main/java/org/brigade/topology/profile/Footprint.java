package org.brigade.topology.profile;

/**
 * What one transfer goes through, so far as it is known: which transfers share what follows from it. Two sets of
 * transfers whose footprints are the same but for the numbers of the parts are as fast as each other.
 *
 * @param kind of the transfer as a whole: transfers of different kinds never stand for each other
 * @param parts numbers of what it goes through, in order, each once
 * @param kinds of each part: only parts of one kind may stand for each other
 */
public record Footprint(int kind, int[] parts, int[] kinds) {
    /** Nothing is known. */
    public static final Footprint UNKNOWN = new Footprint(0, new int[0], new int[0]);

    /** Knows the footprints of a machine's transfers; the same one for the same transfer. */
    public interface Source {
        Footprint of(Transfer transfer);
    }

    public Footprint {
        if (parts.length != kinds.length) {
            throw new IllegalArgumentException(parts.length + " parts of " + kinds.length + " kinds");
        }
    }
}
