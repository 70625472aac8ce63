package org.brigade.algorithm;

/** Which buffers of a call on a stream are registered: a sum of bits, 0 to 3. */
public final class Registration {
    public static final int NEITHER = 0;
    public static final int SEND = 1;
    public static final int RECV = 2;
    public static final int BOTH = SEND | RECV;
    /** The call is in place and overwrites data that others still have to read, wherever the buffers lie. */
    public static final int OVERWRITTEN = 4;
    /** Number of cases: 0 to {@link #OVERWRITTEN}. */
    public static final int CASES = OVERWRITTEN + 1;

    private Registration() {
    }
}
