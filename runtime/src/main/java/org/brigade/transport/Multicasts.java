package org.brigade.transport;

/**
 * Opens multicasts of a fabric that reaches several nodes with one store. Either all ranks of a job have it or none.
 */
public interface Multicasts {
    /** Exchanges words between all ranks of the communicator, whether they are members of the multicast or not. */
    interface Words {
        /**
         * Replaces each word with the bitwise AND of all ranks' values. All ranks call it equally often. Other threads
         * of this process run meanwhile, and may open other multicasts.
         */
        void common(long[] words);
    }

    /**
     * Opens a multicast. All ranks of a communicator call it together and get the same answer.
     *
     * @param leaders ranks of the communicator, ascending: one for each of its nodes
     * @param members the ranks of the communicator, as ranks of the job
     * @param rank this rank in the communicator
     * @return null, on all ranks, if the fabric has none left
     */
    Multicast open(int[] leaders, int[] members, int rank, Words words);
}
