package org.brigade.op;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import mpi.spi.ElementKind;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;

/**
 * A user's function. It sees copies of both operands, in arrays of the type's kind or in direct buffers, as it prefers;
 * never the transport's memory, which the next message overwrites. Its exceptions reach the caller; the target then
 * keeps its values from the current piece on.
 */
final class UserCombiner implements Combiner {
    private final Reduction op;
    private final boolean incomingFirst;
    private final int itemBytes;
    private final int pieceBytes;
    private final NativeMemory staging;
    private final Object in;
    private final Object inout;
    private final Region inRegion = new Region();
    private final Region inoutRegion = new Region();

    UserCombiner(TypeLayout type, Reduction op, boolean incomingFirst) {
        this.op = op;
        this.incomingFirst = incomingFirst;
        itemBytes = Math.max(1, type.extent);
        pieceBytes = Math.max(1, PIECE_BYTES / itemBytes) * itemBytes;
        staging = NativeMemory.allocate(pieceBytes);
        in = scratch(type.kind, inRegion);
        inout = scratch(type.kind, inoutRegion);
    }

    private Object scratch(ElementKind kind, Region region) {
        if (op.asArrays) {
            Object array = Array.newInstance(primitive(kind), pieceBytes >> kind.shift);
            region.wrap(array, 0);
            return array;
        }
        NativeMemory memory = NativeMemory.allocate(pieceBytes);
        region.wrap(memory.bytes, 0);
        // An object of its own: the function may change its position and limit.
        return memory.bytes.duplicate();
    }

    private static Class<?> primitive(ElementKind kind) {
        return switch (kind) {
            case BYTE -> byte.class;
            case BOOLEAN -> boolean.class;
            case CHAR -> char.class;
            case SHORT -> short.class;
            case INT -> int.class;
            case LONG -> long.class;
            case FLOAT -> float.class;
            case DOUBLE -> double.class;
        };
    }

    @Override
    public int itemBytes() {
        return itemBytes;
    }

    @Override
    public void combine(NativeMemory incoming, int incomingAt, int bytes, Region operand, long operandAt, Region target,
        long targetAt) {
        Region arrived = incomingFirst ? inRegion : inoutRegion;
        Region held = incomingFirst ? inoutRegion : inRegion;
        for (int done = 0; done < bytes; done += pieceBytes) {
            int piece = Math.min(pieceBytes, bytes - done);
            arrived.write(0, incoming, incomingAt + done, piece);
            operand.read(operandAt + done, staging, 0, piece);
            held.write(0, staging, 0, piece);
            call(piece);
            inoutRegion.read(0, staging, 0, piece);
            target.write(targetAt + done, staging, 0, piece);
        }
    }

    private void call(int bytes) {
        if (!op.asArrays) {
            ((ByteBuffer) in).clear().limit(bytes).order(ByteOrder.nativeOrder());
            ((ByteBuffer) inout).clear().limit(bytes).order(ByteOrder.nativeOrder());
        }
        op.function.reduce(in, 0, inout, 0, bytes / itemBytes);
    }
}
