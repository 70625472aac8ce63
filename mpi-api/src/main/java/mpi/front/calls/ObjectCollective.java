package mpi.front.calls;

import java.util.Arrays;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.front.arguments.Arguments;
import mpi.front.job.Handle;
import mpi.front.objects.ObjectMessage;
import mpi.front.types.ItemType;
import mpi.front.types.ReductionOperation;
import mpi.front.types.UserReduction;
import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.Extent;
import mpi.spi.InterCommunicator;

/**
 * A blocking collective call on {@code MPI.OBJECT}: the ranks exchange the lengths of their serialized objects, then
 * the bytes. A rank whose objects cannot be serialized sends the length -1, so that no other rank waits. Reductions
 * combine on one rank, in rank order.
 */
public final class ObjectCollective {
    private static final int FAILED = -1;

    /** Whose errors are told to the other ranks while arguments are checked. */
    private Handle handle;
    private final Communicator lower;
    private final String name;
    private final Collective collective;
    private final int root;
    private final int rank;
    private final int ranks;
    /** Whether it is between two groups: the other ranks are then those of the other group. */
    private final boolean inter;
    private Part send;
    private Part recv;
    private UserReduction.OnArrays function;
    private ItemType type;
    /** Of a reduce-scatter between two groups: the first of this rank's items in the result. */
    private int ownFirst;
    /** Why this rank's objects cannot be sent. */
    private MPIException failure;

    /** One of the two arrays, and the elements of each block in it. */
    private static final class Part {
        final Object[] objects;
        final int[][] blocks;

        Part(Object[] objects, int[]... blocks) {
            this.objects = objects;
            this.blocks = blocks;
        }
    }

    ObjectCollective(Handle handle, Communicator lower, String name, Call call) {
        this.handle = handle;
        this.lower = lower;
        this.name = name;
        collective = call.collective;
        root = call.root;
        rank = call.rank;
        ranks = call.ranks;
        inter = lower instanceof InterCommunicator;
    }

    // ---- operands ----

    void send(Object buffer, int offset, int count, int blocks, ItemType type) {
        send = even("sendbuf", buffer, offset, count, blocks, type);
    }

    void recv(Object buffer, int offset, int count, int blocks, ItemType type) {
        recv = even("recvbuf", buffer, offset, count, blocks, type);
    }

    void send(Object buffer, int offset, int[] counts, int[] displacements, ItemType type) {
        send = listed("sendbuf", buffer, offset, counts, displacements, type);
    }

    void recv(Object buffer, int offset, int[] counts, int[] displacements, ItemType type) {
        recv = listed("recvbuf", buffer, offset, counts, displacements, type);
    }

    void operation(ReductionOperation combining, ItemType combined) {
        Arguments.operation(handle, name, combining, combined);
        function = combining.ofObjects(handle, name);
        type = combined;
    }

    /** Between two groups: says how the result of a reduce-scatter is divided in this rank's group. */
    void ownBlock(int[] counts) {
        for (int i = 0; i < handle.rank; i++) {
            ownFirst += counts[i];
        }
    }

    private Part even(String role, Object buffer, int offset, int count, int blocks, ItemType items) {
        Object[] array = ObjectMessage.array(handle, name, role, buffer);
        int[][] elements = new int[blocks][];
        for (int i = 0; i < blocks; i++) {
            elements[i] = elements(role, array, offset, (long) i * count, count, items);
        }
        return new Part(array, elements);
    }

    private Part listed(String role, Object buffer, int offset, int[] counts, int[] displacements, ItemType items) {
        Arguments.perPeer(handle, name, role, "counts", counts, ranks, "rank");
        if (displacements != null) {
            Arguments.perPeer(handle, name, role, "displacements", displacements, ranks, "rank");
        }
        Object[] array = ObjectMessage.array(handle, name, role, buffer);
        int[][] elements = new int[ranks][];
        long next = 0;
        for (int i = 0; i < ranks; i++) {
            elements[i] = elements(role, array, offset, displacements == null ? next : displacements[i], counts[i],
                items);
            next += counts[i];
        }
        return new Part(array, elements);
    }

    private int[] elements(String role, Object[] array, int offset, long displacement, int count, ItemType items) {
        Arguments.type(handle, name, items);
        long first = offset + displacement * items.shape.extent();
        return ObjectMessage.elements(handle, name, role, array,
            (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, first)), count, items);
    }

    // ---- running ----

    void run() {
        requireOperands();
        // From here on the ranks tell each other what failed by the lengths that they exchange.
        handle = handle.plain();
        switch (collective) {
            case BCAST -> bcast(recv);
            case GATHER, GATHERV -> gather(send, recv);
            case SCATTER, SCATTERV -> scatter(send, recv);
            case ALLGATHER, ALLGATHERV -> allgather();
            case ALLTOALL, ALLTOALLV -> alltoall();
            case REDUCE -> {
                reduce(root, recv);
                check(new int[0], root);
            }
            case ALLREDUCE, REDUCE_SCATTER -> {
                if (inter) {
                    reduceFromOthers();
                } else if (collective == Collective.REDUCE_SCATTER) {
                    reduceScatter();
                } else {
                    reduce(0, recv);
                    bcastFrom(0, recv);
                }
            }
            case SCAN, EXSCAN -> scan();
            default -> throw handle.error(ErrorClass.TYPE, name, "MPI.OBJECT cannot be used here; pass another type");
        }
    }

    /** Neither operand may be of another type. */
    private void requireOperands() {
        boolean all = !collective.rooted || rank == root;
        if (!inter && collective.send != Extent.NONE && (all || !collective.scatters())) {
            required(send, "sendbuf");
        }
        if (!inter && (all || collective.send == Extent.NONE || collective.scatters())) {
            required(recv, "recvbuf");
        }
    }

    private void reduceScatter() {
        int[] all = Arrays.stream(required(send, "sendbuf").blocks).flatMapToInt(Arrays::stream).toArray();
        int[][] blocks = send.blocks;
        Part result = new Part(new Object[send.objects.length], all);
        send = new Part(send.objects, all);
        reduce(0, result);
        scatterFrom(0, new Part(result.objects, blocks), recv);
    }

    /** Between two groups: this rank combines the other group's operands itself, and takes its own block. */
    private void reduceFromOthers() {
        Part all = copies();
        gatherEverywhere(send).decodeAll(all);
        Part result = new Part(new Object[send.objects == null ? 0 : send.objects.length], send.blocks[0]);
        combine(all, ranks - 1, result);
        check(new int[0], rank);
        int[] own = recv.blocks[0];
        for (int i = 0; i < own.length; i++) {
            store(recv, own[i], result.objects[send.blocks[0][ownFirst * type.size + i]]);
        }
        check(new int[0], rank);
    }

    private void bcast(Part part) {
        bcastFrom(root, part);
    }

    private void bcastFrom(int from, Part part) {
        long[] words = rank == from ? encoded(part, 0) : null;
        int[] length = {words == null ? FAILED : words.length};
        call(Collective.BCAST, from).recv(length, 0, 1, ItemType.INT).run();
        long[] message = rank == from && words != null ? words : new long[Math.max(0, length[0])];
        call(Collective.BCAST, from).recv(message, 0, message.length, ItemType.LONG).run();
        check(length, from);
        if (rank != from) {
            decode(message, 0, length[0], part, 0);
        }
    }

    private void gather(Part mine, Part all) {
        gatherTo(root, mine, all);
    }

    private void gatherTo(int to, Part mine, Part all) {
        long[] words = inter && mine == null ? new long[0] : orNone(encoded(mine, 0));
        int[] lengths = new int[ranks];
        int[] own = {failure != null ? FAILED : words.length};
        call(Collective.GATHER, to).send(own, 0, 1, ItemType.INT).recv(lengths, 0, 1, ItemType.INT).run();
        Packed packed = rank == to ? new Packed(lengths) : new Packed(new int[ranks]);
        call(Collective.GATHERV, to).send(words, 0, words.length, ItemType.LONG)
            .recv(packed.words, 0, packed.lengths, packed.places, ItemType.LONG).run();
        check(rank == to ? lengths : own, rank == to ? -1 : rank);
        if (rank == to) {
            packed.decodeAll(all);
        }
    }

    private void scatter(Part all, Part mine) {
        scatterFrom(root, all, mine);
    }

    private void scatterFrom(int from, Part all, Part mine) {
        long[][] blocks = rank == from ? encodedBlocks(all) : null;
        int[] lengths = lengths(blocks);
        int[] own = new int[1];
        call(Collective.SCATTER, from).send(lengths, 0, 1, ItemType.INT).recv(own, 0, 1, ItemType.INT).run();
        Packed packed = new Packed(lengths);
        packed.fill(blocks);
        long[] message = new long[Math.max(0, own[0])];
        call(Collective.SCATTERV, from).send(packed.words, 0, packed.lengths, packed.places, ItemType.LONG)
            .recv(message, 0, message.length, ItemType.LONG).run();
        check(own, from);
        decode(message, 0, message.length, mine, 0);
    }

    private void allgather() {
        gatherEverywhere(send).decodeAll(recv);
    }

    private Packed gatherEverywhere(Part mine) {
        long[] words = orNone(encoded(mine, 0));
        int[] lengths = new int[ranks];
        int[] own = {failure != null ? FAILED : words.length};
        call(Collective.ALLGATHER, 0).send(own, 0, 1, ItemType.INT).recv(lengths, 0, 1, ItemType.INT).run();
        Packed packed = new Packed(lengths);
        call(Collective.ALLGATHERV, 0).send(words, 0, words.length, ItemType.LONG)
            .recv(packed.words, 0, packed.lengths, packed.places, ItemType.LONG).run();
        check(lengths, -1);
        return packed;
    }

    private void alltoall() {
        long[][] blocks = encodedBlocks(send);
        int[] lengths = lengths(blocks);
        int[] coming = new int[ranks];
        call(Collective.ALLTOALL, 0).send(lengths, 0, 1, ItemType.INT).recv(coming, 0, 1, ItemType.INT).run();
        Packed out = new Packed(lengths);
        out.fill(blocks);
        Packed in = new Packed(coming);
        call(Collective.ALLTOALLV, 0).send(out.words, 0, out.lengths, out.places, ItemType.LONG)
            .recv(in.words, 0, in.lengths, in.places, ItemType.LONG).run();
        check(coming, -1);
        in.decodeAll(recv);
    }

    private void reduce(int to, Part result) {
        Part all = rank == to ? copies() : null;
        gatherTo(to, send, all);
        if (rank == to) {
            combine(all, ranks - 1, result);
        }
    }

    private void scan() {
        Part all = copies();
        gatherEverywhere(send).decodeAll(all);
        int last = collective == Collective.SCAN ? rank : rank - 1;
        if (last >= 0) {
            combine(all, last, recv);
        }
        check(new int[0], rank);
    }

    /** Room for the operands of all ranks, as the function may change them. They lie as in the send buffer. */
    private Part copies() {
        Part shape = shape();
        int[] own = shape.blocks[0];
        int span = shape.objects == null ? 0 : shape.objects.length;
        int[][] blocks = new int[ranks][];
        for (int i = 0; i < ranks; i++) {
            int first = Math.multiplyExact(i, span);
            blocks[i] = Arrays.stream(own).map(element -> first + element).toArray();
        }
        return new Part(new Object[Math.multiplyExact(ranks, span)], blocks);
    }

    /** The operand of this rank. The root between two groups has none, but room for the result. */
    private Part shape() {
        return inter && send == null ? required(recv, "recvbuf") : required(send, "sendbuf");
    }

    /** The operands of ranks 0 to {@code last}, combined in this order. */
    private void combine(Part all, int last, Part result) {
        int[] own = shape().blocks[0];
        if (own.length == 0) {
            return;
        }
        int span = shape().objects.length;
        int count = own.length / type.size;
        int first = (int) (own[0] - type.shape.map.lowest);
        try {
            for (int left = last - 1; left >= 0; left--) {
                function.call(all.objects, left * span + first, all.objects, last * span + first, count, type.owner());
            }
            for (int i = 0; i < own.length; i++) {
                store(result, result.blocks[0][i], all.objects[all.blocks[last][i]]);
            }
        } catch (RuntimeException e) {
            failure = handle.error(ErrorClass.OTHER, name, "the user's function threw " + e);
            failure.initCause(e);
        }
    }

    private void store(Part result, int at, Object value) {
        try {
            result.objects[at] = value;
        } catch (ArrayStoreException e) {
            failure = handle.error(ErrorClass.TYPE, name, "the result is an object of class " + e.getMessage()
                + ", which does not fit into recvbuf; pass an Object[]");
        }
    }

    // ---- bytes, eight in each long ----

    private CollectiveCall call(Collective which, int from) {
        CollectiveCall made = CollectiveCall.of(handle, lower).begin(name, which, true);
        return which.rooted ? made.root(from) : made;
    }

    private Part required(Part part, String role) {
        if (part == null) {
            throw handle.error(ErrorClass.TYPE, name,
                role + " is of another type than the other buffer; pass MPI.OBJECT for both");
        }
        return part;
    }

    /** Null, and a {@link #failure}, if the objects cannot be serialized. */
    private long[] encoded(Part part, int block) {
        if (failure != null) {
            return null;
        }
        try {
            return ObjectMessage.encode(handle, name, required(part, "sendbuf").objects, part.blocks[block]);
        } catch (MPIException e) {
            failure = e;
            return null;
        }
    }

    /** All blocks; null if one cannot be serialized. */
    private long[][] encodedBlocks(Part part) {
        long[][] blocks = new long[ranks][];
        for (int i = 0; i < ranks && failure == null; i++) {
            blocks[i] = encoded(part, i);
        }
        return failure == null ? blocks : null;
    }

    private int[] lengths(long[][] blocks) {
        int[] lengths = new int[ranks];
        for (int i = 0; i < ranks; i++) {
            lengths[i] = blocks == null ? FAILED : blocks[i].length;
        }
        return lengths;
    }

    private static long[] orNone(long[] words) {
        return words == null ? new long[0] : words;
    }

    private void decode(long[] message, int at, int length, Part part, int block) {
        if (length > 0) {
            ObjectMessage.decode(handle, name, message, at, length, required(part, "recvbuf").objects,
                part.blocks[block]);
        }
    }

    /** @param of the rank that the only length is of; -1 if there is one of each rank */
    private void check(int[] lengths, int of) {
        if (failure != null) {
            throw failure;
        }
        for (int i = 0; i < lengths.length; i++) {
            if (lengths[i] == FAILED) {
                throw handle.error(ErrorClass.OTHER, name, "the objects of rank " + (of < 0 ? i : of)
                    + " cannot be serialized; its own error says why");
            }
        }
    }

    /** The blocks of all ranks, one behind the other; a failed one has no bytes. */
    private final class Packed {
        final int[] lengths = new int[ranks];
        final int[] places = new int[ranks];
        final long[] words;

        Packed(int[] said) {
            long total = 0;
            for (int i = 0; i < ranks; i++) {
                lengths[i] = Math.max(0, said[i]);
                places[i] = (int) total;
                total += lengths[i];
            }
            if (total > ObjectMessage.MOST_WORDS) {
                throw handle.error(ErrorClass.COUNT, name, "the objects of all ranks take " + (total << 3)
                    + " bytes; send fewer at a time, below 16 GiB");
            }
            words = new long[(int) total];
        }

        void fill(long[][] blocks) {
            for (int i = 0; i < ranks && blocks != null; i++) {
                System.arraycopy(blocks[i], 0, words, places[i], lengths[i]);
            }
        }

        void decodeAll(Part part) {
            for (int i = 0; i < ranks; i++) {
                decode(words, places[i], lengths[i], part, i);
            }
        }
    }
}
