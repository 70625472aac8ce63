package org.brigade.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@Tag("once")
class LineReaderTest {
    /** A rank whose output nobody reads would wait for ever in its next line. */
    @Test
    void outputThatCannotBePassedOnIsReadToItsEnd() throws Exception {
        InputStream stream = new ByteArrayInputStream("a line\n".repeat(10_000).getBytes());
        PrintStream before = System.err;
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        System.setErr(new PrintStream(text, true));
        try {
            LineReader reader = new LineReader(3, "3", false, stream, (from, bytes, length, ends) -> {
                if (length > 0) {
                    throw new OutOfMemoryError("a test's");
                }
            });
            reader.start();
            reader.join();
        } finally {
            System.setErr(before);
        }
        assertEquals(-1, stream.read());
        assertTrue(text.toString().contains("the rest of the output of rank 3 is lost"), text.toString());
    }
}
