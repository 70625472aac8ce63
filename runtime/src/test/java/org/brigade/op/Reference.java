package org.brigade.op;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import mpi.spi.ElementKind;
import mpi.spi.Reduction.Operator;
import mpi.spi.TypeLayout;

/** What an operation means, one item at a time and as plainly as can be. */
final class Reference {
    private Reference() {
    }

    /** The item {@code left op right}, where both are given by all their bytes. */
    static byte[] combine(TypeLayout type, Operator operator, byte[] left, byte[] right) {
        if (type.pair != TypeLayout.Pair.NONE) {
            return struct(type.pair, operator, left, right);
        }
        if (operator == Operator.MAXLOC || operator == Operator.MINLOC) {
            return location(type.kind, operator, left, right);
        }
        if (type.numbers == TypeLayout.Numbers.COMPLEX && operator == Operator.PROD) {
            return complexProduct(type.kind, left, right);
        }
        ByteBuffer a = view(left);
        ByteBuffer b = view(right);
        byte[] result = new byte[left.length];
        ByteBuffer r = view(result);
        for (int at = 0; at < left.length; at += type.kind.bytes) {
            if (type.numbers.isNarrow()) {
                putNarrow(type, r, at, single(operator, narrow(type, a, at), narrow(type, b, at)));
                continue;
            }
            switch (type.kind) {
                case BYTE -> r.put(at, (byte) integer(operator, a.get(at), b.get(at)));
                case BOOLEAN -> r.put(at, (byte) truth(operator, a.get(at) != 0, b.get(at) != 0));
                case CHAR -> r.putChar(at, (char) integer(operator, a.getChar(at), b.getChar(at)));
                case SHORT -> r.putShort(at, (short) integer(operator, a.getShort(at), b.getShort(at)));
                case INT -> r.putInt(at, (int) integer(operator, a.getInt(at), b.getInt(at)));
                case LONG -> r.putLong(at, integer(operator, a.getLong(at), b.getLong(at)));
                case FLOAT -> r.putFloat(at, single(operator, a.getFloat(at), b.getFloat(at)));
                case DOUBLE -> r.putDouble(at, real(operator, a.getDouble(at), b.getDouble(at)));
            }
        }
        return result;
    }

    private static float narrow(TypeLayout type, ByteBuffer from, int at) {
        return Combiners.format(type).toFloat(type.extent == 2 ? from.getShort(at) : from.get(at));
    }

    static void putNarrow(TypeLayout type, ByteBuffer to, int at, float value) {
        int bits = Combiners.format(type).fromFloat(value);
        if (type.extent == 2) {
            to.putShort(at, (short) bits);
        } else {
            to.put(at, (byte) bits);
        }
    }

    private static long integer(Operator operator, long a, long b) {
        return switch (operator) {
            case MAX -> a > b ? a : b;
            case MIN -> a < b ? a : b;
            case SUM -> a + b;
            case PROD -> a * b;
            case BAND -> a & b;
            case BOR -> a | b;
            case BXOR -> a ^ b;
            default -> truth(operator, a != 0, b != 0);
        };
    }

    private static int truth(Operator operator, boolean a, boolean b) {
        boolean result = switch (operator) {
            case LAND, BAND -> a && b;
            case LOR, BOR -> a || b;
            case LXOR, BXOR -> a != b;
            default -> throw new AssertionError(operator);
        };
        return result ? 1 : 0;
    }

    private static double real(Operator operator, double a, double b) {
        return switch (operator) {
            case MAX -> Math.max(a, b);
            case MIN -> Math.min(a, b);
            case SUM -> a + b;
            case PROD -> a * b;
            default -> throw new AssertionError(operator);
        };
    }

    private static float single(Operator operator, float a, float b) {
        return switch (operator) {
            case SUM -> a + b;
            case PROD -> a * b;
            default -> (float) real(operator, a, b);
        };
    }

    private static byte[] complexProduct(ElementKind kind, byte[] left, byte[] right) {
        ByteBuffer a = view(left);
        ByteBuffer b = view(right);
        byte[] result = new byte[left.length];
        if (kind == ElementKind.FLOAT) {
            view(result).putFloat(a.getFloat(0) * b.getFloat(0) - a.getFloat(4) * b.getFloat(4))
                .putFloat(a.getFloat(0) * b.getFloat(4) + a.getFloat(4) * b.getFloat(0));
        } else {
            view(result).putDouble(a.getDouble(0) * b.getDouble(0) - a.getDouble(8) * b.getDouble(8))
                .putDouble(a.getDouble(0) * b.getDouble(8) + a.getDouble(8) * b.getDouble(0));
        }
        return result;
    }

    private static byte[] location(ElementKind kind, Operator operator, byte[] left, byte[] right) {
        return choose(operator, value(kind, left, 0), value(kind, right, 0), value(kind, left, kind.bytes),
            value(kind, right, kind.bytes), left, right);
    }

    private static byte[] struct(TypeLayout.Pair pair, Operator operator, byte[] left, byte[] right) {
        ElementKind kind = switch (pair) {
            case SHORT_INT -> ElementKind.SHORT;
            case INT_INT -> ElementKind.INT;
            case LONG_INT -> ElementKind.LONG;
            case FLOAT_INT -> ElementKind.FLOAT;
            default -> ElementKind.DOUBLE;
        };
        int indexAt = Math.max(4, kind.bytes);
        return choose(operator, value(kind, left, 0), value(kind, right, 0), view(left).getInt(indexAt),
            view(right).getInt(indexAt), left, right);
    }

    // Values in these tests are small enough for a double to hold them exactly.
    private static byte[] choose(Operator operator, double a, double b, double indexOfA, double indexOfB, byte[] left,
        byte[] right) {
        if (a == b || (Double.isNaN(a) && Double.isNaN(b))) {
            return indexOfA <= indexOfB ? left : right;
        }
        if (Double.isNaN(a) || Double.isNaN(b)) {
            return Double.isNaN(a) ? left : right;
        }
        return (operator == Operator.MAXLOC ? a > b : a < b) ? left : right;
    }

    private static double value(ElementKind kind, byte[] item, int at) {
        return switch (kind) {
            case SHORT -> view(item).getShort(at);
            case INT -> view(item).getInt(at);
            case LONG -> view(item).getLong(at);
            case FLOAT -> view(item).getFloat(at);
            case DOUBLE -> view(item).getDouble(at);
            default -> throw new AssertionError(kind);
        };
    }

    static ByteBuffer view(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    }
}
