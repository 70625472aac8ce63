package org.brigade.device;

import java.util.List;
import mpi.ErrorClass;
import mpi.MPIException;

/** The collectives on device memory of one communicator. Under the progress lock, one thread at a time. */
public interface DeviceGroup {
    /**
     * Why this member cannot do this call although others might, as a sentence with the cure (such as a buffer on
     * another GPU than the group's); null if it can. Asked before the call is announced, so that no peer waits for this
     * rank.
     */
    String refuses(DeviceCall call);

    /**
     * What its members' devices and the links between them are, with the driver's version: what was measured on one
     * such machine holds on another. The same on all members; null if unknown.
     */
    default String machine() {
        return null;
    }

    /** What makes this group's calls slower than they could be. */
    default List<DeviceCost> costs() {
        return List.of();
    }

    /**
     * Waits until all work has ended that this rank has given to the devices asynchronously. Called before a call is
     * announced, so that members who meet in a call have finished all earlier work.
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

    /**
     * Whether the last call may be {@linkplain DeviceCall#again made again} with fewer steps: a kernel that is there
     * for more than one call served it.
     */
    default boolean stays() {
        return false;
    }

    /**
     * Takes what this member needs for calls that nobody waits for: a queue of its device, with room for the largest
     * grid of such a call beside those of all other queues and of one blocking call.
     *
     * @return false if there is no queue left
     */
    default boolean openQueue() {
        return false;
    }

    /** Gives the queue back; nothing runs there. */
    default void closeQueue() {
    }

    /** Thread blocks that a queue has room for on every member's device; 0 if these have no queues. */
    default int queueBlocks() {
        return 0;
    }

    /** Whether calls on the user's streams take turns with this group's, which must then not be under way. */
    default boolean isShared() {
        return false;
    }

    /**
     * Puts a collective into the queue and returns at once. All members do so, with matching calls and in the same
     * order, and have agreed on the algorithm. The call runs after all earlier ones of the queue.
     *
     * @return its number, for {@link #hasEnded}
     * @throws mpi.MPIException if the device refuses
     */
    default long launch(DeviceCall call) {
        throw new IllegalStateException("these devices have no queues: queueBlocks() is 0");
    }

    /**
     * Whether a call of the queue has ended, so that this rank's buffers may be used again.
     *
     * @throws mpi.MPIException if it failed, or a peer is lost; then nothing of the group runs any more
     */
    default boolean hasEnded(long number, Waiting waiting) {
        throw new IllegalStateException("these devices have no queues: queueBlocks() is 0");
    }

    /** Ends the group; collective is not needed. Never throws. */
    void close();

    /**
     * What to do between two looks at a word that is still missing: lets others progress, and ends the job if a peer is
     * lost.
     */
    interface Waiting {
        void turn();

        /** The exception to throw when a peer is lost, with this reason; ends the job if errors are fatal. */
        default MPIException lost(String why) {
            return ErrorClass.PROC_FAILED.in("device memory", why);
        }
    }
}
