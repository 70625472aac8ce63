package org.brigade.op;

import mpi.NarrowFloat;
import mpi.spi.Reduction.Operator;
import org.brigade.memory.ByteElements;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.memory.ShortElements;

/**
 * Predefined operations on floating-point numbers of 8 and 16 bits: both operands become floats, are combined as
 * floats, and the result is rounded to the nearest number of the format after every step.
 *
 * <p>
 * MAX and MIN give NaN where either value is NaN.
 */
final class NarrowCombiner implements Combiner {
    private final Operator operator;
    private final NarrowFloat format;
    private final int bytes;
    /** Items of a piece. */
    private final int most;
    // A piece's items, in the array of their size; the other is null.
    private final short[] shorts;
    private final byte[] octets;
    private final float[] held;
    private final float[] arrived;
    /** For regions that ShortElements and ByteElements cannot copy; made on first use. */
    private NativeMemory staging;

    NarrowCombiner(Operator operator, NarrowFloat format) {
        this.operator = operator;
        this.format = format;
        bytes = format.bytes;
        most = PIECE_BYTES / bytes;
        shorts = bytes == 2 ? new short[most] : null;
        octets = bytes == 1 ? new byte[most] : null;
        held = new float[most];
        arrived = new float[most];
    }

    @Override
    public int itemBytes() {
        return bytes;
    }

    @Override
    public void combine(NativeMemory incoming, int incomingAt, int length, Region operand, long operandAt,
        Region target, long targetAt) {
        int count = length / bytes;
        for (int done = 0; done < count; done += most) {
            int piece = Math.min(most, count - done);
            long skip = (long) done * bytes;
            widen(incoming, incomingAt + (int) skip, arrived, piece);
            widen(operand, operandAt + skip, piece);
            apply(piece);
            narrow(target, targetAt + skip, piece);
        }
    }

    private NativeMemory staging() {
        if (staging == null) {
            staging = NativeMemory.allocate(PIECE_BYTES);
        }
        return staging;
    }

    private void widen(NativeMemory from, int at, float[] to, int count) {
        if (bytes == 2) {
            from.shorts.get(at >> 1, shorts, 0, count);
            format.toFloats(shorts, 0, to, 0, count);
        } else {
            from.bytes.get(at, octets, 0, count);
            format.toFloats(octets, 0, to, 0, count);
        }
    }

    private void widen(Region operand, long at, int count) {
        if (bytes == 2 && ShortElements.get(operand, at, shorts, 0, count)) {
            format.toFloats(shorts, 0, held, 0, count);
        } else if (bytes == 1 && ByteElements.get(operand, at, octets, 0, count)) {
            format.toFloats(octets, 0, held, 0, count);
        } else {
            operand.read(at, staging(), 0, count * bytes);
            widen(staging, 0, held, count);
        }
    }

    private void narrow(Region target, long at, int count) {
        boolean put;
        if (bytes == 2) {
            format.fromFloats(arrived, 0, shorts, 0, count);
            put = ShortElements.put(target, at, shorts, 0, count);
        } else {
            format.fromFloats(arrived, 0, octets, 0, count);
            put = ByteElements.put(target, at, octets, 0, count);
        }
        if (!put) {
            if (bytes == 2) {
                staging().shorts.put(0, shorts, 0, count);
            } else {
                staging().bytes.put(0, octets, 0, count);
            }
            target.write(at, staging, 0, count * bytes);
        }
    }

    private void apply(int count) {
        switch (operator) {
            case MAX -> {
                for (int i = 0; i < count; i++) {
                    arrived[i] = Math.max(held[i], arrived[i]);
                }
            }
            case MIN -> {
                for (int i = 0; i < count; i++) {
                    arrived[i] = Math.min(held[i], arrived[i]);
                }
            }
            case SUM -> {
                for (int i = 0; i < count; i++) {
                    arrived[i] = held[i] + arrived[i];
                }
            }
            case PROD -> {
                for (int i = 0; i < count; i++) {
                    arrived[i] = held[i] * arrived[i];
                }
            }
            default -> throw new IllegalStateException(operator + " is not defined on " + format);
        }
    }
}
