package org.brigade.communicator;

import static org.brigade.communicator.CollectiveCalls.calls;
import static org.brigade.communicator.CollectiveTrial.INT;
import static org.brigade.communicator.CollectiveTrial.SUM;
import static org.brigade.communicator.Payloads.BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.Envelope;
import mpi.spi.Operation;
import mpi.spi.SendMode;
import org.brigade.verify.IntSums;
import org.brigade.verify.SampleCall;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several collectives under way at once, on one communicator and on several, in every order that MPI allows. */
@Tag("once")
class OverlapTest {
    /** One collective under way, and what it has to give. */
    private static final class Flight {
        private static final Collective[] SHAPES = {Collective.ALLREDUCE, Collective.BCAST, Collective.ALLGATHER,
            Collective.GATHER, Collective.ALLTOALL, Collective.BARRIER};

        private final String what;
        private final int[] out;
        private final int[] expected;
        private final Operation operation;

        /** Starts call {@code shape % 6} of {@code count} ints; every rank gives it the same arguments. */
        Flight(Communicator comm, int shape, int count, int seed, boolean blocking) {
            int rank = comm.rank();
            int ranks = comm.size();
            int root = seed % ranks;
            int[] in = contribution(seed, rank, count * ranks);
            Collective collective = SHAPES[shape % SHAPES.length];
            what = collective.key();
            if (collective == Collective.BARRIER) {
                out = new int[0];
                expected = out;
                operation = calls(comm).barrier(blocking);
                return;
            }
            SampleCall call = new SampleCall(collective, ranks, root, count, 0, false, true);
            out = collective == Collective.BCAST && rank == root ? in.clone()
                : new int[call.items(call.received(rank))];
            expected = out.clone();
            IntSums.put(call, rank, source -> contribution(seed, source, in.length), expected);
            operation = switch (collective) {
                case ALLREDUCE -> calls(comm).allreduce(in, 0, out, 0, count, INT, SUM, blocking);
                case BCAST -> calls(comm).bcast(out, 0, count, INT, root, blocking);
                case ALLGATHER -> calls(comm).allgather(in, 0, count, INT, out, 0, count, INT, blocking);
                case GATHER -> calls(comm).gather(in, 0, count, INT, rank == root ? out : null, 0, count, INT, root,
                    blocking);
                default -> calls(comm).alltoall(in, 0, count, INT, out, 0, count, INT, blocking);
            };
        }

        private static int[] contribution(int seed, int rank, int length) {
            int[] values = new int[length];
            for (int i = 0; i < length; i++) {
                values[i] = seed + rank * 7919 + i * 31;
            }
            return values;
        }

        void land(String where) {
            if (operation != null) {
                operation.await();
            }
            for (int i = 0; i < expected.length; i++) {
                assertEquals(expected[i], out[i], where + ": " + what + ", item " + i + " of " + expected.length);
            }
        }
    }

    private static final int[] COUNTS = {1, 12, 13, 900, 9000};

    @ParameterizedTest
    @EnumSource(Jobs.class)
    void collectivesOfSeveralCommunicatorsMayStartInAnyOrderAndEndInAnyOrder(Jobs kind) throws Exception {
        AtomicLong setAside = new AtomicLong();
        for (int seed = 0; seed < 6; seed++) {
            int storm = seed;
            int ranks = 2 + seed % 4;
            ThreadJob.run(kind.endpoints(ranks, seed), (provider, world) -> {
                Communicator[] comms = new Communicator[5];
                for (int c = 0; c < comms.length; c++) {
                    comms[c] = c == 3 ? world.split(0, -world.rank()) : world.duplicate();
                }
                Random together = new Random(storm);
                for (int round = 0; round < 6; round++) {
                    // What is called is the same everywhere; in which order the communicators come is each rank's own
                    // affair.
                    Random own = new Random(storm * 1000 + round * 10 + world.rank());
                    List<Integer> order = new ArrayList<>();
                    int[] shapes = new int[comms.length];
                    int[] counts = new int[comms.length];
                    for (int c = 0; c < comms.length; c++) {
                        order.add(c);
                        shapes[c] = together.nextInt(6);
                        counts[c] = COUNTS[together.nextInt(COUNTS.length)];
                    }
                    Collections.shuffle(order, own);
                    List<Flight> flights = new ArrayList<>();
                    List<Operation> messages = new ArrayList<>();
                    byte[] in = new byte[50_000];
                    int left = (world.rank() + ranks - 1) % ranks;
                    for (int c : order) {
                        if (c == 0) { // the blocking one
                            new Flight(comms[0], shapes[0], counts[0], storm + round, true)
                                .land("storm " + storm + ", round " + round + ", blocking");
                            messages.add(world.isend(Payloads.of(round, in.length), 0, in.length, BYTE,
                                (world.rank() + 1) % ranks, 1, SendMode.STANDARD));
                        } else {
                            flights.add(new Flight(comms[c], shapes[c], counts[c], storm + round, false));
                            flights.add(new Flight(comms[c], shapes[c] + 1, counts[c], storm + round + 1, false));
                        }
                    }
                    world.recv(in, 0, in.length, BYTE, left, 1, new Envelope());
                    Payloads.check("message beside collectives", round, in.length, in);
                    Collections.shuffle(flights, own);
                    for (Flight flight : flights) {
                        flight.land("storm " + storm + ", round " + round);
                    }
                    messages.forEach(Operation::await);
                }
                setAside.addAndGet(provider.job().progress().messagesSetAside());
            });
        }
        assertTrue(setAside.get() > 100,
            "this test is there for messages that have to step aside, and only " + setAside + " did");
    }

    /** A tiny collective that is not made of a cursor must leave alone what a cursor has begun to take. */
    @ParameterizedTest
    @EnumSource(Jobs.class)
    void blockingBarriersDoNotTearALongBcastUnderWay(Jobs kind) throws Exception {
        for (int seed = 0; seed < 4; seed++) {
            int trial = seed;
            ThreadJob.run(kind.endpoints(2, seed), (provider, world) -> {
                Communicator other = world.duplicate();
                for (int round = 0; round < 5; round++) {
                    Flight[] flights = new Flight[3];
                    for (int i = 0; i < flights.length; i++) {
                        flights[i] = new Flight(world, 1 - i % 2, 60_000, round + i, false);
                    }
                    for (int i = 0; i < 20; i++) {
                        new Flight(other, 5, 1, i, true).land("barrier");
                        new Flight(other, 0, 3, i, true).land("trial " + trial);
                    }
                    for (Flight flight : flights) {
                        flight.land("trial " + trial + ", round " + round);
                    }
                }
            });
        }
    }

    /** Each rank's links are full of a collective that the other has not begun when both send packets of a third. */
    @Test
    void packetsComeThroughWhenAllLinksAreFullOfWhatNobodyHasAskedForYet() throws Exception {
        for (int ranks = 2; ranks <= 4; ranks++) {
            ThreadJob.run(Jobs.NARROW.endpoints(ranks, 0), (provider, world) -> {
                Communicator[] first = new Communicator[world.size()];
                for (int i = 0; i < first.length; i++) {
                    first[i] = world.duplicate();
                }
                Flight[] flights = new Flight[first.length];
                int own = world.rank();
                // With communicator i only rank i is early, and its data fill its links.
                flights[own] = new Flight(first[own], 4, 50_000, own, false);
                for (int i = 0; i < 300; i++) {
                    new Flight(world, i % 2 == 0 ? 5 : 0, 5, i, true).land("packets");
                }
                for (int i = 0; i < first.length; i++) {
                    if (i != own) {
                        flights[i] = new Flight(first[i], 4, 50_000, i, false);
                    }
                }
                for (Flight flight : flights) {
                    flight.land("long alltoalls");
                }
            });
        }
    }

    @ParameterizedTest
    @EnumSource(Jobs.class)
    void communicatorsMadeInTheMiddleAreOfTheirOwn(Jobs kind) throws Exception {
        for (int ranks = 1; ranks <= 5; ranks++) {
            ThreadJob.run(kind.endpoints(ranks, ranks), (provider, world) -> {
                int n = world.size();
                int rank = world.rank();
                Flight under = new Flight(world, 0, 20_000, 5, false);
                byte[] in = new byte[10];
                Operation wildcard = world.irecv(in, 0, 10, BYTE, -1, -1);
                Communicator halves = world.split(rank % 2, -rank);
                assertEquals((n - rank % 2 + 1) / 2, halves.size());
                assertEquals(halves.size() - 1 - rank / 2, halves.rank(), "a falling key turns the order round");
                assertNull(world.split(rank == 0 ? -1 : 1, 0) == null ? null : rank == 0 ? "rank 0 stayed out" : null);
                int[] backwards = new int[n];
                for (int i = 0; i < n; i++) {
                    backwards[i] = n - 1 - i;
                }
                Communicator turned = world.create(backwards);
                assertEquals(n - 1 - rank, turned.rank());
                Communicator[] later = new Communicator[1];
                Operation making = turned.iduplicate(later);
                Communicator grouped =
                    rank < 2 ? world.createGroup(n == 1 ? new int[] {0} : new int[] {1, 0}, 0) : null;
                for (int i = 0; i < 6; i++) {
                    new Flight(halves, i, 900, i, i % 2 == 0).land("half");
                    new Flight(turned, i, 900, i, i % 2 == 0).land("turned");
                    if (grouped != null) {
                        new Flight(grouped, i, 900, i, i % 2 == 0).land("grouped");
                    }
                }
                making.await();
                assertTrue(making.test());
                later[0].send(Payloads.of(1, 10), 0, 10, BYTE, later[0].rank(), 3, SendMode.STANDARD);
                later[0].recv(new byte[10], 0, 10, BYTE, -1, -1, new Envelope());
                new Flight(later[0], 2, 5, 3, true).land("duplicate of the turned");
                under.land("world");
                // Only now does anything come that the wildcard of world may take.
                world.send(Payloads.of(4, 10), 0, 10, BYTE, (rank + 1) % n, 9, SendMode.STANDARD);
                wildcard.await();
                Payloads.check("message to a wildcard", 4, 10, in);
            });
        }
    }

    @Test
    void aDuplicateCanBeBegunWhileTheOthersAreElsewhere() throws Exception {
        ThreadJob.run(Jobs.WIDE.endpoints(3, 0), (provider, world) -> {
            Communicator[] made = new Communicator[1];
            byte[] word = new byte[1];
            if (world.rank() == 2) { // begins last, after a message that rank 1 sends only after it has begun
                world.recv(word, 0, 1, BYTE, 1, 0, new Envelope());
            }
            Operation making = world.iduplicate(made);
            if (world.rank() == 1) {
                world.send(word, 0, 1, BYTE, 2, 0, SendMode.SYNCHRONOUS);
            }
            while (!making.test()) {
                Thread.onSpinWait();
            }
            new Flight(made[0], 0, 100, 1, true).land("duplicate");
        });
    }

    @Test
    void communicatorsThatAreFreedLeaveNothingBehind() throws Exception {
        ThreadJob.run(Jobs.WIDE.endpoints(2, 0), (provider, world) -> {
            List<java.lang.ref.WeakReference<Communicator>> dead = new ArrayList<>();
            for (int i = 0; i < 3000; i++) {
                Communicator comm = i % 2 == 0 ? world.duplicate() : world.split(0, world.rank());
                new Flight(comm, i, 100, i, i % 3 == 0).land("communicator " + i);
                comm.free();
                dead.add(new java.lang.ref.WeakReference<>(comm));
            }
            int alive = dead.size();
            for (int turn = 0; turn < 20 && alive > 10; turn++) {
                System.gc();
                alive = 0;
                for (java.lang.ref.WeakReference<Communicator> reference : dead) {
                    alive += reference.get() == null ? 0 : 1;
                }
            }
            assertTrue(alive <= 10, alive + " of 3000 freed communicators are still held");
        });
    }
}
