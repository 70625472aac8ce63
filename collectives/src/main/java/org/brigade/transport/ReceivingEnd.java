package org.brigade.transport;

import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.op.StagedCombine;

/**
 * The message at the head of a stream whose bytes arrive in native memory, and the ways to take it. A subclass finds
 * the message ({@link #poll}), says where its next bytes lie, and frees what has been taken.
 *
 * <p>
 * A subclass whose messages take less than a microsecond has a {@link #tryRecv} of its own: calls from here to a
 * subclass cost what a virtual call costs once several subclasses are in use.
 */
public abstract class ReceivingEnd implements InboundLink {
    /** Messages are taken in multiples of so many bytes, but for their last: elements must not be cut in two. */
    protected static final int GRAIN = 16;

    // The message at the head, while there is one.
    protected boolean present;
    protected int kind;
    protected long key;
    protected long bytes;
    protected long taken;

    /** Null until a reduction has an operand on a device. */
    private StagedCombine staged;

    /** Bytes behind those taken that are there, in one piece: all that remain of a message, or a multiple of 16. */
    protected abstract int stretch();

    /** As {@link #stretch}, of which there should be many: a copy from or to a device takes long however short. */
    protected int deviceStretch() {
        return stretch();
    }

    /** The memory that the stretch lies in; only if it is not empty. */
    protected abstract NativeMemory memory();

    /** Where the stretch begins there. */
    protected abstract int position();

    /**
     * Counts bytes as taken, and ends the message with its last.
     *
     * @param stretch 0 if there were none, or the message has none
     * @return so many
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
