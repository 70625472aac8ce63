package org.brigade.device;

import mpi.ErrorClass;
import mpi.MPIException;

/** The fused collectives of one communicator on device memory. Under the progress lock, one thread at a time. */
public interface DeviceGroup {
    /**
     * What a member cannot do with this buffer or call although others could, as a sentence with its cure (a buffer on
     * another GPU than the group's); null if all is well. Asked before the call is announced, so that nobody waits for
     * this rank.
     */
    String refuses(DeviceCall call);

    /**
     * Returns when nothing runs any more that this rank has given to the devices without waiting: before a call is
     * announced, so that members who meet in a call have ended all before it.
     */
    default void settle(Waiting waiting) {
    }

    /**
     * Runs a blocking collective: every member calls this with a matching call, and all have agreed on the algorithm.
     * Returns when this rank's buffers may be used again.
     *
     * @throws mpi.MPIException if the device or a peer fails
     */
    void run(DeviceCall call, Waiting waiting);

    /** Ends the group; collective is not needed. Never throws. */
    void close();

    /**
     * What to do between looks at a word that is not there yet: lets others progress, and ends the job if a peer is
     * lost.
     */
    interface Waiting {
        void turn();

        /** What to throw as a peer is lost, here as a sentence; ends the job if that is what its loss means. */
        default MPIException lost(String why) {
            return ErrorClass.PROC_ABORTED.in("device memory", why);
        }
    }
}
