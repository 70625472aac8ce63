package org.brigade.engine.fused;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CyclicBarrier;
import mpi.MPIException;
import mpi.spi.Call;
import mpi.spi.Collective;
import org.brigade.engine.FusedMembers;
import org.brigade.engine.FusedPull;
import org.brigade.nativ.ProcessMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks read in other ranks' memory, between threads, which read this process's. */
@Timeout(300)
class FusedSingleCopyTest {
    private static final int RANKS = 5;

    private interface Body {
        void run(int rank, FusedSingleCopy calls, FusedPull blocks, CyclicBarrier all) throws Exception;
    }

    private static void onAll(Body body) throws Exception {
        FusedMembers.onAll(RANKS, member -> {
            FusedPull blocks = member.pull(member.open(1));
            assertTrue(member.endpoint().offersMemory());
            member.all().await();
            ProcessMemory[] memories = new ProcessMemory[RANKS];
            Arrays.setAll(memories, member.endpoint()::memoryOf);
            body.run(member.rank(), new FusedSingleCopy(blocks, memories), blocks,
                member.all());
        });
    }

    private static byte value(int from, int to, int i) {
        return (byte) (from * 31 + to * 7 + i);
    }

    private static Object buffer(boolean direct, byte[] content) {
        return direct ? ByteBuffer.allocateDirect(content.length).put(content).clear() : content;
    }

    private static byte[] content(Object buffer, int bytes) {
        byte[] content = new byte[bytes];
        if (buffer instanceof ByteBuffer b) {
            b.get(0, content);
            return content;
        }
        return (byte[]) buffer;
    }

    private static Call call(int rank, Collective collective) {
        return new Call(rank, RANKS).begin(collective, true);
    }

    /** Rank r sends {@code base + r + peer} bytes to a peer, with a gap before each block. */
    @ParameterizedTest
    @CsvSource({"true,true,1000", "false,true,1000", "true,false,200000", "false,false,200000", "true,true,0"})
    void blocksOfAnyLengthArriveFromAndInAnyMemory(boolean sendDirect, boolean recvDirect, int base) throws Exception {
        onAll((rank, calls, blocks, all) -> {
            int[] counts = new int[RANKS];
            int[] places = new int[RANKS];
            int end = 0;
            for (int peer = 0; peer < RANKS; peer++) {
                counts[peer] = base + rank + peer;
                places[peer] = end + 3;
                end = places[peer] + counts[peer];
            }
            byte[] out = new byte[end];
            byte[] expected = new byte[end];
            byte[] gathered = new byte[end];
            for (int peer = 0; peer < RANKS; peer++) {
                for (int i = 0; i < counts[peer]; i++) {
                    out[places[peer] + i] = value(rank, peer, i);
                    expected[places[peer] + i] = value(peer, rank, i);
                    gathered[places[peer] + i] = value(peer, 99, i);
                }
            }
            for (int again = 0; again < 3; again++) {
                Object send = buffer(sendDirect, out);
                Object recv = buffer(recvDirect, new byte[end]);
                Call exchange = call(rank, Collective.ALLTOALLV);
                exchange.send.listed(send, 0, counts, places, 1, RANKS);
                exchange.recv.listed(recv, 0, counts, places, 1, RANKS);
                calls.run(10 + 3 * again, exchange);
                assertArrayEquals(expected, content(recv, end));

                Call inPlace = call(rank, Collective.ALLTOALLV);
                inPlace.recv.listed(send, 0, counts, places, 1, RANKS);
                inPlace.inPlace();
                calls.run(11 + 3 * again, inPlace);
                assertArrayEquals(expected, content(send, end), "in place");
                out = out.clone();
                for (int peer = 0; peer < RANKS; peer++) {
                    for (int i = 0; i < counts[peer]; i++) {
                        out[places[peer] + i] = value(rank, peer, i);
                    }
                }

                byte[] own = new byte[base + rank];
                for (int i = 0; i < own.length; i++) {
                    own[i] = value(rank, 99, i);
                }
                int[] lengths = new int[RANKS];
                Arrays.setAll(lengths, peer -> base + peer);
                recv = buffer(recvDirect, new byte[end]);
                Call gather = call(rank, Collective.ALLGATHERV);
                gather.send.own(buffer(sendDirect, own), 0, own.length);
                gather.recv.listed(recv, 0, lengths, places, 1, RANKS);
                calls.run(12 + 3 * again, gather);
                byte[] got = content(recv, end);
                for (int peer = 0; peer < RANKS; peer++) {
                    assertArrayEquals(Arrays.copyOfRange(gathered, places[peer], places[peer] + lengths[peer]),
                        Arrays.copyOfRange(got, places[peer], places[peer] + lengths[peer]), "block of rank " + peer);
                }
            }
        });
    }

    /** The memory of the rank that fails is read by others until the call ends there. */
    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void aBlockWithoutRoomIsAnErrorAndTheNextCallIsRight(int narrow) throws Exception {
        onAll((rank, calls, blocks, all) -> {
            int bytes = 5000;
            Call exchange = call(rank, Collective.ALLTOALL);
            exchange.send.each(new byte[RANKS * bytes], 0, bytes, RANKS);
            exchange.recv.each(new byte[RANKS * bytes], 0, rank == narrow ? bytes - 1 : bytes, RANKS);
            if (rank == narrow) {
                MPIException refused = assertThrows(MPIException.class, () -> calls.run(1, exchange));
                assertTrue(refused.getMessage().contains("5000 bytes"), refused.getMessage());
            } else {
                try {
                    calls.run(1, exchange);
                } catch (MPIException told) {
                    assertTrue(told.getMessage().contains("rank " + narrow), told.getMessage());
                }
            }
            all.await();

            byte[] got = new byte[RANKS];
            Call next = call(rank, Collective.ALLGATHER);
            next.send.own(new byte[] {(byte) (rank + 1)}, 0, 1);
            next.recv.each(got, 0, 1, RANKS);
            calls.run(2, next);
            for (int peer = 0; peer < RANKS; peer++) {
                assertEquals(peer + 1, got[peer]);
            }
            blocks.run(3, call(rank, Collective.BARRIER), false, null);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1})
    void anotherCollectiveIsAnError(int other) throws Exception {
        onAll((rank, calls, blocks, all) -> {
            Call call = call(rank, rank == other ? Collective.ALLGATHER : Collective.ALLTOALL);
            if (rank == other) {
                call.send.own(new byte[100], 0, 100);
            } else {
                call.send.each(new byte[RANKS * 100], 0, 100, RANKS);
            }
            call.recv.each(new byte[RANKS * 100], 0, 100, RANKS);
            MPIException refused = assertThrows(MPIException.class, () -> calls.run(1, call));
            assertTrue(refused.getMessage().contains("all ranks must make matching calls")
                || refused.getMessage().contains("failed on rank"), refused.getMessage());
        });
    }

    /** No process's memory begins there. */
    @Test
    void memoryThatCannotBeReadIsAnErrorThatNamesTheCallTheRankAndTheCure() throws Exception {
        FusedMembers.onAll(2, member -> {
            FusedPull blocks = member.pull(member.open(1));
            ProcessMemory unreadable = new ProcessMemory((int) ProcessHandle.current().pid()) {
                @Override
                public int read(long from, long to, long bytes) {
                    return super.read(1, to, bytes);
                }
            };
            Call call = new Call(member.rank(), 2).begin(Collective.ALLTOALL, true);
            call.send.each(new byte[200], 0, 100, 2);
            call.recv.each(new byte[200], 0, 100, 2);
            MPIException refused = assertThrows(MPIException.class,
                () -> new FusedSingleCopy(blocks,
                    new ProcessMemory[] {unreadable, unreadable}).run(1, call));
            assertTrue(refused.getMessage().contains("failed on rank") || refused.getMessage().contains(
                "rank " + member.rank() + " cannot read the block of rank " + (1 - member.rank()))
                && refused.getMessage().contains("brigade.shm.loans=never"), refused.getMessage());
        });
    }
}
