package org.brigade.op;

import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;

/** REPLACE and NO_OP, which keep one of the two values as it is. */
final class SelectingCombiner implements Combiner {
    private final boolean takeIncoming;
    private final int itemBytes;
    private NativeMemory staging;

    SelectingCombiner(boolean takeIncoming, int itemBytes) {
        this.takeIncoming = takeIncoming;
        this.itemBytes = itemBytes;
    }

    @Override
    public int itemBytes() {
        return itemBytes;
    }

    @Override
    public void combine(NativeMemory incoming, int incomingAt, int bytes, Region operand, long operandAt, Region target,
        long targetAt) {
        if (takeIncoming) {
            target.write(targetAt, incoming, incomingAt, bytes);
            return;
        }
        if (staging == null) {
            staging = NativeMemory.allocate(PIECE_BYTES);
        }
        for (int done = 0; done < bytes; done += PIECE_BYTES) {
            int piece = Math.min(PIECE_BYTES, bytes - done);
            operand.read(operandAt + done, staging, 0, piece);
            target.write(targetAt + done, staging, 0, piece);
        }
    }
}
