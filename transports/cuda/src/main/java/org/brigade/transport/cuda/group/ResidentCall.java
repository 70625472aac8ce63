package org.brigade.transport.cuda.group;

import org.brigade.transport.cuda.kernel.Blocks;
import org.brigade.transport.cuda.kernel.Doorbell;

/** A call that the {@link Doorbell} can describe: blocks of one length, side by side or all the same one. */
final class ResidentCall {
    /** A bit for each rank that this rank sends a block, and from bit 8 on for each from which it gets one. */
    int masks;
    int bytes;
    /** Whether rank p's block is at p * bytes, not at 0. */
    boolean sendSideBySide;
    boolean recvSideBySide;

    /** False if the doorbell cannot describe it, or a block is longer than {@code most}. */
    boolean take(Blocks blocks, int most) {
        long length = 0;
        masks = 0;
        for (int peer = 0; peer < blocks.sendBytes.length; peer++) {
            long sent = blocks.sendBytes[peer];
            long got = blocks.recvBytes[peer];
            length = length != 0 ? length : sent != 0 ? sent : got;
            if (sent != 0 && sent != length || got != 0 && got != length) {
                return false;
            }
            masks |= (sent != 0 ? 1 << peer : 0) | (got != 0 ? 0x100 << peer : 0);
        }
        sendSideBySide = blocks.sendAt.length > 1 && blocks.sendAt[1] != 0;
        recvSideBySide = blocks.recvAt.length > 1 && blocks.recvAt[1] != 0;
        bytes = (int) length;
        return length != 0 && length <= most && lie(blocks.sendAt, sendSideBySide ? length : 0)
            && lie(blocks.recvAt, recvSideBySide ? length : 0);
    }

    private static boolean lie(long[] at, long step) {
        for (int i = 0; i < at.length; i++) {
            if (at[i] != i * step) {
                return false;
            }
        }
        return true;
    }
}
