package org.brigade.aggregation;

/** How the members of a group that is being made speak to each other, before and beside the network that reduces: over the ordinary links. All members make the same calls. */
public interface OutOfBand {
    /** This member's number, from 0. */
    int rank();

    int size();

    /**
     * Tells all members some bytes, and hears theirs; all give equally many.
     *
     * @return by member, ours too
     */
    byte[][] allgather(byte[] own);
}
