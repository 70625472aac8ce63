package org.brigade.op;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import mpi.spi.ElementKind;
import mpi.spi.TypeLayout;
import mpi.spi.TypeLayout.Pair;

/** Datatypes for tests, and values of them that meet the corner cases. */
final class Types {
    private Types() {
    }

    static List<TypeLayout> all() {
        List<TypeLayout> all = new ArrayList<>();
        for (ElementKind kind : ElementKind.values()) {
            all.add(TypeLayout.of("MPI." + kind, kind, 1));
            all.add(TypeLayout.of("MPI." + kind + "2", kind, 2));
            all.add(TypeLayout.of("three " + kind + "S", kind, 3));
        }
        all.add(TypeLayout.of("MPI.FLOAT_COMPLEX", ElementKind.FLOAT, 2, TypeLayout.Numbers.COMPLEX));
        all.add(TypeLayout.of("MPI.DOUBLE_COMPLEX", ElementKind.DOUBLE, 2, TypeLayout.Numbers.COMPLEX));
        all.add(TypeLayout.of("MPI.FLOAT16", ElementKind.SHORT, 1, TypeLayout.Numbers.FLOAT16));
        all.add(TypeLayout.of("MPI.BFLOAT16", ElementKind.SHORT, 1, TypeLayout.Numbers.BFLOAT16));
        all.add(TypeLayout.of("MPI.FLOAT8_E4M3", ElementKind.BYTE, 1, TypeLayout.Numbers.FLOAT8_E4M3));
        all.add(TypeLayout.of("MPI.FLOAT8_E5M2", ElementKind.BYTE, 1, TypeLayout.Numbers.FLOAT8_E5M2));
        for (Pair pair : Pair.values()) {
            if (pair != Pair.NONE) {
                all.add(
                    TypeLayout.pair("MPI." + pair, pair, pair == Pair.LONG_INT || pair == Pair.DOUBLE_INT ? 16 : 8));
            }
        }
        return all;
    }

    /**
     * Bytes of {@code count} items: small values, so that ties happen, and now and then any bits, NaN and signed zeros
     * among them.
     */
    static byte[] items(TypeLayout type, int count, Random random) {
        byte[] content = new byte[count * type.extent];
        for (int item = 0; item < count; item++) {
            int at = item * type.extent;
            if (type.pair != Pair.NONE) {
                ElementKind value = switch (type.pair) {
                    case SHORT_INT -> ElementKind.SHORT;
                    case INT_INT -> ElementKind.INT;
                    case LONG_INT -> ElementKind.LONG;
                    case FLOAT_INT -> ElementKind.FLOAT;
                    default -> ElementKind.DOUBLE;
                };
                put(value, content, at, random, false, true);
                put(ElementKind.INT, content, at + Math.max(4, value.bytes), random, false, false);
            } else {
                for (int i = 0; i < type.elements; i++) {
                    // The second of two may be an index: a plain number.
                    if (type.numbers.isNarrow()) {
                        float value = random.nextInt(16) == 0 ? Float.NaN
                            : random.nextInt(4) == 0 ? (float) random.nextGaussian() * 40_000 : random.nextInt(7) - 3;
                        Reference.putNarrow(type, Reference.view(content), at, value);
                        continue;
                    }
                    put(type.kind, content, at + i * type.kind.bytes, random, type.elements == 1, i == 0);
                }
            }
        }
        return content;
    }

    private static void put(ElementKind kind, byte[] content, int at, Random random, boolean anyBits, boolean odd) {
        boolean wild = anyBits && random.nextInt(4) == 0;
        int small = random.nextInt(7) - 3;
        switch (kind) {
            case BYTE -> content[at] = (byte) (wild ? random.nextInt() : small);
            case BOOLEAN -> content[at] = (byte) (random.nextInt() & 1);
            case CHAR -> Reference.view(content).putChar(at, (char) (wild ? random.nextInt() : small));
            case SHORT -> Reference.view(content).putShort(at, (short) (wild ? random.nextInt() : small));
            case INT -> Reference.view(content).putInt(at, wild ? random.nextInt() : small);
            case LONG -> Reference.view(content).putLong(at, wild ? random.nextLong() : small);
            case FLOAT -> Reference.view(content).putFloat(at,
                odd && random.nextInt(16) == 0 ? Float.NaN : odd && small == 0 && random.nextBoolean() ? -0.0f
                    : wild ? (float) random.nextGaussian() : small);
            case DOUBLE -> Reference.view(content).putDouble(at,
                odd && random.nextInt(16) == 0 ? Double.NaN : odd && small == 0 && random.nextBoolean() ? -0.0
                    : wild ? random.nextGaussian() : small);
        }
    }
}
