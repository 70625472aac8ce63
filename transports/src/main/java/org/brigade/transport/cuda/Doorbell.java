package org.brigade.transport.cuda;

import org.brigade.memory.NativeMemory;

/**
 * A line of page-locked memory on which the host tells a resident kernel of calls. call.cuh says what the quads hold.
 *
 * <pre>
 *  0  first quad    what, how long, which      host
 * 16  second quad   where from                 host
 * 32  third quad    where to                   host
 * </pre>
 *
 * A quad's last word is the call's ticket, its lower half, and is written last: whoever sees it has the quad. The line stands until it is written anew, so a kernel that comes later finds it too.
 */
final class Doorbell {
    static final int BYTES = 64;

    private final NativeMemory memory;
    private final int at;

    /** From {@code at} on, a multiple of 64; zeros. */
    Doorbell(NativeMemory memory, int at) {
        this.memory = memory;
        this.at = at;
    }

    /**
     * Writes the next call; the last one must have been answered, or have told a kernel to leave which has.
     *
     * @param what     operation, flags and masks
     * @param bytes    of a block
     * @param passed   0 if one thread block does it, else the number of the call among those that all do
     * @param sendStep bytes from a rank's block to the next one's in send
     * @param recvStep the same in recv
     */
    void ring(long ticket, int what, int bytes, int passed, long send, int sendStep, long recv, int recvStep) {
        quad(ticket, 32, recv, recvStep);
        quad(ticket, 16, send, sendStep);
        quad(ticket, 0, what & 0xffff_ffffL | (long) bytes << 32, passed);
    }

    private void quad(long ticket, int offset, long first, int third) {
        memory.putLong(at + offset, first);
        memory.putLongRelease(at + offset + 8, third & 0xffff_ffffL | ticket << 32);
    }
}
