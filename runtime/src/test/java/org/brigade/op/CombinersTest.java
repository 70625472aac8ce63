package org.brigade.op;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import mpi.spi.ElementKind;
import mpi.spi.Reduction;
import mpi.spi.Reduction.Operator;
import mpi.spi.TypeLayout;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class CombinersTest {
    /** Items around every boundary inside: one by one, in bulk, one piece, several pieces. */
    private static final int[] COUNTS = {0, 1, 2, 5, 6, 7, 8, 33, 1030};

    @Test
    void everyPredefinedOperationOnEveryTypeAndBackingMatchesTheReference() {
        Random random = new Random(1);
        for (TypeLayout type : Types.all()) {
            for (Operator operator : Operator.values()) {
                Reduction op = operator == Operator.USER ? null : Reduction.predefined(operator);
                if (op == null || !Combiners.supports(type, op)) {
                    continue;
                }
                for (int count : COUNTS) {
                    Items items = new Items(type, op, count, random);
                    for (Backing operand : Backing.values()) {
                        for (Backing target : Backing.values()) {
                            if (target.isWritable()) {
                                new Case(items, operand, target, random).check(random.nextBoolean(), false);
                            }
                        }
                    }
                }
            }
        }
    }

    @Test
    void anOperandMayBeTheTargetItself() {
        Random random = new Random(2);
        for (TypeLayout type : Types.all()) {
            for (Operator operator : new Operator[] {Operator.SUM, Operator.MAX, Operator.LXOR, Operator.MAXLOC,
                Operator.MINLOC, Operator.PROD, Operator.NO_OP}) {
                for (Backing backing : Backing.values()) {
                    for (int count : backing.isWritable() && Combiners.supports(type, Reduction.predefined(operator))
                        ? COUNTS : new int[0]) {
                        Items items = new Items(type, Reduction.predefined(operator), count, random);
                        new Case(items, backing, backing, random).check(false, true);
                    }
                }
            }
        }
    }

    @Property(tries = 300)
    void anyStretchAtAnyOffsetIsReducedAndNothingAroundItChanges(@ForAll @IntRange(max = 5000) int count,
        @ForAll int seed) {
        Random random = new Random(seed);
        TypeLayout type = Types.all().get(random.nextInt(Types.all().size()));
        Reduction op = Reduction.predefined(Operator.values()[random.nextInt(Operator.values().length - 1)]);
        if (Combiners.supports(type, op)) {
            Backing target = Backing.values()[random.nextInt(Backing.values().length - 1)];
            Backing operand = Backing.values()[random.nextInt(Backing.values().length)];
            new Case(new Items(type, op, count, random), operand, target, random).check(random.nextBoolean(), false);
        }
    }

    @Test
    void onlyCombinationsThatMpiDefinesAreSupported() {
        TypeLayout doubles = TypeLayout.of("MPI.DOUBLE", ElementKind.DOUBLE, 1);
        assertTrue(Combiners.supports(doubles, Reduction.predefined(Operator.SUM)));
        for (Operator operator : new Operator[] {Operator.BAND, Operator.LOR, Operator.BXOR, Operator.MAXLOC}) {
            assertFalse(Combiners.supports(doubles, Reduction.predefined(operator)), operator + " of doubles");
        }
        assertFalse(Combiners.supports(TypeLayout.of("MPI.BOOLEAN", ElementKind.BOOLEAN, 1),
            Reduction.predefined(Operator.SUM)), "SUM of booleans");
        TypeLayout complex = TypeLayout.of("MPI.DOUBLE_COMPLEX", ElementKind.DOUBLE, 2, TypeLayout.Numbers.COMPLEX);
        assertFalse(Combiners.supports(complex, Reduction.predefined(Operator.MAX)), "MAX of complex numbers");
        assertFalse(Combiners.supports(complex, Reduction.predefined(Operator.MAXLOC)), "MAXLOC of complex numbers");
        TypeLayout struct = TypeLayout.pair("MPI.DOUBLE_INT", TypeLayout.Pair.DOUBLE_INT, 16);
        assertFalse(Combiners.supports(struct, Reduction.predefined(Operator.SUM)), "SUM of structs");
        String message = assertThrows(IllegalArgumentException.class,
            () -> Combiners.of(doubles, Reduction.predefined(Operator.BAND), false)).getMessage();
        assertEquals("MPI.BAND is not defined on MPI.DOUBLE; use another operation or write one with new Op", message);
    }

    @Test
    void aViewOfForeignOrderIsReducedAsTheBytesInMemory() {
        // Package mpi refuses such a reduction; bytes must still not be mixed up here.
        ByteBuffer memory = ByteBuffer.allocateDirect(80).order(java.nio.ByteOrder.nativeOrder());
        NativeMemory incoming = NativeMemory.allocate(80);
        for (int i = 0; i < 10; i++) {
            memory.putInt(i * 4, i);
            incoming.ints.put(i, 100);
        }
        java.nio.ByteOrder foreign = java.nio.ByteOrder.nativeOrder() == java.nio.ByteOrder.BIG_ENDIAN
            ? java.nio.ByteOrder.LITTLE_ENDIAN : java.nio.ByteOrder.BIG_ENDIAN;
        Region region = new Region().wrap(memory.duplicate().order(foreign).asIntBuffer(), 0);
        Combiners.of(TypeLayout.of("MPI.INT", ElementKind.INT, 1), Reduction.predefined(Operator.SUM), false)
            .combine(incoming, 0, 40, region, 0, region, 0);
        for (int i = 0; i < 10; i++) {
            assertEquals(100 + i, memory.getInt(i * 4), "element " + i);
        }
    }

    /** Items, others that come in, and what must become of both: made once for all backings. */
    private static final class Items {
        private final TypeLayout type;
        private final Reduction op;
        private final int count;
        private final byte[] own;
        private final byte[] incoming;
        /** With the own items on the left, and with the incoming ones. */
        private final byte[][] results = new byte[2][];

        Items(TypeLayout type, Reduction op, int count, Random random) {
            this.type = type;
            this.op = op;
            this.count = count;
            own = Types.items(type, count, new Random(count));
            incoming = Types.items(type, count, random);
        }

        byte[] result(boolean incomingFirst) {
            int order = incomingFirst ? 1 : 0;
            if (results[order] == null) {
                results[order] = combined(incomingFirst);
            }
            return results[order];
        }

        private byte[] combined(boolean incomingFirst) {
            byte[] all = new byte[own.length];
            for (int at = 0; at < own.length; at += type.extent) {
                byte[] mine = Arrays.copyOfRange(own, at, at + type.extent);
                byte[] other = Arrays.copyOfRange(incoming, at, at + type.extent);
                byte[] result = switch (op.operator) {
                    case REPLACE -> incomingFirst ? other : mine;
                    case NO_OP -> incomingFirst ? mine : other;
                    default -> Reference.combine(type, op.operator, mine, other);
                };
                System.arraycopy(result, 0, all, at, type.extent);
            }
            return all;
        }
    }

    /** One reduction of some items between guards of other values. */
    private static final class Case {
        private final Items items;
        private final TypeLayout type;
        private final Reduction op;
        private final int count;
        private final Backing operandBacking;
        private final Backing targetBacking;
        private final int operandAt;
        private final int targetAt;
        private final int wrapOffset;
        private final byte[] operandContent;
        private final byte[] targetContent;
        private final int incomingAt;

        Case(Items items, Backing operandBacking, Backing targetBacking, Random random) {
            this.items = items;
            type = items.type;
            op = items.op;
            count = items.count;
            this.operandBacking = operandBacking;
            this.targetBacking = targetBacking;
            operandAt = offset(operandBacking, random);
            targetAt = offset(targetBacking, random);
            wrapOffset = type.kind.bytes * random.nextInt(2);
            operandContent = content(random);
            targetContent = content(random);
            incomingAt = 8 * random.nextInt(3);
        }

        /** A multiple of the element's size, anywhere where bytes have no boundaries. */
        private int offset(Backing backing, Random random) {
            boolean bytes = backing != Backing.ARRAY && backing != Backing.DIRECT_VIEW;
            return bytes ? random.nextInt(9) : random.nextInt(3) * type.kind.bytes;
        }

        private byte[] content(Random random) {
            byte[] content = new byte[count * type.extent + 79 & -16];
            random.nextBytes(content);
            for (int i = 0; type.kind == ElementKind.BOOLEAN && i < content.length; i++) {
                content[i] &= 1;
            }
            return content;
        }

        /** By the combiner that runs here, and where that is compiled code, by Java's. */
        void check(boolean incomingFirst, boolean inPlace) {
            byte[] before = targetContent.clone();
            check(Combiners.of(type, op, incomingFirst), incomingFirst, inPlace);
            boolean elementwise = op.operator.ordinal() <= Operator.BXOR.ordinal() && type.pair == TypeLayout.Pair.NONE
                && (type.numbers == TypeLayout.Numbers.PLAIN || type.numbers == TypeLayout.Numbers.COMPLEX);
            if (elementwise && count * type.extent >= CompiledCombine.SHORTEST) {
                System.arraycopy(before, 0, targetContent, 0, before.length);
                check(Combiners.inJava(type, op.operator), incomingFirst, inPlace);
            }
        }

        private void check(Combiner combiner, boolean incomingFirst, boolean inPlace) {
            int bytes = count * type.extent;
            int operandStart = inPlace ? targetAt + wrapOffset : operandAt + wrapOffset;
            byte[] operandBytes = inPlace ? targetContent : operandContent;
            System.arraycopy(items.own, 0, operandBytes, operandStart, bytes);
            Object targetBuffer = targetBacking.of(type.kind, targetContent);
            Object operandBuffer = inPlace ? targetBuffer : operandBacking.of(type.kind, operandContent);
            NativeMemory incoming = NativeMemory.allocate(incomingAt + bytes + 8);
            incoming.bytes.put(incomingAt, items.incoming, 0, bytes);
            Region target = new Region().wrap(targetBuffer, wrapOffset);
            Region operand = inPlace ? target : new Region().wrap(operandBuffer, wrapOffset);

            combiner.combine(incoming, incomingAt, bytes, operand, operandStart - wrapOffset, target, targetAt);

            byte[] expected = targetContent.clone();
            System.arraycopy(items.result(incomingFirst), 0, expected, targetAt + wrapOffset, bytes);
            byte[] actual = targetBacking.contentOf(targetBuffer, type.kind, targetContent.length);
            int wrong = Arrays.mismatch(expected, actual);
            if (wrong >= 0) {
                fail(String.format(
                    "%s of %d %s%s, operand %s at %d, target %s at %d, incoming at %d%s: byte %d of the stretch is %d,"
                        + " expected %d",
                    op, count, type, incomingFirst ? ", incoming first" : "", operandBacking, operandStart,
                    targetBacking, targetAt + wrapOffset,
                    incomingAt, inPlace ? ", in place" : "", wrong - targetAt - wrapOffset, actual[wrong],
                    expected[wrong]));
            }
        }
    }
}
