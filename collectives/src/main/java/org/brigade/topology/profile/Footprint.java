package org.brigade.topology.profile;

/**
 * The hardware that one transfer uses, as far as it is known; it tells which transfers share something. Two sets of
 * transfers whose footprints differ only in the numbers of the parts are equally fast.
 *
 * @param kind of the transfer as a whole: transfers of different kinds never replace each other
 * @param parts numbers of the used parts, in order, each once
 * @param kinds of each part: only parts of one kind may replace each other
 */
public record Footprint(int kind, int[] parts, int[] kinds) {
    /** Nothing is known. */
    public static final Footprint UNKNOWN = new Footprint(0, new int[0], new int[0]);

    /** Knows the footprints of a machine's transfers; always the same one for the same transfer. */
    public interface Source {
        Footprint of(Transfer transfer);
    }

    public Footprint {
        if (parts.length != kinds.length) {
            throw new IllegalArgumentException(parts.length + " parts of " + kinds.length + " kinds");
        }
    }
}
