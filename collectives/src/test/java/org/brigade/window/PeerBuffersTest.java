package org.brigade.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import org.brigade.nativ.ProcessMemory;
import org.junit.jupiter.api.Test;

/** Buffers of other processes are found and copied; this process stands for another one. */
class PeerBuffersTest {
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(100_000);
    private final PeerBuffers peer = new PeerBuffers(buffer);

    @Test
    void aBufferThatIsFoundIsReadAndWritten() {
        PeerMemory found = peer.find(peer.told(), buffer.capacity());
        assertNotNull(found, "this kernel lets a process copy its own memory");
        ByteBuffer mine = ByteBuffer.allocateDirect(90_000);
        for (int i = 0; i < mine.capacity(); i++) {
            mine.put(i, (byte) (i * 7));
        }
        found.write(1_000, mine, 5, 80_000);
        assertEquals(0, buffer.get(999));
        assertEquals((byte) (5 * 7), buffer.get(1_000));
        assertEquals((byte) (80_004 * 7), buffer.get(80_999));
        assertEquals(0, buffer.get(81_000));
        ByteBuffer back = ByteBuffer.allocateDirect(80_003);
        found.read(1_000, back, 3, 80_000);
        assertEquals(mine.slice(5, 80_000), back.slice(3, 80_000));
        found.copy(1_000, found, 0, 1_000);
        assertEquals((byte) (5 * 7), buffer.get(0));
        Reference.reachabilityFence(peer);
    }

    @Test
    void whoDoesNotFindTheNumberHasTheWrongProcess() {
        long[] told = peer.told().clone();
        told[3]++;
        assertNull(peer.find(told, 1));
        long[] other = peer.told().clone();
        other[0] = Integer.MAX_VALUE; // no process has this number
        assertNull(peer.find(other, 1));
        assertNull(peer.find(new PeerBuffers(ByteBuffer.allocate(8)).told(), 8), "it lies on the heap");
        Reference.reachabilityFence(peer);
    }

    @Test
    void aProcessThatHasEndedIsNamed() {
        PeerMemory gone = new PeerMemory(Integer.MAX_VALUE, 4096, 8);
        PeerMemory.CopyFailure failure =
            assertThrows(PeerMemory.CopyFailure.class, () -> gone.write(0, ByteBuffer.allocateDirect(8), 0, 8));
        assertEquals(ProcessMemory.NO_PROCESS, failure.errno);
        assertEquals("8 bytes of process 2147483647 cannot be written: the system's error 3", failure.getMessage());
    }

    @Test
    void memoryThatIsNotThereIsAFailureAndNotTheEnd() {
        PeerMemory nowhere = new PeerMemory((int) ProcessHandle.current().pid(), 4096, 8);
        assertThrows(PeerMemory.CopyFailure.class, () -> nowhere.read(0, ByteBuffer.allocateDirect(8), 0, 8));
    }
}
