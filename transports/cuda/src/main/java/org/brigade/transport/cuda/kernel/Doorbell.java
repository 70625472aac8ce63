package org.brigade.transport.cuda.kernel;

import java.lang.invoke.VarHandle;
import org.brigade.memory.NativeMemory;

/**
 * A line of page-locked memory by which the host tells a resident kernel of calls.
 *
 * <pre>
 *  0  code       8  bytes          host
 * 16  passed    24  0              host
 * 32  send, lower and upper half   host
 * 48  recv, lower and upper half   host
 * </pre>
 *
 * Each value has four bytes, followed by four bytes of the call's ticket, its lower half; both are written at once. A
 * kernel takes the values when all eight tickets are there, in whatever order it sees them. The line stays until it is
 * overwritten, so a kernel that starts later finds it, too.
 */
public final class Doorbell {
    public static final int BYTES = 64;

    private final NativeMemory memory;
    private final int at;

    /** From {@code at} on, a multiple of 64; initially zero. */
    public Doorbell(NativeMemory memory, int at) {
        this.memory = memory;
        this.at = at;
    }

    /**
     * Writes the next call. The last call must have been answered, or have told a kernel to leave that has left.
     *
     * @param code operation, flags and masks, as in call.cuh
     * @param bytes of a block
     * @param passed 0 if one thread block does the call, else its number among the calls that all do
     */
    public void ring(long ticket, int code, int bytes, int passed, long send, long recv) {
        long number = ticket << 32;
        put(0, code, number);
        put(8, bytes, number);
        put(16, passed, number);
        put(24, 0, number);
        put(32, send, number);
        put(40, send >>> 32, number);
        put(48, recv, number);
        put(56, recv >>> 32, number);
        VarHandle.releaseFence(); // no store of the next call comes before
    }

    private void put(int offset, long word, long number) {
        memory.putLong(at + offset, word & 0xffff_ffffL | number);
    }
}
