package mpi.front.types;

import java.util.Arrays;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.TypeMap;

/**
 * Makes derived types, for both dialects. Bounds follow MPI's standard (section "Derived Datatypes"): the lowest and
 * the highest bound of the parts, where bounds that the program has set win over all others.
 */
public final class DerivedTypes {
    private DerivedTypes() {
    }

    public static ItemType contiguous(String call, int count, ItemType old, boolean ready) {
        ItemType.check(call, old);
        notNegative(call, "count", count);
        return blocks(call, "Contiguous(" + count + ") of " + old, old, new int[] {count}, new long[1],
            new ItemType[] {old}, ready);
    }

    /** @param unit bytes that the stride is counted in; 0 for extents of the old type */
    public static ItemType vector(String call, int count, int blockLength, int stride, ItemType old, int unit,
        boolean ready) {
        ItemType.check(call, old);
        notNegative(call, "count", count);
        notNegative(call, "block length", blockLength);
        String description = "Vector(" + count + ", " + blockLength + ", " + stride + ") of " + old;
        try {
            long distance = Math.multiplyExact(unit == 0 ? old.shape.extent() : unit, (long) stride);
            Bounds bounds = new Bounds();
            if (count > 0) {
                bounds.add(old.shape, 0, blockLength);
                bounds.add(old.shape, Math.multiplyExact(distance, count - 1L), blockLength);
            }
            TypeMap block = TypeMap.repeated(old.shape.map, blockLength, old.shape.extent());
            return made(call, old, description, bounds, TypeMap.repeated(block, count, distance), ready);
        } catch (ArithmeticException e) {
            throw tooLong(call, description);
        }
    }

    /** @param unit bytes that displacements are counted in; 0 for extents of the old type */
    public static ItemType indexed(String call, int[] blockLengths, int[] displacements, ItemType old, int unit,
        boolean ready) {
        ItemType.check(call, old);
        int length = sameLength(call, "block lengths", length(blockLengths), "displacements", length(displacements));
        ItemType[] types = new ItemType[length];
        Arrays.fill(types, old);
        return blocks(call, "Indexed(" + length + " blocks) of " + old, old, blockLengths,
            places(call, displacements, unit == 0 ? old.shape.extent() : unit), types, ready);
    }

    /** @param base the type whose arrays hold the struct; null if all parts lie in arrays of one kind */
    public static ItemType struct(String call, int[] blockLengths, int[] displacements, ItemType[] types, ItemType base,
        boolean ready) {
        int length = types == null ? -1 : types.length;
        sameLength(call, "block lengths", length(blockLengths), "types", length);
        sameLength(call, "displacements", length(displacements), "types", length);
        for (ItemType type : types) {
            ItemType.check(call, type);
            if (base != null && type.holdsObjects) {
                throw ErrorClass.TYPE.in(call, type + " lies in an Object[], and the struct in bytes; pass types of "
                    + "primitives, or use Datatype.Struct with types of objects only");
            }
        }
        ItemType holder = base != null ? base : holder(call, types);
        return blocks(call, "Struct(" + length + " blocks)", holder, blockLengths,
            places(call, displacements, 1 << holder.shift), types, ready);
    }

    /** The first type with data, in whose arrays all the others must lie too. */
    private static ItemType holder(String call, ItemType[] types) {
        ItemType holder = null;
        for (int i = 0; i < types.length; i++) {
            if (types[i].isBound()) {
                continue;
            }
            if (holder != null && types[i].arrayClass != holder.arrayClass) {
                throw ErrorClass.TYPE.in(call, "type " + i + ", " + types[i] + ", lies in a "
                    + types[i].arrayClass.getSimpleName() + ", and " + holder + " in a "
                    + holder.arrayClass.getSimpleName()
                    + "; pass types of one kind of array, or use Datatype.createStruct");
            }
            holder = holder == null ? types[i] : holder;
        }
        return holder == null ? ItemType.BYTE : holder;
    }

    public static ItemType resized(String call, ItemType old, int lb, int extent, boolean ready) {
        ItemType.check(call, old);
        TypeShape shape = new TypeShape(old.shape.map, lb, (long) lb + extent, true, true, old.shape.alignment);
        return old.derived("Resized(" + lb + ", " + extent + ") of " + old, shape, ready);
    }

    /** Blocks of items at places in bytes, packed in this order. */
    private static ItemType blocks(String call, String description, ItemType base, int[] blockLengths, long[] places,
        ItemType[] types, boolean ready) {
        Bounds bounds = new Bounds();
        TypeMap[] blocks = new TypeMap[places.length];
        try {
            for (int i = 0; i < blocks.length; i++) {
                notNegative(call, "block length", blockLengths[i]);
                blocks[i] = TypeMap.repeated(types[i].shape.map, blockLengths[i], types[i].shape.extent());
                bounds.add(types[i].shape, places[i], blockLengths[i]);
            }
            return made(call, base, description, bounds, TypeMap.sequence(blocks, places), ready);
        } catch (ArithmeticException e) {
            throw tooLong(call, description);
        }
    }

    private static ItemType made(String call, ItemType base, String description, Bounds bounds, TypeMap map,
        boolean ready) {
        if (map.size > Integer.MAX_VALUE) {
            throw tooLong(call, description);
        }
        return base.derived(description, bounds.around(map), ready);
    }

    private static MPIException tooLong(String call, String description) {
        return ErrorClass.ARG.in(call, "an item of " + description
            + " is too long; make a type of less than 2 GiB, and pass a larger count to the calls");
    }

    private static long[] places(String call, int[] displacements, long unit) {
        long[] places = new long[displacements.length];
        for (int i = 0; i < places.length; i++) {
            try {
                places[i] = Math.multiplyExact(unit, (long) displacements[i]);
            } catch (ArithmeticException e) {
                throw tooLong(call, "a type with displacement " + displacements[i]);
            }
        }
        return places;
    }

    private static int length(int[] list) {
        return list == null ? -1 : list.length;
    }

    private static void notNegative(String call, String what, int value) {
        if (value < 0) {
            throw ErrorClass.ARG.in(call, what + " " + value + " is negative; pass 0 or more");
        }
    }

    private static int sameLength(String call, String one, int length, String other, int otherLength) {
        if (length < 0 || otherLength < 0) {
            throw ErrorClass.ARG.in(call, "the " + (length < 0 ? one : other) + " are null; pass one for each block");
        }
        if (length != otherLength) {
            throw ErrorClass.ARG.in(call, "there are " + length + " " + one + " and " + otherLength + " " + other
                + "; pass one of each for each block");
        }
        return length;
    }

    /** Collects the bounds of a type's parts. */
    private static final class Bounds {
        private long lowest = Long.MAX_VALUE;
        private long highest = Long.MIN_VALUE;
        private long lowestSet = Long.MAX_VALUE;
        private long highestSet = Long.MIN_VALUE;
        private int alignment = 1;

        /** Adds {@code count} items at a place. */
        void add(TypeShape part, long place, long count) {
            if (count == 0) {
                return;
            }
            long last = Math.multiplyExact(part.extent(), count - 1);
            long low = Math.addExact(place + Math.min(0, last), part.lb);
            long high = Math.addExact(place, Math.addExact(Math.max(0, last), part.ub));
            lowest = Math.min(lowest, low);
            highest = Math.max(highest, high);
            if (part.lbSet) {
                lowestSet = Math.min(lowestSet, low);
            }
            if (part.ubSet) {
                highestSet = Math.max(highestSet, high);
            }
            alignment = Math.max(alignment, part.alignment);
        }

        TypeShape around(TypeMap map) {
            if (lowest == Long.MAX_VALUE) {
                return new TypeShape(map, 0, 0, false, false, alignment);
            }
            boolean lbSet = lowestSet != Long.MAX_VALUE;
            boolean ubSet = highestSet != Long.MIN_VALUE;
            long lb = lbSet ? lowestSet : lowest;
            long length = Math.subtractExact(ubSet ? highestSet : highest, lb);
            long rounded =
                ubSet ? length : Math.multiplyExact(-Math.floorDiv(-length, (long) alignment), (long) alignment);
            return new TypeShape(map, lb, Math.addExact(lb, rounded), lbSet, ubSet, alignment);
        }
    }
}
