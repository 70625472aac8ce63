package org.brigade.matching;

import static org.brigade.communicator.CollectiveCalls.calls;
import static org.brigade.communicator.Payloads.BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Communicator;
import mpi.spi.Envelope;
import mpi.spi.MatchedMessage;
import mpi.spi.Operation;
import mpi.spi.SendMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.brigade.communicator.Jobs;
import org.brigade.communicator.Payloads;
import org.brigade.communicator.ThreadJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A message that a matched probe has found is received by that probe's object and by nothing else. */
class MatchedProbeTest {
    private static final int ANY = -1;
    private static final int[] SIZES = {0, 1, 48, 5000, 32 << 10, (32 << 10) + 1, 100_000};

    private static Operation send(Communicator comm, long seed, int bytes, int destination, int tag) {
        return comm.isend(Payloads.of(seed, bytes), 0, bytes, BYTE, destination, tag, SendMode.STANDARD);
    }

    /** Receives a taken message, which has to be that of the seed. */
    private static void receive(MatchedMessage message, Envelope probed, long seed) {
        byte[] in = new byte[(int) probed.bytes()];
        Operation operation = message.irecv(in, 0, in.length, BYTE, "mRecv");
        operation.await();
        Envelope envelope = new Envelope();
        operation.describe(envelope);
        assertEquals(probed.source, envelope.source);
        assertEquals(probed.tag, envelope.tag);
        assertEquals(probed.bytes(), envelope.bytes());
        Payloads.check("message " + seed, seed, in.length, in);
    }

    @ParameterizedTest
    @EnumSource(Jobs.class)
    void whatAProbeTakesNoOtherCallFinds(Jobs kind) throws Exception {
        ThreadJob.run(kind.endpoints(2, 3), (provider, world) -> {
            int other = 1 - world.rank();
            for (int bytes : SIZES) {
                Operation[] sent = {send(world, 1, bytes, other, 5), send(world, 2, bytes, other, 5),
                    send(world, 3, bytes, other, 6)};
                Envelope first = new Envelope();
                Envelope second = new Envelope();
                MatchedMessage one = world.mprobe(ANY, 5, first);
                assertEquals(other, first.source);
                assertEquals(bytes, first.bytes());
                MatchedMessage two = world.mprobe(other, ANY, second);
                assertEquals(5, second.tag);
                world.probe(other, ANY, first);
                assertEquals(6, first.tag, "the first that is left");
                assertFalse(world.iprobe(ANY, 5, new Envelope()));
                assertNull(world.improbe(ANY, 5, new Envelope()));
                byte[] in = new byte[bytes];
                world.recv(in, 0, bytes, BYTE, ANY, ANY, first);
                Payloads.check("the third message", 3, bytes, in);
                // In the other order than they were taken.
                receive(two, second, 2);
                first.fill(other, 5, bytes, false);
                receive(one, first, 1);
                for (Operation each : sent) {
                    each.await();
                }
                calls(world).barrier(true);
            }
        });
    }

    @Test
    void aReceiveThatIsPostedFirstComesFirst() throws Exception {
        ThreadJob.run(Jobs.WIDE.endpoints(2, 3), (provider, world) -> {
            if (world.rank() == 0) {
                calls(world).barrier(true);
                send(world, 1, 10, 1, 0).await();
                send(world, 2, 10, 1, 0).await();
            } else {
                byte[] in = new byte[10];
                Operation posted = world.irecv(in, 0, 10, BYTE, ANY, ANY);
                calls(world).barrier(true);
                Envelope probed = new Envelope();
                receive(world.mprobe(0, 0, probed), probed, 2);
                posted.await();
                Payloads.check("the posted receive", 1, 10, in);
            }
        });
    }

    @Test
    void aReceiveThatIsTooShortIsAnErrorAndTheNextMessageComes() throws Exception {
        ThreadJob.run(Jobs.WIDE.endpoints(2, 3), (provider, world) -> {
            for (int bytes : new int[] {10, 100_000}) {
                Operation sent = send(world, 1, bytes, 1 - world.rank(), 0);
                Operation next = send(world, 2, bytes, 1 - world.rank(), 0);
                Envelope probed = new Envelope();
                Operation tooShort = world.mprobe(ANY, ANY, probed).irecv(new byte[9], 0, 9, BYTE, "Message.mRecv");
                MPIException thrown = assertThrows(MPIException.class, tooShort::await);
                assertEquals(ErrorClass.TRUNCATE.code, thrown.getErrorClass());
                assertTrue(thrown.getMessage().contains("Message.mRecv on rank"), thrown.getMessage());
                receive(world.mprobe(ANY, ANY, probed), probed, 2);
                sent.await();
                next.await();
            }
        });
    }

    @Test
    void theMessagesOfOneCommunicatorAreNotFoundOnAnother() throws Exception {
        ThreadJob.run(Jobs.WIDE.endpoints(1, 3), (provider, world) -> {
            Communicator comm = world.duplicate();
            send(comm, 1, 4, 0, 0).await();
            assertNull(world.improbe(ANY, ANY, new Envelope()));
            Envelope probed = new Envelope();
            MatchedMessage message = comm.improbe(ANY, ANY, probed);
            assertNotNull(message);
            comm.free();
            receive(message, probed, 1);
        });
    }

    /** Threads of a rank probe, take and receive the same messages in every way: each message comes to one of them. */
    @Property(tries = 25)
    void everyMessageComesToOneOfManyThreads(@ForAll @IntRange(min = 1, max = 4) int threads,
        @ForAll @IntRange(min = 1, max = 60) int messages, @ForAll @IntRange(max = 3) int links, @ForAll int seed)
        throws Exception {
        ThreadJob.run(Jobs.values()[links].endpoints(3, 2), (provider, world) -> {
            if (world.rank() > 0) {
                Random random = new Random(seed + world.rank());
                List<Operation> sends = new ArrayList<>();
                for (int i = 0; i < messages; i++) {
                    int bytes = 8 + SIZES[random.nextInt(SIZES.length)];
                    byte[] data = Payloads.of(i, bytes);
                    data[0] = (byte) i;
                    sends.add(world.isend(data, 0, bytes, BYTE, 0, random.nextInt(3), SendMode.STANDARD));
                }
                sends.forEach(Operation::await);
                return;
            }
            AtomicInteger left = new AtomicInteger(2 * messages);
            AtomicInteger[][] came = new AtomicInteger[3][messages];
            for (AtomicInteger[] each : came) {
                for (int i = 0; i < messages; i++) {
                    each[i] = new AtomicInteger();
                }
            }
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread[] all = new Thread[threads];
            for (int t = 0; t < threads; t++) {
                Random random = new Random(31L * seed + t);
                all[t] = new Thread(() -> {
                    try {
                        // Whoever takes a turn receives one message: there are as many turns as messages.
                        while (failure.get() == null && left.getAndDecrement() > 0) {
                            take(world, random, came);
                        }
                    } catch (Throwable e) {
                        failure.compareAndSet(null, e);
                    }
                });
                all[t].setDaemon(true);
                all[t].start();
            }
            for (Thread thread : all) {
                while (thread.isAlive() && failure.get() == null) {
                    thread.join(10);
                }
            }
            if (failure.get() != null) {
                throw new AssertionError(failure.get());
            }
            for (int source = 1; source < 3; source++) {
                for (int i = 0; i < messages; i++) {
                    assertEquals(1, came[source][i].get(), "times that message " + i + " of rank " + source + " came");
                }
            }
            assertNull(world.improbe(ANY, ANY, new Envelope()));
        });
    }

    private static void take(Communicator world, Random random, AtomicInteger[][] came) {
        Envelope envelope = new Envelope();
        byte[] in = new byte[8 + SIZES[SIZES.length - 1]];
        MatchedMessage message = switch (random.nextInt(4)) {
            case 0 -> world.mprobe(ANY, ANY, envelope);
            case 1 -> world.improbe(1 + random.nextInt(2), random.nextInt(3), envelope);
            default -> null;
        };
        if (message != null) {
            long announced = envelope.bytes();
            Operation operation = message.irecv(in, 0, (int) announced, BYTE, "mRecv");
            operation.await();
            operation.describe(envelope);
            assertEquals(announced, envelope.bytes());
        } else if (random.nextBoolean()) {
            world.recv(in, 0, in.length, BYTE, ANY, ANY, envelope);
        } else {
            Operation operation = world.irecv(in, 0, in.length, BYTE, ANY, ANY);
            operation.await();
            operation.describe(envelope);
        }
        int number = in[0];
        byte[] expected = Payloads.of(number, (int) envelope.bytes());
        expected[0] = in[0];
        for (int i = 0; i < expected.length; i++) {
            if (in[i] != expected[i]) {
                throw new AssertionError("byte " + i + " of message " + number + " from rank " + envelope.source);
            }
        }
        came[envelope.source][number].incrementAndGet();
    }
}
