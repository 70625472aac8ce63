package org.brigade.transport.cuda;

/** A call as the {@link Doorbell} can tell of it: blocks of one length, side by side or all the same one. */
final class ResidentCall {
    /** A bit for each rank that this one sends a block, and from bit 8 on for each that it gets one from. */
    int masks;
    int bytes;
    int sendStep;
    int recvStep;

    /** False if the doorbell cannot say it, or a block is longer than {@code most}. */
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
        long send = step(blocks.sendAt);
        long recv = step(blocks.recvAt);
        if (length == 0 || length > most || send < 0 || recv < 0) {
            return false;
        }
        bytes = (int) length;
        sendStep = (int) send;
        recvStep = (int) recv;
        return true;
    }

    /** The distance of the elements of 0, step, 2 * step, ...; -1 if they are something else. */
    private static long step(long[] at) {
        long step = at.length > 1 ? at[1] : 0;
        for (int i = 0; i < at.length; i++) {
            if (at[i] != i * step) {
                return -1;
            }
        }
        return step >= 0 && step <= Integer.MAX_VALUE ? step : -1;
    }
}
