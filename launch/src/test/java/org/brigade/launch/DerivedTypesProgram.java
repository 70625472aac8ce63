package org.brigade.launch;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.Request;
import mpi.Status;
import mpi.User_function;

/**
 * Every kind of call with derived types of random shapes, and with plain items on the other side. All ranks draw the
 * same random numbers, so each knows what it must receive.
 */
public final class DerivedTypesProgram {
    private static final int ROUNDS = 60;

    /** A type, and what it means: the elements of one item, relative to its place, in the order of sending. */
    private record Shape(Datatype type, int[] elements, int extent) {
        int lowest(int items) {
            int low = 0;
            for (int i = 0; i < items; i++) {
                for (int element : elements) {
                    low = Math.min(low, i * extent + element);
                }
            }
            return low;
        }

        int highest(int items) {
            int high = 0;
            for (int i = 0; i < items; i++) {
                for (int element : elements) {
                    high = Math.max(high, i * extent + element + 1);
                }
            }
            return high;
        }
    }

    private final Intracomm world = MPI.COMM_WORLD;
    private final int rank = world.getRank();
    private final int ranks = world.getSize();
    private final Random random;
    private final Datatype base;
    private final Class<?> kind;

    private DerivedTypesProgram(long seed, Datatype base, Class<?> kind) throws MPIException {
        random = new Random(seed);
        this.base = base;
        this.kind = kind;
    }

    public static void main(String[] arguments) throws MPIException {
        MPI.Init(arguments);
        for (int round = 0; round < ROUNDS; round++) {
            new DerivedTypesProgram(round, MPI.INT, int.class).round();
            new DerivedTypesProgram(round, MPI.DOUBLE, double.class).round();
            new DerivedTypesProgram(round, MPI.BYTE, byte.class).round();
            new DerivedTypesProgram(round, MPI.SHORT, short.class).round();
        }
        large();
        System.out.println("rank " + MPI.COMM_WORLD.getRank() + ": derived types are right");
        MPI.Finalize();
    }

    /** A column of a matrix against a row; several megabytes, so that every way of sending takes part. */
    private static void large() throws MPIException {
        int n = 1000;
        int rank = MPI.COMM_WORLD.getRank();
        double[] matrix = new double[n * n];
        for (int i = 0; i < matrix.length; i++) {
            matrix[i] = rank == 0 ? i : -1;
        }
        Datatype column = Datatype.createResized(Datatype.createVector(n, 1, n, MPI.DOUBLE), 0, Double.BYTES);
        column.commit();
        MPI.COMM_WORLD.bcast(matrix, rank == 0 ? n : n * n, rank == 0 ? column : MPI.DOUBLE, 0);
        for (int i = 0; i < matrix.length; i++) {
            double expected = rank == 0 ? i : i % n * n + i / n;
            require(matrix[i] == expected, "element " + i + " of the transposed matrix is " + matrix[i]);
        }
        ByteBuffer direct = MPI.newByteBuffer(matrix.length * Double.BYTES);
        int right = (rank + 1) % MPI.COMM_WORLD.getSize();
        Request request = MPI.COMM_WORLD.iRecv(direct, n, column, MPI.ANY_SOURCE, 5);
        MPI.COMM_WORLD.send(matrix, n * n, MPI.DOUBLE, right, 5);
        request.waitFor();
        boolean fromRoot = rank == 1 % MPI.COMM_WORLD.getSize();
        for (int i = 0; i < matrix.length; i++) {
            double sent = fromRoot ? i % n * n + i / n : i;
            require(direct.getDouble(i * Double.BYTES) == sent, "element " + i + " of the matrix received");
        }
    }

    private Shape shape(int depth) throws MPIException {
        Shape old = depth == 0 ? new Shape(base, new int[] {0}, 1) : shape(depth - 1);
        int count = 1 + random.nextInt(4);
        int length = 1 + random.nextInt(3);
        switch (random.nextInt(5)) {
            case 0 :
                return blocks(Datatype.Contiguous(count, old.type), old, new int[] {count}, new int[1]);
            case 1 :
                int stride = (length + random.nextInt(4)) * (random.nextInt(4) == 0 ? -1 : 1);
                return blocks(Datatype.Vector(count, length, stride, old.type), old, filled(count, length),
                    multiples(count, stride * old.extent));
            case 2 :
                int apart = length * old.extent + random.nextInt(9);
                return blocks(Datatype.Hvector(count, length, apart, old.type), old, filled(count, length),
                    multiples(count, apart));
            case 3 :
                int[] lengths = {random.nextInt(3), 1 + random.nextInt(3), random.nextInt(2)};
                int[] places = {12, random.nextInt(6), 6 + random.nextInt(3)};
                Datatype indexed = Datatype.Indexed(lengths, places, old.type);
                for (int i = 0; i < places.length; i++) {
                    places[i] *= old.extent;
                }
                return blocks(indexed, old, lengths, places);
            default :
                int width = base.getByteSize();
                int extent = old.highest(1) - old.lowest(1) + random.nextInt(5);
                Datatype resized = Datatype.createResized(old.type, random.nextInt(3) * width, extent * width);
                resized.commit();
                return new Shape(resized, old.elements, extent);
        }
    }

    private static int[] filled(int count, int value) {
        int[] list = new int[count];
        Arrays.fill(list, value);
        return list;
    }

    private static int[] multiples(int count, int step) {
        int[] list = new int[count];
        Arrays.setAll(list, i -> i * step);
        return list;
    }

    private Shape blocks(Datatype type, Shape old, int[] lengths, int[] places) throws MPIException {
        int[] elements = new int[Arrays.stream(lengths).sum() * old.elements.length];
        int next = 0;
        for (int block = 0; block < lengths.length; block++) {
            for (int item = 0; item < lengths[block]; item++) {
                for (int element : old.elements) {
                    elements[next++] = places[block] + item * old.extent + element;
                }
            }
        }
        return new Shape(type, elements, type.Extent());
    }

    /** A buffer with room for so many items around an offset, which is the second result. */
    private Object room(Shape shape, int items) {
        return Array.newInstance(kind, shape.highest(items) - shape.lowest(items) + 7);
    }

    private static int offset(Shape shape, int items) {
        return 3 - shape.lowest(items);
    }

    private double value(int of, int element) {
        return (of * 31 + element) % 100;
    }

    /** Fills items {@code first} to {@code first + items} with the sender's elements from {@code from} on. */
    private void fill(Object buffer, Shape shape, int offset, int first, int items, int of, int from) {
        for (int i = 0; i < items * shape.elements.length; i++) {
            set(buffer, at(shape, offset, first, i), value(of, from + i));
        }
    }

    private static int at(Shape shape, int offset, int first, int element) {
        int item = first + element / shape.elements.length;
        return offset + item * shape.extent + shape.elements[element % shape.elements.length];
    }

    private void set(Object buffer, int at, double value) {
        if (kind == int.class) {
            Array.setInt(buffer, at, (int) value);
        } else if (kind == double.class) {
            Array.setDouble(buffer, at, value);
        } else if (kind == short.class) {
            Array.setShort(buffer, at, (short) value);
        } else {
            Array.setByte(buffer, at, (byte) value);
        }
    }

    /** Checks those items, and that nothing else in the buffer has changed. */
    private void check(String call, Object buffer, Shape shape, int offset, int[] firsts, int items, int[] of,
        int[] from) {
        Object expected = Array.newInstance(kind, Array.getLength(buffer));
        for (int block = 0; block < firsts.length; block++) {
            fill(expected, shape, offset, firsts[block], items, of[block], from[block]);
        }
        for (int i = 0; i < Array.getLength(buffer); i++) {
            require(Array.getDouble(buffer, i) == Array.getDouble(expected, i),
                call + " of " + shape.type + ": element "
                    + i + " is " + Array.get(buffer, i) + ", not " + Array.get(expected, i));
        }
    }

    private static void require(boolean held, String otherwise) throws MPIException {
        if (!held) {
            throw new AssertionError("rank " + MPI.COMM_WORLD.getRank() + ": " + otherwise);
        }
    }

    private void round() throws MPIException {
        Shape shape = shape(random.nextInt(4));
        int length = shape.elements.length;
        int n = 1 + random.nextInt(random.nextInt(10) == 0 ? 400 : 5);
        Shape plain = new Shape(base, new int[] {0}, 1);
        boolean distinct = Arrays.stream(shape.elements).distinct().count() == length && shape.extent > 0
            && shape.extent >= shape.highest(1) - shape.lowest(1);
        int root = random.nextInt(ranks);
        if (length == 0 || !distinct) {
            return;
        }
        int all = n * ranks;
        int right = (rank + 1) % ranks;
        int left = (rank + ranks - 1) % ranks;
        int offset = offset(shape, all);
        int[] zero = {0};

        Object mine = room(shape, all);
        fill(mine, shape, offset, 0, n, rank, 0);
        Object came = room(shape, all);
        Status status = world.Sendrecv(mine, offset, n, shape.type, right, 1, came, offset, all, shape.type, left, 1);
        check("Sendrecv", came, shape, offset, zero, n, new int[] {left}, zero);
        require(status.getCount(shape.type) == n && status.getElements(shape.type) == n * length, "the count");

        Object flat = room(plain, all * length);
        status = world.Sendrecv(mine, offset, n, shape.type, right, 2, flat, 3, n * length, base, left, 2);
        check("Sendrecv", flat, plain, 3, zero, n * length, new int[] {left}, zero);
        came = room(shape, all);
        fill(came, shape, offset, 0, n, rank, 0);
        world.Sendrecv_replace(came, offset, n, shape.type, right, 3, left, 3);
        check("Sendrecv_replace", came, shape, offset, zero, n, new int[] {left}, zero);

        byte[] packed = new byte[world.Pack_size(n, shape.type)];
        require(world.Pack(mine, offset, n, shape.type, packed, 0) == packed.length, "the packed bytes");
        came = room(shape, all);
        world.Unpack(packed, 0, came, offset, n, shape.type);
        check("Unpack", came, shape, offset, zero, n, new int[] {rank}, zero);

        came = room(shape, all);
        if (rank == root) {
            fill(came, shape, offset, 0, n, root, 0);
        }
        world.Bcast(came, offset, n, shape.type, root);
        check("Bcast", came, shape, offset, zero, n, new int[] {root}, zero);

        collect(shape, n, mine, offset, root);
        spread(shape, n, offset, root);
        reduce(shape, n, offset, root);
    }

    private void collect(Shape shape, int n, Object mine, int offset, int root) throws MPIException {
        int[] ranksInOrder = multiples(ranks, 1);
        int[] firsts = multiples(ranks, n);
        int[] none = new int[ranks];
        int flat = n * shape.elements.length;
        Object came = room(shape, n * ranks);
        world.Allgather(mine, offset, n, shape.type, came, offset, n, shape.type);
        check("Allgather", came, shape, offset, firsts, n, ranksInOrder, none);
        came = room(shape, n * ranks);
        int[] backwards = firsts.clone();
        for (int i = 0; i < ranks; i++) {
            backwards[i] = (ranks - 1 - i) * n;
        }
        world.Allgatherv(mine, offset, n, shape.type, came, offset, filled(ranks, n), backwards, shape.type);
        check("Allgatherv", came, shape, offset, backwards, n, ranksInOrder, none);
        came = room(shape, n * ranks);
        world.Gather(mine, offset, n, shape.type, came, offset, n, shape.type, root);
        check("Gather", came, shape, offset, rank == root ? firsts : new int[0], n, ranksInOrder, none);
        Shape plain = new Shape(base, new int[] {0}, 1);
        Object packed = room(plain, flat * ranks);
        world.Gatherv(mine, offset, n, shape.type, packed, 3, filled(ranks, flat), multiples(ranks, flat), base, root);
        check("Gatherv", packed, plain, 3, rank == root ? multiples(ranks, flat) : new int[0], flat, ranksInOrder,
            none);
    }

    private void spread(Shape shape, int n, int offset, int root) throws MPIException {
        int length = shape.elements.length;
        int[] firsts = multiples(ranks, n);
        Object all = room(shape, n * ranks);
        for (int to = 0; to < ranks; to++) {
            fill(all, shape, offset, to * n, n, rank, to * n * length);
        }
        int[] own = {rank * n * length};
        Object came = room(shape, n * ranks);
        world.Scatter(all, offset, n, shape.type, came, offset, n, shape.type, root);
        check("Scatter", came, shape, offset, new int[1], n, new int[] {root}, own);
        came = room(shape, n * ranks);
        world.Scatterv(all, offset, filled(ranks, n), firsts, shape.type, came, offset, n, shape.type, root);
        check("Scatterv", came, shape, offset, new int[1], n, new int[] {root}, own);
        int[] ownOfAll = filled(ranks, own[0]);
        int[] ranksInOrder = multiples(ranks, 1);
        came = room(shape, n * ranks);
        world.Alltoall(all, offset, n, shape.type, came, offset, n, shape.type);
        check("Alltoall", came, shape, offset, firsts, n, ranksInOrder, ownOfAll);
        came = room(shape, n * ranks);
        int[] counts = filled(ranks, n);
        world.Alltoallv(all, offset, counts, firsts, shape.type, came, offset, counts, firsts, shape.type);
        check("Alltoallv", came, shape, offset, firsts, n, ranksInOrder, ownOfAll);
        typed(shape, n, all, offset);
    }

    /** Types with gaps sent, plain items received, displacements in bytes. */
    private void typed(Shape shape, int n, Object all, int offset) throws MPIException {
        int width = base.getByteSize();
        int flat = n * shape.elements.length;
        int[] places = multiples(ranks, n * shape.extent * width);
        int[] plainPlaces = multiples(ranks, flat * width);
        Datatype[] types = new Datatype[ranks];
        Datatype[] plainTypes = new Datatype[ranks];
        Arrays.fill(types, shape.type);
        Arrays.fill(plainTypes, base);
        for (int i = 0; i < ranks; i++) {
            places[i] += offset * width;
            plainPlaces[i] += 3 * width;
        }
        Shape plain = new Shape(base, new int[] {0}, 1);
        Object came = room(plain, flat * ranks);
        world.allToAllw(all, filled(ranks, n), places, types, came, filled(ranks, flat), plainPlaces, plainTypes);
        check("allToAllw", came, plain, 3, multiples(ranks, flat), flat, multiples(ranks, 1),
            filled(ranks, rank * flat));
    }

    /** A user's function gets whole items, gaps included. */
    private void reduce(Shape shape, int n, int offset, int root) throws MPIException {
        Op max = new Op(new User_function() {
            @Override
            public void Call(Object in, int inOffset, Object inout, int inoutOffset, int count, Datatype type) {
                for (int i = 0; i < count * shape.elements.length; i++) {
                    int from = at(shape, inOffset, 0, i);
                    int to = at(shape, inoutOffset, 0, i);
                    set(inout, to, Math.max(Array.getDouble(in, from), Array.getDouble(inout, to)));
                }
            }
        }, true);
        Object in = room(shape, n * ranks);
        fill(in, shape, offset, 0, n, rank, 0);
        Object out = room(shape, n * ranks);
        world.Allreduce(in, offset, out, offset, n, shape.type, max);
        Object expected = room(shape, n * ranks);
        for (int i = 0; i < n * shape.elements.length; i++) {
            double highest = 0;
            for (int each = 0; each < ranks; each++) {
                highest = Math.max(highest, value(each, i));
            }
            set(expected, at(shape, offset, 0, i), highest);
        }
        for (int i = 0; i < Array.getLength(out); i++) {
            require(Array.getDouble(out, i) == Array.getDouble(expected, i), "Allreduce of " + shape.type + ": element "
                + i + " is " + Array.get(out, i) + ", not " + Array.get(expected, i));
        }
        world.Reduce(in, offset, out, offset, n, shape.type, max, root);
    }
}
