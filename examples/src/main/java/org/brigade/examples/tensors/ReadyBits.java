package org.brigade.examples.tensors;

import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * What a rank has ready, as bits. After {@link #and}, a bit is set if it is set on all ranks: first come four that say
 * how things stand, then a bit for each number of {@link TensorTable}.
 */
final class ReadyBits {
    /** The rank has no tensor that others do not know. */
    static final int NOTHING_NEW = 0;
    /** The rank has no tensor. */
    static final int NOTHING_WAITS = 1;
    /** The rank has no tensor that has waited for too long. */
    static final int NOTHING_STALLS = 2;
    /** The rank has not closed the exchange. */
    static final int OPEN = 3;
    private static final int FLAGS = 4;

    private final long[] words;

    /** @param tensors how many are numbered: the same on all ranks */
    ReadyBits(int tensors) {
        words = new long[(FLAGS + tensors + Long.SIZE - 1) / Long.SIZE];
    }

    void flag(int flag, boolean value) {
        if (value) {
            words[0] |= 1L << flag;
        }
    }

    boolean flag(int flag) {
        return (words[0] & 1L << flag) != 0;
    }

    void setTensor(int number) {
        words[(FLAGS + number) / Long.SIZE] |= 1L << (FLAGS + number) % Long.SIZE;
    }

    boolean tensor(int number) {
        return (words[(FLAGS + number) / Long.SIZE] & 1L << (FLAGS + number) % Long.SIZE) != 0;
    }

    /** Called on all ranks together. */
    void and(Intracomm comm) throws MPIException {
        comm.allReduce(words, words.length, MPI.LONG, MPI.BAND);
    }
}
