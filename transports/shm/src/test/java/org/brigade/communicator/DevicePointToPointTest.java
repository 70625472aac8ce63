package org.brigade.communicator;

import static org.brigade.communicator.CollectiveCalls.calls;
import static org.brigade.communicator.Payloads.BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import mpi.MPIException;
import mpi.spi.Communicator;
import mpi.spi.Envelope;
import mpi.spi.Operation;
import mpi.spi.SendMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Point-to-point messages from and to device memory. */
class DevicePointToPointTest {
    /** Around the packet's 48 bytes, the eager limit of 32 KiB, a piece of the ring, and beyond the ring. */
    private static final int[] SIZES = {0, 1, 47, 48, 49, 4096, 32 << 10, (32 << 10) + 1, 100_000, (1 << 20) + 3};

    private static Object filled(FakeDevices devices, boolean onDevice, long seed, int bytes) {
        byte[] payload = Payloads.of(seed, bytes);
        if (!onDevice) {
            return payload;
        }
        FakeMemory memory = devices.allocate(bytes + 4);
        memory.memory().put(payload);
        return memory;
    }

    private static byte[] content(Object buffer, int bytes) {
        if (buffer instanceof FakeMemory memory) {
            byte[] content = new byte[bytes];
            memory.memory().get(content);
            return content;
        }
        return (byte[]) buffer;
    }

    @ParameterizedTest
    @EnumSource(Jobs.class)
    void everyModeBringsEverySizeIntactBetweenHostsAndDevices(Jobs kind) throws Exception {
        FakeDevices[] devices = FakeDevices.ofJob(2);
        ThreadJob.run(kind.endpoints(2, 3), false, devices, (provider, world) -> {
            int other = 1 - world.rank();
            FakeDevices mine = devices[world.rank()];
            provider.attachBuffer(8 << 20);
            for (int bytes : SIZES) {
                for (SendMode mode : SendMode.values()) {
                    for (int form = 1; form < 4; form++) {
                        boolean from = (form + world.rank() & 1) != 0 || form == 3;
                        boolean into = (form & 2) != 0;
                        exchange(world, mode, filled(mine, from, form, bytes), filled(mine, into, 99, bytes), bytes,
                            other, form);
                    }
                }
            }
            provider.detachBuffer();
        });
    }

    private static void exchange(Communicator world, SendMode mode, Object out, Object in, int bytes, int other,
        int form) {
        Operation receive = mode == SendMode.READY || form == 1 ? world.irecv(in, 0, bytes, BYTE, other, form) : null;
        if (mode == SendMode.READY) {
            calls(world).barrier(true);
        }
        Operation sent = world.isend(out, 0, bytes, BYTE, other, form, mode);
        if (receive == null) {
            Envelope envelope = new Envelope();
            world.recv(in, 0, bytes, BYTE, form == 2 ? -1 : other, form, envelope);
            assertEquals(bytes, envelope.bytes());
        } else {
            receive.await();
        }
        sent.await();
        Payloads.check(mode + " message of " + bytes + " bytes from " + out.getClass().getSimpleName() + " to "
            + in.getClass().getSimpleName(), form, bytes, content(in, bytes));
    }

    @ParameterizedTest
    @EnumSource(Jobs.class)
    void blockingMessagesAndThoseToOneselfComeIntact(Jobs kind) throws Exception {
        FakeDevices[] devices = FakeDevices.ofJob(3);
        ThreadJob.run(kind.endpoints(3, 5), false, devices, (provider, world) -> {
            FakeDevices mine = devices[world.rank()];
            Random random = new Random(world.rank());
            int next = (world.rank() + 1) % 3;
            int last = (world.rank() + 2) % 3;
            for (int bytes : SIZES) {
                Object in = filled(mine, random.nextBoolean(), 99, bytes);
                if (world.rank() == 0) {
                    world.send(filled(mine, true, bytes, bytes), 0, bytes, BYTE, next, 1, SendMode.STANDARD);
                    world.recv(in, 0, bytes, BYTE, last, 1, new Envelope());
                } else {
                    world.recv(in, 0, bytes, BYTE, last, 1, new Envelope());
                    world.send(in, 0, bytes, BYTE, next, 1, SendMode.STANDARD);
                }
                Payloads.check("what went round", bytes, bytes, content(in, bytes));
                Object own = filled(mine, true, 98, bytes);
                Operation receive = world.irecv(own, 0, bytes, BYTE, world.rank(), 2);
                world.send(in, 0, bytes, BYTE, world.rank(), 2, SendMode.STANDARD);
                receive.await();
                Payloads.check("message to oneself", bytes, bytes, content(own, bytes));
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Jobs.class)
    void aDeviceThatFailsIsAnErrorOfTheSendAndOfNothingElse(Jobs kind) throws Exception {
        FakeDevices[] devices = FakeDevices.ofJob(2);
        ThreadJob.run(kind.endpoints(2, 3), false, devices, (provider, world) -> {
            for (int bytes : new int[] {20_000, 200_000, 3_000_000}) {
                for (int goodReads : new int[] {0, 1}) {
                    byte[] first = new byte[bytes];
                    byte[] second = new byte[bytes];
                    if (world.rank() == 1) {
                        world.recv(first, 0, bytes, BYTE, 0, 1, new Envelope()); // whatever it holds, it ends
                        world.recv(second, 0, bytes, BYTE, 0, 2, new Envelope());
                        Payloads.check("the message behind", 7, bytes, second);
                        world.send(second, 0, 1, BYTE, 0, 3, SendMode.STANDARD);
                        continue;
                    }
                    FakeMemory failing = (FakeMemory) filled(devices[0], true, 5, bytes);
                    failing.goodReads = goodReads;
                    Operation lost = world.isend(failing, 0, bytes, BYTE, 1, 1, SendMode.STANDARD);
                    Operation good =
                        world.isend(filled(devices[0], true, 7, bytes), 0, bytes, BYTE, 1, 2, SendMode.STANDARD);
                    world.recv(first, 0, 1, BYTE, 1, 3, new Envelope());
                    good.await();
                    if (failing.goodReads < 0) {
                        MPIException thrown = assertThrows(MPIException.class, lost::await);
                        assertTrue(thrown.getMessage().contains("fell off the bus"), thrown.getMessage());
                    } else {
                        lost.await(); // all of it went in the reads that went well
                    }
                }
            }
        });
    }
}
