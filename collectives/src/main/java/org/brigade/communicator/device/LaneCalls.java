package org.brigade.communicator.device;

/** Calls of one communicator on devices that nobody may wait for, served by {@link LaneThread}. Under the lock. */
interface LaneCalls {
    /** Launches what can be launched, and notes what has ended; true if there was anything. */
    boolean poll();

    /** Whether no call is under way on the device, or may yet be. */
    boolean isIdle();

    /** The last call under way has ended. */
    void idles();

    /** Whether calls wait to be launched. */
    boolean hasAnnounced();

    /** Whether {@link #open} has to be called. */
    default boolean isOpening() {
        return false;
    }

    /** Opens what the first call needs, together with the members. Releases the lock while it waits. */
    default void open() {
    }

    /** Looks now and then at members that have not begun what this rank has announced. */
    void lookAtMembers();

    /** A member is lost, or has left if {@code leaving}: calls that wait for it fail. */
    void failLost(boolean leaving);
}
