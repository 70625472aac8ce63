package org.brigade.transport.cuda.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import mpi.spi.Collective;
import org.brigade.device.DeviceCall;
import org.brigade.transport.cuda.group.MemberCard;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls as exchanges of blocks, and what members tell each other. */
class BlocksTest {
    /** Whatever the collective: what one member sends another is what the other expects, or a kernel waits for ever. */
    @ParameterizedTest
    @EnumSource(value = Collective.class, names = {"BCAST", "REDUCE", "ALLREDUCE", "SCAN", "EXSCAN"})
    void bothEndsOfAPairAgree(Collective collective) {
        for (int ranks = 1; ranks <= 8; ranks++) {
            for (int root = 0; root < ranks; root++) {
                long[][] sends = new long[ranks][];
                long[][] receives = new long[ranks][];
                for (int rank = 0; rank < ranks; rank++) {
                    DeviceCall call = new DeviceCall(ranks);
                    call.collective = collective;
                    call.root = root;
                    call.bytes = 1000;
                    Arrays.fill(call.sendBytes, 77); // what DeviceCalls leaves there is not looked at
                    Blocks blocks = new Blocks(ranks, rank);
                    blocks.fill(call);
                    sends[rank] = blocks.sendBytes;
                    receives[rank] = blocks.recvBytes;
                }
                for (int from = 0; from < ranks; from++) {
                    for (int to = 0; to < ranks; to++) {
                        assertEquals(sends[from][to], receives[to][from],
                            collective + " from " + from + " to " + to + " of " + ranks);
                        assertEquals(expected(collective, root, from, to), sends[from][to],
                            collective + " from " + from + " to " + to + " of " + ranks);
                    }
                }
            }
        }
    }

    private static long expected(Collective collective, int root, int from, int to) {
        boolean goes = switch (collective) {
            case BCAST -> from == root && to != root;
            case REDUCE -> to == root;
            case SCAN -> from <= to;
            case EXSCAN -> from < to;
            default -> true;
        };
        return goes ? 1000 : 0;
    }

    @Test
    void membersThatShareAGpuShareItsMultiprocessors() {
        byte[] one = {1};
        byte[] other = {2};
        assertEquals(132, GridLimits.of(new byte[][] {one, other}, new int[] {132, 132}, 0).blocks);
        assertEquals(66, GridLimits.of(new byte[][] {one, other, one}, new int[] {132, 108, 132}, 0).blocks);
        assertEquals(1, GridLimits.of(new byte[][] {one, one, one}, new int[] {2, 2, 2}, 0).blocks);
    }

    @Test
    void aCardIsReadAsItWasWritten() {
        MemberCard card = new MemberCard();
        card.process = -5;
        card.multiprocessors = 132;
        card.scratch = 0x7f00_0000_0000L;
        card.uuid = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
        card.handle[7] = Long.MIN_VALUE;
        MemberCard read = MemberCard.read(card.write());
        assertNull(read.failure);
        assertEquals(card.process, read.process);
        assertEquals(card.multiprocessors, read.multiprocessors);
        assertEquals(card.scratch, read.scratch);
        assertArrayEquals(card.uuid, read.uuid);
        assertArrayEquals(card.handle, read.handle);
        card.area = "brigade-0-staging7~12~34~56";
        card.shares = true;
        read = MemberCard.read(card.write());
        assertEquals(card.area, read.area);
        assertEquals(true, read.shares);
        assertEquals(false, read.linked);
        card.failure = "no: ".concat("x".repeat(1000));
        assertEquals("no: x", MemberCard.read(card.write()).failure.substring(0, 5));
        assertEquals(MemberCard.BYTES, card.write().length);
    }
}
