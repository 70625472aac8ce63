package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.Serializable;
import java.rmi.server.UID;
import java.util.Random;
import java.util.stream.IntStream;
import mpi.front.job.Handle;
import mpi.front.objects.ObjectMessage;
import mpi.front.objects.WordInput;
import mpi.front.objects.WordOutput;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Objects as bytes, and what a rank refuses to read. The limits are 1000 here, and 100 for chains. */
class ObjectMessageTest {
    private final Handle handle = FakeProvider.intracomm(0, 1).handle;

    @BeforeEach
    void join() {
        FakeProvider.run();
    }

    /** Bytes in pieces of any length come out as they went in. */
    @Property(tries = 200)
    void theBytesOfAMessageStay(@ForAll @IntRange(max = 40_000) int bytes, @ForAll long seed,
        @ForAll @IntRange(max = 9) int before) throws IOException {
        Random random = new Random(seed);
        byte[] data = new byte[bytes];
        random.nextBytes(data);
        WordOutput out = new WordOutput();
        for (int done = 0; done < bytes;) {
            int now = Math.min(bytes - done, random.nextInt(1 << random.nextInt(15)));
            if (random.nextInt(5) == 0) {
                out.write(data[done++]);
            } else {
                out.write(data, done, now);
                done += now;
            }
        }
        long[] words = out.toWords();
        assertEquals((bytes + 7) / 8, words.length);
        long[] among = new long[before + words.length + 3];
        System.arraycopy(words, 0, among, before, words.length);
        WordInput in = new WordInput(among, before, words.length);
        assertEquals(8 * words.length, in.available());
        byte[] got = new byte[bytes];
        for (int done = 0; done < bytes;) {
            if (random.nextInt(5) == 0) {
                got[done++] = (byte) in.read();
            } else {
                done += in.read(got, done, Math.min(bytes - done, random.nextInt(1 << random.nextInt(15))));
            }
        }
        assertArrayEquals(data, got);
        assertEquals(8 * words.length - bytes, in.readAllBytes().length);
        assertEquals(-1, in.read());
    }

    private static class Link implements Serializable {
        private static final long serialVersionUID = 1;
        final Link next;

        Link(Link next) {
            this.next = next;
        }
    }

    private void refused(Object object, String what, String cure) {
        long[] message = ObjectMessage.encode(handle, "Send", new Object[] {object}, new int[] {0});
        MPIException thrown = assertThrows(MPIException.class,
            () -> ObjectMessage.decode(handle, "Recv", message, 0, message.length, new Object[1], new int[] {0}));
        assertEquals(MPI.ERR_TYPE, thrown.getErrorClass(), thrown.getMessage());
        assertTrue(thrown.getMessage().contains(what), thrown.getMessage());
        assertTrue(thrown.getMessage().contains("; " + cure), thrown.getMessage());
    }

    @Test
    void everyLimitNamesItsSetting() {
        Link chain = null;
        for (int i = 0; i < 101; i++) {
            chain = new Link(chain);
        }
        refused(chain, "a chain of more than 100 objects", "raise brigade.object.depth");
        refused(IntStream.range(0, 1000).mapToObj(Link[]::new).toArray(), "more than 1000 objects",
            "raise brigade.object.references");
        refused(new int[1001], "an array of 1001 elements", "raise brigade.object.array, which is 1000");
        refused(new UID(), "class java.rmi.server.UID", "name the class in brigade.object.also");
    }

    @Test
    void aMessageThatFitsIsRead() {
        Object[] got = new Object[3];
        long[] message = ObjectMessage.encode(handle, "Send", new Object[] {"a", 5, null}, new int[] {1, 0, 2});
        assertEquals(3, ObjectMessage.decode(handle, "Recv", message, 0, message.length, got, new int[] {2, 1, 0}));
        assertArrayEquals(new Object[] {null, "a", 5}, got);
    }
}
