package mpi.front.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files of a thread that another thread interrupts all the time. */
@Timeout(120)
class InterruptedFileTest {
    private static final int ROUNDS = 300;
    private static final int BYTES = 100_000;

    @TempDir
    Path directory;
    private volatile boolean over;
    private Thread interrupter;

    @BeforeEach
    void interruptThisThread() {
        Thread me = Thread.currentThread();
        me.interrupt();
        interrupter = new Thread(() -> {
            while (!over) {
                me.interrupt();
            }
        });
        interrupter.start();
    }

    @AfterEach
    void endThat() {
        over = true;
        while (interrupter.isAlive()) {
            Thread.yield();
        }
        Thread.interrupted();
    }

    @Test
    void anInterruptNeitherClosesAFileNorCutsAnAccessNorIsLost() throws Exception {
        Path path = directory.resolve("data");
        StoredFile file = StoredFile.open(path, true, true, true, true);
        byte[] out = new byte[BYTES];
        byte[] in = new byte[BYTES];
        for (int round = 0; round < ROUNDS; round++) {
            long at = round;
            out[round] = (byte) round;
            file.write(out, 0, BYTES, at);
            long locked = file.locked(0, BYTES, false, () -> file.read(in, 0, BYTES, at));
            assertEquals(BYTES, locked);
            assertArrayEquals(out, in);
            assertEquals(BYTES + round, file.size());
            assertTrue(Thread.currentThread().isInterrupted(), "the flag is lost");
        }
        file.force();
        file.allocate(2 * BYTES);
        file.resize(BYTES);
        file.close();
        assertEquals(BYTES, path.toFile().length());
    }
}
