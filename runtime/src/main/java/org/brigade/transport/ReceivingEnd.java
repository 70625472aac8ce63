package org.brigade.transport;

import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.op.StagedCombine;

/**
 * Takes the message at the head of a stream whose bytes arrive in native memory. A subclass finds the message
 * ({@link #poll}), says where its next bytes lie, and frees the bytes that were taken.
 *
 * <p>
 * A subclass whose messages take less than a microsecond overrides {@link #tryRecv}: once several subclasses are in
 * use, each call from here to a subclass is a virtual call.
 */
public abstract class ReceivingEnd implements InboundLink {
    /** All pieces of a message but the last are multiples of this, so that no element is cut in two. */
    protected static final int GRAIN = 16;

    // The message at the head, while there is one.
    protected boolean present;
    protected int kind;
    protected long key;
    protected long bytes;
    protected long taken;

    /** Null until a reduction has an operand on a device. */
    private StagedCombine staged;

    /** Length of the next bytes that are there in one piece: all that remain of the message, or a multiple of 16. */
    protected abstract int stretch();

    /**
     * As {@link #stretch}, but may return 0 until more bytes are there: even a short copy from or to a device takes
     * long.
     */
    protected int deviceStretch() {
        return stretch();
    }

    /** The memory that holds the stretch; only if the stretch is not empty. */
    protected abstract NativeMemory memory();

    /** Where the stretch begins in that memory. */
    protected abstract int position();

    /**
     * Counts bytes as taken, and ends the message with its last.
     *
     * @param stretch bytes taken; 0 if none were there, or the message has none
     * @return {@code stretch}
     */
    protected abstract long take(int stretch);

    @Override
    public final int kind() {
        return kind;
    }

    @Override
    public final long key() {
        return key;
    }

    @Override
    public final long bytes() {
        return bytes;
    }

    @Override
    public final long remaining() {
        return bytes - taken;
    }

    @Override
    public long word(int index) {
        return memory().getLong(position() + (index << 3));
    }

    @Override
    public long tryRecv(Region target, long at) {
        int stretch = stretch();
        if (stretch > 0) {
            target.write(at, memory(), position(), stretch);
        }
        return take(stretch);
    }

    @Override
    public long tryRecvReduce(Combiner combiner, Region operand, long operandAt, Region target, long targetAt) {
        boolean onDevice = StagedCombine.isNeeded(operand, target);
        int stretch = onDevice ? deviceStretch() : stretch();
        if (stretch > 0 && onDevice) {
            if (staged == null) {
                staged = new StagedCombine();
            }
            staged.combine(combiner, memory(), position(), stretch, operand, operandAt, target, targetAt);
        } else if (stretch > 0) {
            combine(combiner, stretch, operand, operandAt, target, targetAt);
        }
        return take(stretch);
    }

    /** Reduces a stretch of which no part is on a device. */
    protected void combine(Combiner combiner, int stretch, Region operand, long operandAt, Region target,
        long targetAt) {
        combiner.combine(memory(), position(), stretch, operand, operandAt, target, targetAt);
    }

    @Override
    public long tryDiscard(long limit) {
        long discarded = 0;
        while (present) {
            int stretch = stretch();
            long left = limit - discarded;
            if (stretch > left) {
                stretch = (int) left & -GRAIN;
            }
            if (stretch == 0 && bytes > 0) {
                break;
            }
            discarded += take(stretch);
        }
        return discarded;
    }
}
