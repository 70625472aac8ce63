package org.brigade.bootstrap;

import java.util.Objects;

/**
 * This process's place in the job and on its node, and a key that all ranks of the job share and no other running job
 * has. The launcher does not tell which ranks are on which node: with several nodes, the ranks find out
 * ({@link Nodes}).
 *
 * @param launcher its name, for messages: {@code mpjrun}, {@code Open MPI}, {@code PMI}, {@code Slurm}, {@code none}
 * @param rank 0 to size - 1
 * @param localRank rank among the processes of this node
 * @param localSize processes of the job on this node
 * @param key letters, digits, '.', '_' and '-' only, so that it may be part of a file name
 * @param node number of this node by the launcher's count; 0 if it does not say
 * @param nodes number of nodes; 0 if the launcher does not say
 * @param joined whether these are the processes of several jobs that have met, so of several launchers perhaps
 */
public record Job(String launcher, int rank, int size, int localRank, int localSize, String key, int node, int nodes,
    boolean joined) {
    /** The most ranks a job can have: a communicator's context has 13 bits for the rank that made it. */
    public static final int MOST_RANKS = 1 << 13;

    public Job {
        Objects.requireNonNull(launcher);
        Objects.requireNonNull(key);
        if (size < 1 || rank < 0 || rank >= size) {
            throw new IllegalArgumentException("rank " + rank + " of " + size);
        }
    }

    public Job(String launcher, int rank, int size, int localRank, int localSize, String key, int node, int nodes) {
        this(launcher, rank, size, localRank, localSize, key, node, nodes, false);
    }

    /** A job whose nodes the launcher does not number. */
    public Job(String launcher, int rank, int size, int localRank, int localSize, String key) {
        this(launcher, rank, size, localRank, localSize, key, 0, localSize == size ? 1 : 0);
    }

    /** Why a job of so many ranks cannot be. */
    public static String tooMany(long ranks) {
        return "a job of " + ranks + " is asked for, and this version serves at most " + MOST_RANKS
            + " ranks; start fewer";
    }

    /** Whether all ranks share this node. */
    public boolean onOneNode() {
        return localSize == size;
    }
}
