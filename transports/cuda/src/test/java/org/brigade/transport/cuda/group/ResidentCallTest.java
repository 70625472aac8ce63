package org.brigade.transport.cuda.group;

import org.brigade.transport.cuda.kernel.Doorbell;
import static org.junit.jupiter.api.Assertions.assertEquals;

import mpi.spi.Collective;
import org.brigade.device.DeviceCall;
import org.brigade.transport.cuda.kernel.Blocks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a resident kernel makes of a doorbell is the call as it was: each block's place and length. */
class ResidentCallTest {
    private static final int RANKS = 3;
    private static final int MOST = 1000;

    /** As read_doorbell of resident.cuh does it. */
    private static void assertSame(Blocks blocks, ResidentCall told) {
        for (int peer = 0; peer < RANKS; peer++) {
            assertEquals(blocks.sendBytes[peer], (told.masks >> peer & 1) != 0 ? told.bytes : 0, "bytes to " + peer);
            assertEquals(blocks.recvBytes[peer], (told.masks >> 8 + peer & 1) != 0 ? told.bytes : 0,
                "bytes from " + peer);
            assertEquals(blocks.sendAt[peer], told.sendSideBySide ? (long) peer * told.bytes : 0,
                "place of what goes to " + peer);
            assertEquals(blocks.recvAt[peer], told.recvSideBySide ? (long) peer * told.bytes : 0,
                "place of what comes from " + peer);
        }
    }

    private static DeviceCall call(Collective collective, long bytes) {
        DeviceCall call = new DeviceCall(RANKS);
        call.collective = collective;
        call.bytes = bytes;
        return call;
    }

    @ParameterizedTest
    @CsvSource({"BCAST, 0", "BCAST, 2", "REDUCE, 1", "ALLREDUCE, 1", "SCAN, 0", "SCAN, 2", "EXSCAN, 0", "EXSCAN, 1"})
    void vectors(Collective collective, int rank) {
        DeviceCall call = call(collective, MOST);
        call.root = 2;
        Blocks blocks = new Blocks(RANKS, rank);
        blocks.fill(call);
        ResidentCall told = new ResidentCall();
        assertEquals(true, told.take(blocks, MOST));
        assertSame(blocks, told);
        assertEquals(false, told.take(blocks, MOST - 1), "longer than may be");
    }

    @Test
    void blocksOfOneLengthSideBySide() {
        DeviceCall call = call(Collective.ALLTOALL, 40);
        for (int peer = 0; peer < RANKS; peer++) {
            call.sendAt[peer] = call.recvAt[peer] = 40 * peer;
            call.sendBytes[peer] = call.recvBytes[peer] = 40;
        }
        Blocks blocks = new Blocks(RANKS, 1);
        ResidentCall told = new ResidentCall();
        blocks.fill(call);
        assertEquals(true, told.take(blocks, MOST));
        assertSame(blocks, told);
        call.recvAt[2] = 90;
        blocks.fill(call);
        assertEquals(false, told.take(blocks, MOST), "a gap before the last");
        call.recvAt[2] = 80;
        call.sendBytes[0] = 20;
        blocks.fill(call);
        assertEquals(false, told.take(blocks, MOST), "unequal lengths");
    }

    @Test
    void nothingToMoveIsNoCallForADoorbell() {
        Blocks blocks = new Blocks(RANKS, 0);
        blocks.fill(call(Collective.ALLTOALL, 0));
        assertEquals(false, new ResidentCall().take(blocks, MOST));
    }
}
