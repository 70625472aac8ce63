package org.brigade.bootstrap;

import java.util.Objects;

/**
 * Who this process is: its place in the job and on its node, and a key that all ranks of the job share and no other job
 * running at the same time has.
 *
 * @param launcher  who told us, for messages: {@code mpjrun}, {@code Open MPI}, {@code PMI}, {@code Slurm}, {@code none}
 * @param rank      0 to size - 1
 * @param localRank rank among the processes of this node
 * @param localSize processes of the job on this node
 * @param key       letters, digits, '.', '_' and '-' only, so that it may be part of a file name
 */
public record Job(String launcher, int rank, int size, int localRank, int localSize, String key) {
    public Job {
        Objects.requireNonNull(launcher);
        Objects.requireNonNull(key);
        if (size < 1 || rank < 0 || rank >= size) {
            throw new IllegalArgumentException("rank " + rank + " of " + size);
        }
    }

    /** Whether all ranks share this node. */
    public boolean onOneNode() {
        return localSize == size;
    }
}
