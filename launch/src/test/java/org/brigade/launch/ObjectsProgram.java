package org.brigade.launch;

import java.io.Serializable;
import java.math.BigInteger;
import java.rmi.server.UID;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.Request;
import mpi.Status;
import mpi.User_function;

/** MPI.OBJECT in every call that takes it, objects of many kinds, and those that are refused. */
public final class ObjectsProgram {
    /** A list that leads back to its begin. */
    private static final class Node implements Serializable {
        private static final long serialVersionUID = 1;
        private final int value;
        private Node next;

        Node(int value) {
            this.value = value;
        }
    }

    private interface Call {
        void make() throws MPIException;
    }

    private static final Intracomm WORLD = MPI.COMM_WORLD;
    private static int rank;
    private static int ranks;

    private ObjectsProgram() {
    }

    public static void main(String[] arguments) throws MPIException {
        MPI.Init(arguments);
        rank = WORLD.Rank();
        ranks = WORLD.Size();
        messages();
        modes();
        order();
        collectives();
        reductions();
        derived();
        refused();
        failures();
        System.out.println("rank " + rank + ": objects are right");
        MPI.Finalize();
    }

    private static void same(Object expected, Object actual, String what) {
        if (!Objects.deepEquals(expected, actual)) {
            throw new AssertionError("rank " + rank + ", " + what + ": " + shown(actual) + ", not " + shown(expected));
        }
    }

    private static String shown(Object value) {
        return value instanceof Object[] array ? Arrays.deepToString(array) : String.valueOf(value);
    }

    private static Object[] sample(int of) {
        HashMap<String, List<Integer>> map = new HashMap<>();
        map.put("of", new ArrayList<>(List.of(of, of + 1)));
        return new Object[] {"text " + of, of, null, new int[][] {{of}, {1, 2, of}}, map, List.of("a", of), 'x',
            BigInteger.TWO.pow(100 + of), new double[] {of, -0.5}, java.time.LocalDate.of(2026, 1, 1 + of)};
    }

    private static void messages() throws MPIException {
        int right = (rank + 1) % ranks;
        int left = (rank + ranks - 1) % ranks;
        Object[] mine = sample(rank);
        int n = mine.length;
        Object[] came = new Object[n + 5];
        Request request = WORLD.Irecv(came, 3, n + 2, MPI.OBJECT, MPI.ANY_SOURCE, 1);
        WORLD.Send(mine, 0, n, MPI.OBJECT, right, 1);
        Status status = request.Wait();
        same(n, status.Get_count(MPI.OBJECT), "count");
        same(n, status.count, "count");
        same(left, status.source, "source");
        same(sample(left), Arrays.copyOfRange(came, 3, 3 + n), "Irecv");
        came = new Object[n];
        status = WORLD.Sendrecv(mine, 0, n, MPI.OBJECT, right, 2, came, 0, n, MPI.OBJECT, left, 2);
        same(sample(left), came, "Sendrecv");
        came = sample(rank);
        WORLD.Sendrecv_replace(came, 0, n, MPI.OBJECT, right, 3, left, 3);
        same(sample(left), came, "Sendrecv_replace");
        // A list of the program's class that leads back to its begin, and more bytes than go without asking.
        Node node = new Node(rank);
        node.next = node;
        byte[] long_ = new byte[5_000_000];
        Arrays.fill(long_, (byte) rank);
        Request sent = WORLD.Isend(new Object[] {node, long_, node}, 0, 3, MPI.OBJECT, right, 4);
        came = new Object[3];
        WORLD.Recv(came, 0, 3, MPI.OBJECT, left, 4);
        sent.Wait();
        same(left, ((Node) came[0]).value, "node");
        same(true, ((Node) came[0]).next == came[0] && came[0] == came[2], "objects that refer to each other");
        same(left, (int) ((byte[]) came[1])[4_999_999], "bytes");
        String[] words = new String[2];
        WORLD.Sendrecv(new String[] {"a", "b" + rank}, 0, 2, MPI.OBJECT, right, 5, words, 0, 2, MPI.OBJECT, left, 5);
        same(new String[] {"a", "b" + left}, words, "strings");
        WORLD.Sendrecv(null, 0, 0, MPI.OBJECT, right, 6, null, 0, 0, MPI.OBJECT, left, 6);
    }

    /** Every send of the dialect, once waited for, once not, once prepared. */
    private static void modes() throws MPIException {
        MPI.Buffer_attach(java.nio.ByteBuffer.allocate(100_000));
        for (int round = 0; round < 2; round++) {
            Object[][] came = new Object[12][1];
            Request[] receives = new Request[12];
            for (int i = 0; i < 12; i++) {
                receives[i] = WORLD.Irecv(came[i], 0, 1, MPI.OBJECT, rank, i);
            }
            Object[] text = {"round " + round, "x".repeat(1000 * round)};
            WORLD.Send(text, 0, 1, MPI.OBJECT, rank, 0);
            WORLD.Bsend(text, 1, 1, MPI.OBJECT, rank, 1);
            WORLD.Ssend(text, 0, 1, MPI.OBJECT, rank, 2);
            WORLD.Rsend(text, 0, 1, MPI.OBJECT, rank, 3);
            WORLD.Isend(text, 0, 1, MPI.OBJECT, rank, 4).Wait();
            WORLD.Ibsend(text, 1, 1, MPI.OBJECT, rank, 5).Wait();
            WORLD.Issend(text, 0, 1, MPI.OBJECT, rank, 6).Wait();
            WORLD.Irsend(text, 0, 1, MPI.OBJECT, rank, 7).Wait();
            mpi.Prequest[] prepared = {WORLD.Send_init(text, 0, 1, MPI.OBJECT, rank, 8),
                WORLD.Bsend_init(text, 1, 1, MPI.OBJECT, rank, 9), WORLD.Ssend_init(text, 0, 1, MPI.OBJECT, rank, 10),
                WORLD.Rsend_init(text, 0, 1, MPI.OBJECT, rank, 11)};
            mpi.Prequest.Startall(prepared);
            Request.Waitall(prepared);
            Status[] statuses = Request.Waitall(receives);
            for (int i = 0; i < 12; i++) {
                same(text[i % 4 == 1 ? 1 : 0], came[i][0], "mode " + i);
                same(1, statuses[i].Get_count(MPI.OBJECT), "count of mode " + i);
            }
        }
        MPI.Buffer_detach();
        Request late = WORLD.Isend(new Object[] {1, 2}, 0, 2, MPI.OBJECT, rank, 1);
        same(2, WORLD.Probe(rank, 1).Get_count(MPI.OBJECT), "objects of a message that has not been read");
        WORLD.Recv(new Object[2], 0, 2, MPI.OBJECT, rank, 1);
        late.Wait();
    }

    /** Receives match in the order in which they were posted, whatever is asked about first. */
    private static void order() throws MPIException {
        Object[][] came = new Object[10][1];
        Request[] requests = new Request[10];
        for (int i = 0; i < 10; i++) {
            requests[i] = WORLD.Irecv(came[i], 0, 1, MPI.OBJECT, rank, MPI.ANY_TAG);
        }
        for (int i = 0; i < 10; i++) {
            WORLD.Send(new Object[] {"message " + i}, 0, 1, MPI.OBJECT, rank, i);
        }
        for (int i = 9; i >= 0; i--) {
            same(i, requests[i].Wait().tag, "tag");
            same("message " + i, came[i][0], "message");
        }
        Request cancelled = WORLD.Irecv(came[0], 0, 1, MPI.OBJECT, rank, 99);
        cancelled.Cancel();
        same(true, cancelled.Wait().Test_cancelled(), "cancelled");
    }

    private static String[] strings(String of, int n) {
        String[] all = new String[n];
        Arrays.setAll(all, i -> of + i);
        return all;
    }

    private static void collectives() throws MPIException {
        for (int root = 0; root < ranks; root++) {
            Object[] items = rank == root ? sample(root) : new Object[10];
            WORLD.Bcast(items, 0, 10, MPI.OBJECT, root);
            same(sample(root), items, "Bcast");
            String[] all = new String[2 * ranks];
            WORLD.Gather(strings("r" + rank, 2), 0, 2, MPI.OBJECT, all, 0, 2, MPI.OBJECT, root);
            String[] expected = new String[2 * ranks];
            Arrays.setAll(expected, i -> "r" + i / 2 + i % 2);
            same(rank == root ? expected : new String[2 * ranks], all, "Gather");
            String[] two = new String[2];
            WORLD.Scatter(expected, 0, 2, MPI.OBJECT, two, 0, 2, MPI.OBJECT, root);
            same(strings("r" + rank, 2), two, "Scatter");
        }
        int[] counts = new int[ranks];
        int[] places = new int[ranks];
        int next = 1;
        for (int i = 0; i < ranks; i++) {
            counts[i] = i + 1;
            places[i] = next;
            next += i + 2; // a gap between any two
        }
        Object[] expected = new Object[next];
        for (int i = 0; i < ranks; i++) {
            System.arraycopy(strings("v" + i, i + 1), 0, expected, places[i], i + 1);
        }
        Object[] all = new Object[next];
        WORLD.Allgatherv(strings("v" + rank, rank + 1), 0, rank + 1, MPI.OBJECT, all, 0, counts, places, MPI.OBJECT);
        same(expected, all, "Allgatherv");
        all = new Object[next];
        WORLD.Gatherv(strings("v" + rank, rank + 1), 0, rank + 1, MPI.OBJECT, all, 0, counts, places, MPI.OBJECT, 0);
        same(rank == 0 ? expected : new Object[next], all, "Gatherv");
        Object[] own = new Object[rank + 1];
        WORLD.Scatterv(expected, 0, counts, places, MPI.OBJECT, own, 0, rank + 1, MPI.OBJECT, 0);
        same(strings("v" + rank, rank + 1), own, "Scatterv");
        Object[] each = new Object[ranks];
        WORLD.Allgather(new Object[] {"g" + rank}, 0, 1, MPI.OBJECT, each, 0, 1, MPI.OBJECT);
        same(strings("g", ranks), each, "Allgather");
        String[] out = new String[ranks];
        Arrays.setAll(out, i -> rank + " to " + i);
        String[] in = new String[ranks];
        WORLD.Alltoall(out, 0, 1, MPI.OBJECT, in, 0, 1, MPI.OBJECT);
        String[] wanted = new String[ranks];
        Arrays.setAll(wanted, i -> i + " to " + rank);
        same(wanted, in, "Alltoall");
        int[] ones = new int[ranks];
        Arrays.fill(ones, 1);
        int[] backwards = new int[ranks];
        Arrays.setAll(backwards, i -> ranks - 1 - i);
        in = new String[ranks];
        WORLD.Alltoallv(out, 0, ones, backwards, MPI.OBJECT, in, 0, ones, backwards, MPI.OBJECT);
        Arrays.setAll(wanted, i -> ranks - 1 - i + " to " + (ranks - 1 - rank));
        same(wanted, in, "Alltoallv");
    }

    private static final class Join extends User_function {
        @Override
        public void Call(Object in, int inOffset, Object inout, int inoutOffset, int count, Datatype type) {
            for (int i = 0; i < count; i++) {
                Object[] target = (Object[]) inout;
                target[inoutOffset + i] = "" + ((Object[]) in)[inOffset + i] + target[inoutOffset + i];
            }
        }
    }

    private static String joined(int first, int last, String item) {
        StringBuilder text = new StringBuilder();
        for (int i = first; i <= last; i++) {
            text.append(i).append(item);
        }
        return text.toString();
    }

    private static void reductions() throws MPIException {
        Op join = new Op(new Join(), false);
        Object[] mine = {null, rank + "a", rank + "b"};
        for (int root = 0; root < ranks; root++) {
            Object[] result = new Object[2];
            WORLD.Reduce(mine, 1, result, 0, 2, MPI.OBJECT, join, root);
            same(rank == root ? new Object[] {joined(0, ranks - 1, "a"), joined(0, ranks - 1, "b")} : new Object[2],
                result, "Reduce");
        }
        Object[] result = new Object[2];
        WORLD.Allreduce(mine, 1, result, 0, 2, MPI.OBJECT, join);
        same(new Object[] {joined(0, ranks - 1, "a"), joined(0, ranks - 1, "b")}, result, "Allreduce");
        result = new Object[2];
        WORLD.Scan(mine, 1, result, 0, 2, MPI.OBJECT, join);
        same(new Object[] {joined(0, rank, "a"), joined(0, rank, "b")}, result, "Scan");
        int[] ones = new int[ranks];
        Arrays.fill(ones, 1);
        Object[] blocks = new Object[ranks];
        Arrays.setAll(blocks, i -> rank + ":" + i + " ");
        result = new Object[1];
        WORLD.Reduce_scatter(blocks, 0, result, 0, ones, MPI.OBJECT, join);
        same(joined(0, ranks - 1, ":" + rank + " "), result[0], "Reduce_scatter");
        same(rank + "a", mine[1], "the input");
    }

    private static void derived() throws MPIException {
        Datatype every = Datatype.Vector(3, 1, 2, MPI.OBJECT);
        Object[] row = new Object[3];
        WORLD.Sendrecv(strings("d" + rank, 5), 0, 1, every, rank, 1, row, 0, 3, MPI.OBJECT, rank, 1);
        same(new Object[] {"d" + rank + 0, "d" + rank + 2, "d" + rank + 4}, row, "Vector of objects");
    }

    private static void refused() throws MPIException {
        for (Object object : new Object[] {new UID(), new ArrayList<>(List.of(new UID())), new UID[1]}) {
            fails(MPI.ERR_TYPE, "brigade.object.also",
                () -> WORLD.Sendrecv(new Object[] {object}, 0, 1, MPI.OBJECT, rank, 7, new Object[1], 0, 1, MPI.OBJECT,
                    rank, 7));
        }
        Object proxy = java.lang.reflect.Proxy.newProxyInstance(ObjectsProgram.class.getClassLoader(),
            new Class<?>[] {Runnable.class}, (java.lang.reflect.InvocationHandler & Serializable) (p, m, a) -> null);
        fails(MPI.ERR_TYPE, "", () -> WORLD.Sendrecv(new Object[] {proxy}, 0, 1, MPI.OBJECT, rank, 8, new Object[1], 0,
            1, MPI.OBJECT, rank, 8));
        fails(MPI.ERR_TYPE, "String[]", () -> WORLD.Sendrecv(new Object[] {1}, 0, 1, MPI.OBJECT, rank, 9, new String[1],
            0, 1, MPI.OBJECT, rank, 9));
        fails(MPI.ERR_TRUNCATE, "2 objects", () -> WORLD.Sendrecv(new Object[2], 0, 2, MPI.OBJECT, rank, 10,
            new Object[1], 0, 1, MPI.OBJECT, rank, 10));
        fails(MPI.ERR_TYPE, "Object[]", () -> WORLD.Send(new int[1], 0, 1, MPI.OBJECT, rank, 11));
        fails(MPI.ERR_COUNT, "longer", () -> WORLD.Send(new Object[1], 0, 2, MPI.OBJECT, rank, 11));
        Node chain = new Node(0);
        for (int i = 1; i < 1_000_000; i++) {
            Node before = new Node(i);
            before.next = chain;
            chain = before;
        }
        Node head = chain;
        fails(MPI.ERR_TYPE, "-Xss", () -> WORLD.Send(new Object[] {head}, 0, 1, MPI.OBJECT, rank, 12));
        // Nothing of this is left over.
        same(null, WORLD.Iprobe(MPI.ANY_SOURCE, MPI.ANY_TAG), "a message that nobody receives");
    }

    /** Objects of one rank that cannot be serialized are an error on every rank that waits for them. */
    private static void failures() throws MPIException {
        int bad = ranks - 1;
        Object[] mine = new Object[ranks];
        Arrays.fill(mine, rank == bad ? new Object() : "good");
        Object[] all = new Object[ranks];
        everywhere(() -> WORLD.Bcast(mine, 0, 1, MPI.OBJECT, bad));
        everywhere(() -> WORLD.Allgather(mine, 0, 1, MPI.OBJECT, all, 0, 1, MPI.OBJECT));
        everywhere(() -> WORLD.Alltoall(mine, 0, 1, MPI.OBJECT, all, 0, 1, MPI.OBJECT));
        everywhere(() -> WORLD.Scatter(mine, 0, 1, MPI.OBJECT, all, 0, 1, MPI.OBJECT, bad));
        everywhere(() -> WORLD.Gather(mine, 0, 1, MPI.OBJECT, all, 0, 1, MPI.OBJECT, bad), bad);
        everywhere(() -> WORLD.Allreduce(new Object[] {"x"}, 0, all, 0, 1, MPI.OBJECT, new Op(new User_function() {
            @Override
            public void Call(Object in, int inOffset, Object inout, int inoutOffset, int count, Datatype type) {
                throw new IllegalStateException("bad function");
            }
        }, false)), ranks == 1 ? -1 : -2);
    }

    private static void everywhere(Call call) throws MPIException {
        everywhere(call, -2);
    }

    /** @param only the only rank that fails; -2 for all, -1 for none */
    private static void everywhere(Call call, int only) throws MPIException {
        try {
            call.make();
        } catch (MPIException e) {
            same(true, only == -2 || only == rank, "failed: " + e.getMessage());
            return;
        }
        same(true, only != -2 && only != rank, "not failed");
    }

    private static void fails(int errorClass, String named, Call call) throws MPIException {
        try {
            call.make();
        } catch (MPIException e) {
            same(errorClass, e.getErrorClass(), e.getMessage());
            same(true, e.getMessage().contains(named), e.getMessage());
            return;
        }
        throw new AssertionError("accepted: " + named);
    }
}
