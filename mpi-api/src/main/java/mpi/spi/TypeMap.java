package mpi.spi;

import java.util.Arrays;

/**
 * Where the bytes of one item of a derived type lie in memory (the type map of MPI's standard, chapter "Datatypes").
 * The bytes of an item, one behind the other, are its packed form. A map finds the memory of any stretch of packed
 * bytes, so that messages are packed piece by piece, straight into the memory that carries them.
 *
 * <pre>
 * packed   |aaaa|bbbb|cccc|dddd|          0 .. size
 * memory   ..aaaa..bbbb......cccc..dddd   positions relative to the item, from {@link #lowest} to {@link #highest}
 * </pre>
 */
public abstract class TypeMap {
    /** Takes the pieces that {@link TypeMap#visit} finds, in the order of their packed bytes. */
    public interface Visitor {
        /** Block i of {@code count} blocks of {@code bytes} bytes begins at {@code at + i * stride}. */
        void blocks(long at, long stride, long bytes, long count);

        /** The stretches {@code first} to {@code end} of an item that lies at {@code place}, all of each. */
        default void stretches(long place, Stretches item, int first, int end) {
            for (int i = first; i < end; i++) {
                blocks(place + item.at[i], 0, item.before[i + 1] - item.before[i], 1);
            }
        }
    }

    /** More pieces than this are not compared when overlaps are looked for. */
    private static final int MOST_COMPARED = 1 << 20;

    /** Packed bytes of one item. */
    public final long size;
    /** The first byte of memory that an item has; 0 if it has none. */
    public final long lowest;
    /** The byte behind the last one that an item has. */
    public final long highest;
    /** Basic elements of one item. */
    public final long elements;

    private TypeMap(long size, long lowest, long highest, long elements) {
        this.size = size;
        this.lowest = lowest;
        this.highest = highest;
        this.elements = elements;
    }

    // ---- making maps ----

    /** {@code count} basic elements of {@code elementBytes} side by side. */
    public static TypeMap contiguous(long count, int elementBytes) {
        return new Blocks(0, count * elementBytes, count * elementBytes, count == 0 ? 0 : 1, elementBytes);
    }

    /** {@code count} items of a map, each {@code stride} bytes behind the one before. */
    public static TypeMap repeated(TypeMap item, long count, long stride) {
        if (count == 0 || item.size == 0) {
            return contiguous(0, 1);
        }
        if (count == 1) {
            return item;
        }
        if (item instanceof Blocks blocks) {
            if (blocks.count == 1) {
                return stride == blocks.bytes
                    ? new Blocks(blocks.start, count * stride, count * stride, 1, blocks.element)
                    : new Blocks(blocks.start, blocks.bytes, stride, count, blocks.element);
            }
            if (stride == blocks.count * blocks.stride) {
                return new Blocks(blocks.start, blocks.bytes, blocks.stride, blocks.count * count, blocks.element);
            }
        }
        return new Repeated(item, count, stride);
    }

    /** Items of several maps, one packed behind the other; item i lies at {@code offsets[i]}. */
    public static TypeMap sequence(TypeMap[] parts, long[] offsets) {
        int used = 0;
        TypeMap[] some = new TypeMap[parts.length];
        long[] at = new long[parts.length];
        for (int i = 0; i < parts.length; i++) {
            if (parts[i].size == 0) {
                continue;
            }
            TypeMap joined = used > 0 ? joined(some[used - 1], at[used - 1], parts[i], offsets[i]) : null;
            if (joined != null) {
                some[used - 1] = joined;
            } else {
                some[used] = parts[i];
                at[used++] = offsets[i];
            }
        }
        if (used == 0) {
            return contiguous(0, 1);
        }
        if (used == 1 && some[0] instanceof Blocks only) {
            return new Blocks(only.start + at[0], only.bytes, only.stride, only.count, only.element);
        }
        TypeMap[] all = Arrays.copyOf(some, used);
        return areStretches(all) ? new Stretches(all, at) : new Sequence(all, Arrays.copyOf(at, used));
    }

    private static boolean areStretches(TypeMap[] parts) {
        for (TypeMap part : parts) {
            if (!(part instanceof Blocks b && b.count == 1 && b.element == ((Blocks) parts[0]).element)) {
                return false;
            }
        }
        return true;
    }

    private static long sum(TypeMap[] parts, boolean ofElements) {
        long sum = 0;
        for (TypeMap part : parts) {
            sum = Math.addExact(sum, ofElements ? part.elements : part.size);
        }
        return sum;
    }

    private static long bound(TypeMap[] parts, long[] offsets, boolean upper) {
        long bound = upper ? Long.MIN_VALUE : Long.MAX_VALUE;
        for (int i = 0; i < parts.length; i++) {
            bound = upper ? Math.max(bound, offsets[i] + parts[i].highest)
                : Math.min(bound, offsets[i] + parts[i].lowest);
        }
        return bound;
    }

    /** The last part that begins at this position or before it. */
    private static int partAt(long[] begins, long position) {
        int found = Arrays.binarySearch(begins, position);
        return found >= 0 ? found : -found - 2;
    }

    /** One stretch in place of two if the second follows the first in memory too; else null. */
    private static TypeMap joined(TypeMap first, long at, TypeMap second, long then) {
        if (first instanceof Blocks a && second instanceof Blocks b && a.count == 1 && b.count == 1
            && a.element == b.element && at + a.start + a.bytes == then + b.start) {
            return new Blocks(a.start, a.bytes + b.bytes, a.bytes + b.bytes, 1, a.element);
        }
        return null;
    }

    // ---- reading maps ----

    /**
     * Shows the memory of the packed bytes {@code from} to {@code to} of an item that lies at {@code place}. Positions
     * outside 0 to {@link #size} are allowed for maps of repeated items: they lie in the items before and behind.
     */
    public abstract void visit(long place, long from, long to, Visitor visitor);

    /**
     * The part that this map repeats at one distance, {@link #step}: each item of a buffer, each block. Else this map.
     */
    public TypeMap item() {
        return this;
    }

    /** Bytes of memory by which the repeated parts are apart. */
    public long step() {
        return 0;
    }

    /** Basic elements in the first {@code bytes} packed bytes, fewer than an item; -1 if they end inside an element. */
    public abstract long elementsIn(long bytes);

    /** Packed bytes of the first {@code elements} basic elements, fewer than an item has. */
    public abstract long bytesOf(long elements);

    /** Whether an item is one stretch of memory that begins at 0. */
    public final boolean isContiguous() {
        return size == 0 || this instanceof Blocks blocks && blocks.count == 1 && blocks.start == 0;
    }

    /** Whether two elements of an item share bytes of memory, so that nothing may be received into it. */
    public final boolean overlaps() {
        if (size == 0) {
            return false;
        }
        long[][] pieces = new long[2][16];
        int[] found = {0};
        visit(0, 0, size, (at, stride, bytes, count) -> {
            for (long i = 0; i < count && found[0] <= MOST_COMPARED; i++) {
                if (found[0] == pieces[0].length) {
                    pieces[0] = Arrays.copyOf(pieces[0], 2 * found[0]);
                    pieces[1] = Arrays.copyOf(pieces[1], 2 * found[0]);
                }
                pieces[0][found[0]] = at + i * stride;
                pieces[1][found[0]++] = at + i * stride + bytes;
            }
        });
        if (found[0] > MOST_COMPARED) {
            return false;
        }
        // Stretches overlap if and only if one begins before the ends of all that begin before it.
        long[] begins = Arrays.copyOf(pieces[0], found[0]);
        long[] ends = Arrays.copyOf(pieces[1], found[0]);
        Arrays.sort(begins);
        Arrays.sort(ends);
        for (int i = 1; i < begins.length; i++) {
            if (begins[i] < ends[i - 1]) {
                return true;
            }
        }
        return false;
    }

    /** Blocks of one length at one distance. */
    private static final class Blocks extends TypeMap {
        final long start;
        final long bytes;
        final long stride;
        final long count;
        /** Bytes of a basic element. */
        final int element;

        Blocks(long start, long bytes, long stride, long count, int element) {
            super(Math.multiplyExact(bytes, count), start + Math.min(0, stride * (count - 1)),
                count == 0 ? start : start + bytes + Math.max(0, stride * (count - 1)), bytes * count / element);
            this.start = start;
            this.bytes = bytes;
            this.stride = stride;
            this.count = count;
            this.element = element;
        }

        @Override
        public void visit(long place, long from, long to, Visitor visitor) {
            if (from == 0 && to == size && count > 0) { // no division, which takes longer than to copy a block
                visitor.blocks(place + start, stride, bytes, count);
                return;
            }
            long block = Math.floorDiv(from, bytes);
            long inside = from - block * bytes;
            long at = place + start + block * stride;
            long left = to - from;
            if (inside != 0) {
                long piece = Math.min(left, bytes - inside);
                visitor.blocks(at + inside, 0, piece, 1);
                left -= piece;
                at += stride;
            }
            long whole = left / bytes;
            if (whole > 0) {
                visitor.blocks(at, stride, bytes, whole);
                left -= whole * bytes;
                at += whole * stride;
            }
            if (left > 0) {
                visitor.blocks(at, 0, left, 1);
            }
        }

        @Override
        public TypeMap item() {
            return count == 1 ? this : new Blocks(start, bytes, bytes, 1, element);
        }

        @Override
        public long step() {
            return stride;
        }

        @Override
        public long elementsIn(long some) {
            return some % element == 0 ? some / element : -1;
        }

        @Override
        public long bytesOf(long some) {
            return some * element;
        }
    }

    /** Items of one map at one distance. */
    private static final class Repeated extends TypeMap {
        private final TypeMap item;
        private final long stride;

        Repeated(TypeMap item, long count, long stride) {
            super(Math.multiplyExact(item.size, count), item.lowest + Math.min(0, stride * (count - 1)),
                item.highest + Math.max(0, stride * (count - 1)), Math.multiplyExact(item.elements, count));
            this.item = item;
            this.stride = stride;
        }

        @Override
        public void visit(long place, long from, long to, Visitor visitor) {
            long index = Math.floorDiv(from, item.size);
            long begin = index * item.size;
            for (long at = from; at < to; begin += item.size, index++) {
                long end = Math.min(to, begin + item.size);
                item.visit(place + index * stride, at - begin, end - begin, visitor);
                at = end;
            }
        }

        @Override
        public TypeMap item() {
            return item;
        }

        @Override
        public long step() {
            return stride;
        }

        @Override
        public long elementsIn(long bytes) {
            long rest = item.elementsIn(bytes % item.size);
            return rest < 0 ? -1 : bytes / item.size * item.elements + rest;
        }

        @Override
        public long bytesOf(long some) {
            return some / item.elements * item.size + item.bytesOf(some % item.elements);
        }
    }

    /**
     * Stretches of memory that follow no rule, of elements of one size: the blocks of an indexed type. They stand in
     * two arrays, so that code which copies many of them needs one call for all.
     */
    public static final class Stretches extends TypeMap {
        /** The first byte of each. */
        public final long[] at;
        /** Packed bytes before each, and all of them. */
        public final long[] before;
        private final int element;

        private Stretches(TypeMap[] parts, long[] offsets) {
            super(sum(parts, false), bound(parts, offsets, false), bound(parts, offsets, true), sum(parts, true));
            at = new long[parts.length];
            before = new long[parts.length + 1];
            for (int i = 0; i < parts.length; i++) {
                at[i] = offsets[i] + ((Blocks) parts[i]).start;
                before[i + 1] = before[i] + parts[i].size;
            }
            element = ((Blocks) parts[0]).element;
        }

        @Override
        public void visit(long place, long from, long to, Visitor visitor) {
            int first = from == 0 ? 0 : partAt(before, from);
            int end = to == size ? at.length : partAt(before, to);
            if (from > before[first]) {
                visitor.blocks(place + at[first] + from - before[first], 0, Math.min(to, before[first + 1]) - from, 1);
                first++;
            }
            if (first < end) {
                visitor.stretches(place, this, first, end);
            }
            if (first <= end && before[end] < to) {
                visitor.blocks(place + at[end], 0, to - before[end], 1);
            }
        }

        @Override
        public long elementsIn(long bytes) {
            return bytes % element == 0 ? bytes / element : -1;
        }

        @Override
        public long bytesOf(long some) {
            return some * element;
        }
    }

    /** Items of several maps, each at a place of its own. */
    private static final class Sequence extends TypeMap {
        private final TypeMap[] parts;
        private final long[] offsets;
        /** Packed bytes, and basic elements, before each part. */
        private final long[] before;
        private final long[] elementsBefore;

        Sequence(TypeMap[] parts, long[] offsets) {
            super(sum(parts, false), bound(parts, offsets, false), bound(parts, offsets, true), sum(parts, true));
            this.parts = parts;
            this.offsets = offsets;
            before = new long[parts.length];
            elementsBefore = new long[parts.length];
            for (int i = 1; i < parts.length; i++) {
                before[i] = before[i - 1] + parts[i - 1].size;
                elementsBefore[i] = elementsBefore[i - 1] + parts[i - 1].elements;
            }
        }

        @Override
        public void visit(long place, long from, long to, Visitor visitor) {
            long at = from;
            for (int i = partAt(before, from); at < to; i++) {
                long end = Math.min(to, before[i] + parts[i].size);
                parts[i].visit(place + offsets[i], at - before[i], end - before[i], visitor);
                at = end;
            }
        }

        @Override
        public long elementsIn(long bytes) {
            int part = partAt(before, bytes);
            long rest = parts[part].elementsIn(bytes - before[part]);
            return rest < 0 ? -1 : elementsBefore[part] + rest;
        }

        @Override
        public long bytesOf(long some) {
            int part = partAt(elementsBefore, some);
            return before[part] + parts[part].bytesOf(some - elementsBefore[part]);
        }
    }
}
