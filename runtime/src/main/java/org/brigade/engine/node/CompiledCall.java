package org.brigade.engine.node;

import org.brigade.op.Combiner;

/** How compiled code runs a call, but for the key of the call and the buffers: enough to run it again with others. */
public final class CompiledCall {
    // As org.brigade.nativ.CompiledExchange has them.
    int end;
    int number;
    /** Of {@link org.brigade.nativ.CompiledExchange#how}. */
    int how;
    int from;
    int length;
    /** Where this rank's bytes begin: from the beginning of the array, or of the direct buffer. */
    long sendAt;
    long recvAt;
    /** Whether the operands are arrays, else direct buffers. */
    boolean sendIsArray;
    boolean recvIsArray;
    /** Bytes of an element, less one. */
    int beyond;
    /** How often compiled code looks for the members' blocks before it says which is late. */
    public int looks;
    /** A word about this rank's block, and its bytes. */
    public long what;
    public int bytes;
    /** How an allreduce adds up; null if the collective is no reduction. */
    public boolean inRankOrder;
    public Combiner incomingLast;
}
