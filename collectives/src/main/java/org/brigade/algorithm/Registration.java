package org.brigade.algorithm;

/** What of the buffers of a call on a stream is registered; together 0 to 3. */
public final class Registration {
    public static final int NEITHER = 0;
    public static final int SEND = 1;
    public static final int RECV = 2;
    public static final int BOTH = SEND | RECV;
    /** In place in a way that overwrites what others have still to read, wherever the buffers lie. */
    public static final int OVERWRITTEN = 4;
    /** Numbers from 0 on that a case can have. */
    public static final int CASES = OVERWRITTEN + 1;

    private Registration() {
    }
}
