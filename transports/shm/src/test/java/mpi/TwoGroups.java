package mpi;

import mpi.front.job.Handle;
import mpi.front.job.JobState;
import org.brigade.communicator.ThreadJob;
import org.brigade.transport.loopback.LoopbackJob;

/** One rank's view of two groups joined by an inter-communicator, in a job whose ranks are threads. */
final class TwoGroups {
    static final int TAG = 11;

    /** What a rank does. */
    interface Program {
        void run(TwoGroups groups) throws Exception;
    }

    final Intracomm world;
    final Intracomm local;
    final Intercomm inter;
    /** 0 or 1. */
    final int side;
    final int rank;
    final int size;
    final int remoteSize;

    private TwoGroups(Intracomm world, int mask) {
        this.world = world;
        side = mask >> world.getRank() & 1;
        // Odd masks: the ranks of a group in reverse order, and the last one leads.
        boolean odd = (mask & 1) == 1;
        local = world.split(side, odd ? -world.getRank() : world.getRank());
        int leader = odd ? local.getSize() - 1 : 0;
        inter = world.createIntercomm(local, leader, Integer.numberOfTrailingZeros(side == 0 ? mask : ~mask), TAG);
        rank = inter.getRank();
        size = inter.getSize();
        remoteSize = inter.getRemoteSize();
    }

    /** Runs a program in all ways to divide so many ranks into two groups. */
    static void inAllWays(int ranks, Program program) throws Exception {
        if (JobState.isNew()) {
            JobState.pretend(JobState.RUNNING);
        }
        ThreadJob.run(LoopbackJob.endpoints(ranks), (provider, lower) -> {
            Intracomm world = new Intracomm(Handle.of(lower));
            for (int mask = 1; mask < (1 << ranks) - 1; mask++) {
                TwoGroups groups = new TwoGroups(world, mask);
                program.run(groups);
                groups.inter.free();
                groups.local.free();
            }
        });
    }

    /** What a rank passes as root if the root is this rank of this side. */
    int root(int rootSide, int root) {
        return side != rootSide ? root : rank == root ? MPI.ROOT : MPI.PROC_NULL;
    }

    boolean isRoot(int rootSide, int root) {
        return side == rootSide && rank == root;
    }

    int sizeOf(int ofSide) {
        return ofSide == side ? size : remoteSize;
    }
}
