package org.brigade.matching;

import static org.brigade.communicator.CollectiveCalls.calls;
import static org.brigade.communicator.Payloads.BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Communicator;
import mpi.spi.Envelope;
import mpi.spi.Operation;
import mpi.spi.PersistentOperation;
import mpi.spi.SendMode;
import org.brigade.communicator.Jobs;
import org.brigade.communicator.Payloads;
import org.brigade.communicator.ThreadJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sends and receives that are started again and again, and the buffers of pending ones, by ranks as threads. */
class PersistentMessagesTest {
    private static final int[] SIZES = {0, 1, 48, 4096, (32 << 10) + 1, 100_000};
    private static final int ANY = -1;

    /** Whether an envelope says cancelled; the field is for providers and package mpi only. */
    private static final class Cancellable extends Envelope {
        boolean isCancelled() {
            return cancelled;
        }
    }

    @ParameterizedTest
    @EnumSource(Jobs.class)
    void everyStartOfEveryModeBringsWhatTheBufferHoldsThen(Jobs kind) throws Exception {
        ThreadJob.run(kind.endpoints(2, 3), (provider, world) -> {
            int other = 1 - world.rank();
            provider.attachBuffer(8 << 20);
            for (int bytes : SIZES) {
                for (SendMode mode : SendMode.values()) {
                    byte[] in = new byte[bytes];
                    byte[] out = new byte[bytes];
                    boolean any = bytes % 2 == 1;
                    PersistentOperation receive =
                        world.recvInit(in, 0, bytes, BYTE, any ? ANY : other, any ? ANY : 4, "recvInit");
                    PersistentOperation send = world.sendInit(out, 0, bytes, BYTE, other, 4, mode);
                    for (int round = 0; round < 5; round++) {
                        if (mode == SendMode.READY || round % 2 == 0) {
                            receive.start();
                            calls(world).barrier(true);
                        }
                        System.arraycopy(Payloads.of(round + other, bytes), 0, out, 0, bytes);
                        send.start();
                        if (mode != SendMode.READY && round % 2 == 1) {
                            receive.start();
                        }
                        receive.await();
                        send.await();
                        Envelope envelope = new Envelope();
                        receive.describe(envelope);
                        assertEquals(other, envelope.source);
                        assertEquals(4, envelope.tag);
                        assertEquals(bytes, envelope.bytes());
                        Payloads.check(mode + " start " + round, round + world.rank(), bytes, in);
                        // Nobody must take the next round's message for this one's.
                        calls(world).barrier(true);
                    }
                    send.free();
                    receive.free();
                }
            }
            provider.detachBuffer();
        });
    }

    @Test
    void aStartThatEndsBadlyLeavesTheNextOneAlone() throws Exception {
        ThreadJob.run(Jobs.WIDE.endpoints(2, 3), (provider, world) -> {
            byte[] data = new byte[64 << 10];
            if (world.rank() == 0) {
                PersistentOperation send = world.sendInit(data, 0, 300, BYTE, 1, 1, SendMode.BUFFERED);
                MPIException noRoom = assertThrows(MPIException.class, send::start);
                assertEquals(ErrorClass.BUFFER.code, noRoom.getErrorClass());
                provider.attachBuffer(400);
                send.start();
                send.await();
                provider.detachBuffer();
                for (int bytes : new int[] {data.length, 301, 40_000, 300}) {
                    world.send(data, 0, bytes, BYTE, 1, 1, SendMode.STANDARD);
                }
            } else {
                PersistentOperation receive = world.recvInit(data, 0, 300, BYTE, 0, 1, "recvInit");
                receive.start();
                receive.await();
                for (int i = 0; i < 3; i++) {
                    receive.start();
                    MPIException tooLong = assertThrows(MPIException.class, receive::await);
                    assertEquals(ErrorClass.TRUNCATE.code, tooLong.getErrorClass());
                    assertTrue(tooLong.getMessage().contains("recvInit on rank 1"), tooLong.getMessage());
                }
                receive.start();
                receive.await();
            }
        });
    }

    @Test
    void aCancelledReceiveTakesNothingAndStartsAgain() throws Exception {
        ThreadJob.run(Jobs.WIDE.endpoints(2, 3), (provider, world) -> {
            byte[] data = {(byte) (world.rank() + 5)};
            if (world.rank() == 1) {
                PersistentOperation receive = world.recvInit(data, 0, 1, BYTE, 0, 1, "recvInit");
                Cancellable found = new Cancellable();
                for (int round = 0; round < 3; round++) {
                    receive.start();
                    receive.cancel();
                    receive.await();
                    receive.describe(found);
                    assertTrue(found.isCancelled());
                    calls(world).barrier(true);
                    receive.start();
                    receive.await();
                    receive.cancel();
                    receive.describe(found);
                    assertEquals(false, found.isCancelled());
                    assertEquals(5, data[0]);
                }
            } else {
                for (int round = 0; round < 3; round++) {
                    calls(world).barrier(true);
                    world.send(data, 0, 1, BYTE, 1, 1, SendMode.STANDARD);
                }
            }
        });
    }

    @Test
    void oneOutlivesItsCommunicatorAndKeepsItsContext() throws Exception {
        ThreadJob.run(Jobs.WIDE.endpoints(2, 0), (provider, world) -> {
            Communicator comm = world.duplicate();
            int other = 1 - world.rank();
            byte[] in = new byte[1];
            byte[] out = new byte[1];
            PersistentOperation send = comm.sendInit(out, 0, 1, BYTE, other, 1, SendMode.STANDARD);
            PersistentOperation receive = comm.recvInit(in, 0, 1, BYTE, ANY, ANY, "recvInit");
            comm.free();
            for (byte i = 1; i < 4; i++) {
                calls(world).barrier(true); // whoever leads has been told by all
                Communicator next = world.duplicate();
                byte[] wrong = {0};
                next.isend(new byte[] {-1}, 0, 1, BYTE, other, 1, SendMode.STANDARD).await();
                out[0] = i;
                send.start();
                receive.start();
                receive.await();
                send.await();
                assertEquals(i, in[0]);
                next.recv(wrong, 0, 1, BYTE, other, 1, new Envelope());
                assertEquals(-1, wrong[0]);
                next.free();
            }
        });
    }

    /** Users of the old bindings crashed here: the collector freed or moved the buffers of pending requests. */
    @ParameterizedTest
    @EnumSource(Jobs.class)
    void theCollectorLeavesTheBuffersOfPendingOperationsAlone(Jobs kind) throws Exception {
        int bytes = 100_000;
        int messages = 20;
        ThreadJob.run(kind.endpoints(2, 3), (provider, world) -> {
            int other = 1 - world.rank();
            List<Operation> pending = new ArrayList<>();
            List<java.lang.ref.WeakReference<Object>> buffers = new ArrayList<>();
            byte[][] arrays = new byte[messages][];
            for (int i = 0; i < messages; i++) {
                arrays[i] = new byte[bytes];
                pending.add(world.irecv(arrays[i], 0, bytes, BYTE, other, 2 * i));
                PersistentOperation dropped = world.recvInit(direct(0, 0, buffers), 0, 0, BYTE, other, 99, "recvInit");
                dropped.free();
            }
            collect();
            calls(world).barrier(true);
            for (int i = 0; i < messages; i++) {
                // Only the operation knows this buffer; half of the operations are forgotten too.
                PersistentOperation send =
                    world.sendInit(direct(i, bytes, buffers), 0, bytes, BYTE, other, 2 * i, SendMode.SYNCHRONOUS);
                send.start();
                send.free();
                if (i % 2 == 0) {
                    pending.add(send);
                }
                if (i % 5 == 0) {
                    collect();
                }
            }
            pending.forEach(Operation::await);
            for (int i = 0; i < messages; i++) {
                Payloads.check("message " + i, i, bytes, arrays[i]);
            }
            calls(world).barrier(true);
        });
    }

    @Test
    void anEndedOperationLetsGoOfItsBufferOnceItIsForgotten() throws Exception {
        ThreadJob.run(Jobs.WIDE.endpoints(1, 3), (provider, world) -> {
            List<java.lang.ref.WeakReference<Object>> buffers = new ArrayList<>();
            byte[] in = new byte[10];
            Operation receive = world.irecv(in, 0, 10, BYTE, 0, 0);
            PersistentOperation send =
                world.sendInit(direct(7, 10, buffers), 0, 10, BYTE, 0, 0, SendMode.STANDARD);
            collect();
            send.start();
            send.await();
            receive.await();
            Payloads.check("message", 7, 10, in);
            send.free();
            send = null;
            for (int i = 0; i < 50 && buffers.get(0).get() != null; i++) {
                collect();
            }
            assertNull(buffers.get(0).get());
        });
    }

    private static ByteBuffer direct(long seed, int bytes, List<java.lang.ref.WeakReference<Object>> all) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes).put(Payloads.of(seed, bytes)).clear();
        all.add(new java.lang.ref.WeakReference<>(buffer));
        return buffer;
    }

    /** Collects garbage, and fills what was freed with something else. */
    private static void collect() {
        System.gc();
        for (int i = 0; i < 10; i++) {
            ByteBuffer.allocateDirect(100_000).put(Payloads.of(-1 - i, 100_000));
        }
    }
}
