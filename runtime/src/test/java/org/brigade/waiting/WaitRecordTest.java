package org.brigade.waiting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.brigade.memory.NativeMemory;
import org.junit.jupiter.api.Test;

/** What a rank notes of its wait, and what another process reads of it meanwhile. */
class WaitRecordTest {
    private static final int READS = 20_000;
    private static final int AT = 64;

    private final NativeMemory memory = NativeMemory.allocate(AT + WaitRecord.BYTES);
    private final WaitRecord record = new WaitRecord(memory, AT);

    private static Wait collective(int number) {
        Wait wait = new Wait().begin("call" + number);
        wait.on("communicator " + number);
        wait.collective(7L << 32 | number);
        wait.peer(number);
        wait.peer(number + 1);
        return wait;
    }

    @Test
    void whatIsWrittenIsRead() {
        assertNull(record.read(), "nothing is there before the first wait");
        record.write(collective(18), 100, 300);
        record.seen(500);
        Wait read = record.read();
        assertEquals("call18 number 19 of communicator 18", read.words());
        assertTrue(read.awaits(18) && read.awaits(19) && !read.awaits(20));
        assertEquals(100, read.since);
        assertEquals(500, read.seen);
    }

    @Test
    void longAndForeignNamesAreShortened() {
        Wait wait = new Wait().begin("x".repeat(100));
        wait.on("\u4e16".repeat(500));
        record.write(wait, 1, 1);
        assertEquals("x".repeat(39) + " of " + "?".repeat(135), record.read().words());
    }

    @Test
    void aRecordWhoseWriterWasKilledIsNotRead() {
        record.write(collective(1), 1, 1);
        memory.putLong(AT, 3);
        assertNull(record.read());
        record.write(collective(2), 1, 1);
        assertEquals(2, record.read().number);
    }

    /** The parts of a record fit together, whenever it is read. */
    @Test
    void aReaderNeverSeesHalfOfTwoRecords() throws InterruptedException {
        record.write(collective(0), 0, 0);
        Thread writer = new Thread(() -> {
            Wait[] waits = {collective(0), collective(1), collective(2)};
            for (int i = 0; !Thread.currentThread().isInterrupted(); i++) {
                record.write(waits[i % waits.length], i % waits.length, i % waits.length);
            }
        });
        writer.start();
        try {
            for (int i = 0; i < READS; i++) {
                Wait read = record.read();
                if (read != null) {
                    int number = (int) read.number;
                    assertEquals("call" + number + " number " + (number + 1) + " of communicator " + number,
                        read.words());
                    assertTrue(read.since == number && read.peers[0] == number && read.peers[1] == number + 1);
                }
            }
        } finally {
            writer.interrupt();
            writer.join();
        }
    }
}
