package org.brigade.waiting;

/** Where a rank notes its long waits, for other processes to see. */
public interface WaitBoard {
    /** Notes a wait that was noted first at {@code since}. */
    void write(Wait wait, long since, long now);

    /** The rank still waits, in the call that was noted last. */
    void seen(long now);
}
