package org.brigade.transport;

/** A fabric that can store once and reach several nodes. All ranks of a job find one, or none does. */
public interface Multicasts {
    /** By which the ranks of a communicator, members or not, tell each other two words. */
    interface Words {
        /** The bits that all ranks' words have. All ranks call it equally often. */
        long common(long word);
    }

    /**
     * Opens a multicast; all ranks of a communicator call it together and come to the same answer.
     *
     * @param leaders ranks of the communicator, ascending: one for each of its nodes
     * @param members the ranks of the communicator, as ranks of the job
     * @param rank this rank in the communicator
     * @return null, on all ranks, if the fabric has none left
     */
    Multicast open(int[] leaders, int[] members, int rank, Words words);
}
