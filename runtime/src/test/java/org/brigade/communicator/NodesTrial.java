package org.brigade.communicator;

import static org.brigade.communicator.CollectiveCalls.calls;
import static org.brigade.communicator.Payloads.BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import mpi.Intracomm;
import mpi.MPI;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.ElementKind;
import mpi.spi.Envelope;
import mpi.spi.Operation;
import mpi.spi.Providers;
import mpi.spi.SendMode;
import mpi.spi.TypeLayout;

/**
 * A job of real processes on real nodes that tries everything, with results compared; its arguments are the node of
 * each rank, as {@code 0,0,1,1}, and the parts to try: {@code collectives} ({@code collectives=commutative}),
 * {@code messages}, {@code communicators}, {@code threads}, {@code dialects}, {@code traffic=SECONDS}. Each rank says
 * at the end that all is right. Started by the tests of clusters.
 */
public final class NodesTrial {
    private static final int[] COUNTS = {0, 1, 7, 12, 250, 40_000};
    private static final int[] SIZES = {0, 1, 48, 49, 4096, 32 << 10, (32 << 10) + 1, 100_000, 3 << 20};
    private static final int ANY = -1;
    private static final TypeLayout INT = TypeLayout.of("MPI.INT", ElementKind.INT, 1);

    private final Communicator world;
    private final int[] mapping;
    private final int rank;

    private NodesTrial(Communicator world, int[] mapping) {
        this.world = world;
        this.mapping = mapping;
        this.rank = world.rank();
    }

    public static void main(String[] arguments) throws Exception {
        MPI.Init(new String[0]);
        Communicator world = ((BrigadeProvider) Providers.usual()).world();
        int[] mapping = Arrays.stream(arguments[0].split(",")).mapToInt(Integer::parseInt).toArray();
        assertEquals(mapping.length, world.size());
        NodesTrial trial = new NodesTrial(world, mapping);
        System.out.println("rank " + world.rank() + " begins");
        for (int i = 1; i < arguments.length; i++) {
            String[] part = arguments[i].split("=");
            switch (part[0]) {
                case "collectives" -> trial.collectives(part.length == 1);
                case "messages" -> trial.messages();
                case "communicators" -> trial.communicators();
                case "threads" -> trial.threads();
                case "dialects" -> dialects();
                case "traffic" -> trial.traffic(Long.parseLong(part[1]) * 1_000_000_000L);
                default -> throw new IllegalArgumentException(arguments[i]);
            }
        }
        MPI.Finalize();
        System.out.println("rank " + world.rank() + ": all is right");
    }

    /** Every collective, by selection's choice for each size, in all forms of buffers and calls. */
    private void collectives(boolean anyOperation) {
        for (Collective collective : Collective.values()) {
            for (int count : COUNTS) {
                for (int form = 0; form < 16; form++) {
                    boolean ordered = (form & 8) != 0;
                    if (ordered && (!anyOperation || !collective.reduces || count % 2 != 0)
                        || count > 1000 && form % 5 != 0) {
                        continue;
                    }
                    new CollectiveTrial(world, (count + form) % world.size(), count, (form & 1) != 0,
                        (form & 2) != 0 && collective != Collective.BCAST, (form & 4) != 0, ordered).run(collective);
                }
            }
        }
    }

    /** Every rank with every other, both at once; many to one, with wildcards; in order. */
    private void messages() {
        int n = world.size();
        for (int bytes : SIZES) {
            for (int shift = 1; shift < n; shift++) {
                int to = (rank + shift) % n;
                int from = (rank - shift + n) % n;
                Operation sent = world.isend(Payloads.of(rank * 1000L + shift, bytes), 0, bytes, BYTE, to, shift,
                    shift % 3 == 0 ? SendMode.SYNCHRONOUS : SendMode.STANDARD);
                byte[] in = new byte[bytes];
                Envelope envelope = new Envelope();
                world.recv(in, 0, bytes, BYTE, from, shift % 2 == 0 ? shift : ANY, envelope);
                assertEquals(bytes, envelope.bytes());
                Payloads.check("message of " + bytes + " bytes from " + from, from * 1000L + shift, bytes, in);
                sent.await();
            }
            calls(world).barrier(true);
        }
        int each = 50;
        if (rank > 0) {
            List<Operation> sends = new ArrayList<>();
            for (int i = 0; i < each; i++) {
                int bytes = i % 10 == 9 ? 60_000 : 8 + i;
                sends.add(
                    world.isend(Payloads.of(rank * 1000L + i, bytes), 0, bytes, BYTE, 0, i % 2, SendMode.STANDARD));
            }
            sends.forEach(Operation::await);
        } else {
            int[] came = new int[n];
            byte[] in = new byte[60_000];
            for (int i = 0; i < each * (n - 1); i++) {
                Envelope envelope = new Envelope();
                world.recv(in, 0, in.length, BYTE, ANY, ANY, envelope);
                int from = envelope.source;
                Payloads.check("message " + came[from] + " from " + from, from * 1000L + came[from]++,
                    (int) envelope.bytes(), in);
            }
        }
        calls(world).barrier(true);
    }

    /** The ranks of a node, one of each node, and others across; everything works in them. */
    private void communicators() {
        Communicator node = world.splitShared(rank);
        int[] here = new int[node.size()];
        calls(node).allgather(new int[] {rank}, 0, 1, INT, here, 0, 1, INT, true);
        int[] expected = IntStream.range(0, mapping.length).filter(other -> mapping[other] == mapping[rank]).toArray();
        assertArrayEquals(expected, here, "the ranks on the node of rank " + rank);
        Communicator across = world.split(node.rank(), -rank);
        Communicator reversed = world.split(0, -rank);
        assertEquals(mapping.length - 1 - rank, reversed.rank());
        for (Communicator each : new Communicator[] {node, across, reversed, reversed.duplicate()}) {
            for (Collective collective : Collective.values()) {
                new CollectiveTrial(each, each.size() - 1, 250, false, false, true, false).run(collective);
                new CollectiveTrial(each, 0, 5000, true, false, false, false).run(collective);
            }
        }
        int[] odd = new int[mapping.length / 2];
        Arrays.setAll(odd, i -> 2 * i + 1);
        Communicator group = world.createGroup(odd, 3);
        if (group != null) {
            new CollectiveTrial(group, 0, 1000, false, false, false, false).run(Collective.ALLREDUCE);
        }
        calls(world).barrier(true);
    }

    /** Two threads of each rank at once, each in a communicator of its own. */
    private void threads() throws InterruptedException {
        Throwable[] failures = new Throwable[2];
        Thread[] threads = new Thread[failures.length];
        for (int i = 0; i < threads.length; i++) {
            int number = i;
            Communicator own = world.duplicate();
            threads[i] = new Thread(() -> {
                for (int round = 0; round < 50; round++) {
                    new CollectiveTrial(own, round % own.size(), 10 + round * 100 * number, false, false,
                        round % 2 == 0, false).run(Collective.ALLREDUCE);
                    new CollectiveTrial(own, round % own.size(), 3000, false, false, round % 3 == 0, false)
                        .run(Collective.ALLTOALL);
                }
            });
            threads[i].setUncaughtExceptionHandler((thread, failure) -> failures[number] = failure);
            threads[i].start();
        }
        for (int i = 0; i < threads.length; i++) {
            threads[i].join();
            if (failures[i] != null) {
                throw new AssertionError("thread " + i, failures[i]);
            }
        }
    }

    private static void dialects() throws Exception {
        Intracomm comm = MPI.COMM_WORLD;
        int n = comm.getSize();
        double[] sum = new double[2];
        comm.allReduce(new double[] {1, comm.getRank()}, sum, 2, MPI.DOUBLE, MPI.SUM);
        assertArrayEquals(new double[] {n, n * (n - 1) / 2.0}, sum, "camel dialect");
        Arrays.fill(sum, 0);
        comm.Allreduce(new double[] {0, 1, comm.Rank()}, 1, sum, 0, 2, MPI.DOUBLE, MPI.SUM);
        assertArrayEquals(new double[] {n, n * (n - 1) / 2.0}, sum, "capital dialect");
        char[] word = comm.Rank() == n - 1 ? "brigade".toCharArray() : new char[7];
        comm.Bcast(word, 0, 7, MPI.CHAR, n - 1);
        assertEquals("brigade", new String(word));
    }

    /**
     * Small and long collectives and messages around the ranks, compared, for so long; then rank 0 says for how many
     * rounds.
     */
    private void traffic(long nanos) {
        int n = world.size();
        long end = System.nanoTime() + nanos;
        int[] goOn = {1};
        int rounds = 0;
        while (goOn[0] != 0) {
            new CollectiveTrial(world, rounds % n, 12, false, false, true, false).run(Collective.ALLREDUCE);
            new CollectiveTrial(world, rounds % n, 100_000, false, false, true, false).run(Collective.BCAST);
            int bytes = 30_000 + rounds;
            Operation sent =
                world.isend(Payloads.of(rank + rounds, bytes), 0, bytes, BYTE, (rank + 1) % n, 5, SendMode.STANDARD);
            byte[] in = new byte[bytes];
            int from = (rank + n - 1) % n;
            world.recv(in, 0, bytes, BYTE, from, 5, new Envelope());
            Payloads.check("round " + rounds, from + rounds, bytes, in);
            sent.await();
            goOn[0] = System.nanoTime() < end ? 1 : 0;
            calls(world).bcast(goOn, 0, 1, INT, 0, true);
            if (rounds++ == 0 && rank == 0) {
                System.out.println("traffic flows");
            }
        }
        if (rank == 0) {
            System.out.println("rounds: " + rounds);
        }
    }
}
