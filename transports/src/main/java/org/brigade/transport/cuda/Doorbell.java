package org.brigade.transport.cuda;

import org.brigade.memory.NativeMemory;

/**
 * The host's side of the line of memory on which a resident kernel is told of calls, and of the two words in which it answers. call.cuh says what the quads of the line hold.
 *
 * <pre>
 *  0  first quad    what, how long, which          host
 * 16  second quad   where from                     host
 * 32  third quad    where to                       host
 * 64  finished      number of the last call done   kernel
 * 72  left          number of the last kernel that has left: it has answered what it has seen, and sees no more   kernel
 * </pre>
 *
 * A quad's last word is the number of the call, written last: whoever sees it has the quad. The line stands until it is written anew, so a kernel that comes later finds it too.
 */
final class Doorbell {
    static final int FINISHED = 64;
    static final int LEFT = 72;
    static final int BYTES = 80;

    private final NativeMemory memory;
    private int number;

    /** On zeros. */
    Doorbell(NativeMemory memory) {
        this.memory = memory;
    }

    /** The number of the call that is on the line. */
    int number() {
        return number;
    }

    /**
     * Writes the next call; the last one must have been answered, or have been for a kernel that has left.
     *
     * @param what     operation, flags and masks
     * @param bytes    of a block
     * @param passed   0 if one thread block does it, else the number of the call among those that all do
     * @param sendStep bytes from a rank's block to the next one's in send
     * @param recvStep the same in recv
     */
    void ring(int what, int bytes, int passed, long send, int sendStep, long recv, int recvStep) {
        number++;
        quad(32, recv, recvStep);
        quad(16, send, sendStep);
        quad(0, what & 0xffff_ffffL | (long) bytes << 32, passed);
    }

    private void quad(int at, long first, int third) {
        memory.putLong(at, first);
        memory.putLongRelease(at + 8, third & 0xffff_ffffL | (long) number << 32);
    }

    /** Whether the call on the line is done. */
    boolean isAnswered() {
        return memory.getLongAcquire(FINISHED) == (number & 0xffff_ffffL);
    }

    /** Whether a kernel takes no more calls. If it has, and the call on the line is not answered when asked then, the kernel has not begun that call. */
    boolean hasLeft(long kernel) {
        return memory.getLongAcquire(LEFT) == kernel;
    }
}
