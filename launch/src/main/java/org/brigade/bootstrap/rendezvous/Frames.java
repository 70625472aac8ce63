package org.brigade.bootstrap.rendezvous;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.brigade.bootstrap.secret.Handshake;

/**
 * What a rank and the meeting point say to each other, after the handshake. Numbers are big-endian.
 *
 * <pre>
 *   bytes of the payload 4 | kind 1 | payload
 *   JOIN    rank 4, size 4, pid 8, job 4 + n, host 4 + n     the first of a rank
 *   BRING   the rank's bytes of this round
 *   ENDING  state 1                                          of a rank: its own; to the ranks: rank 0's
 *   ALL     by rank: bytes 4 + n                             ends the round
 *   LOST    rank 4, sentence
 *   FAILED  sentence                                         no round will end any more
 * </pre>
 */
final class Frames {
    static final int HEADER = Integer.BYTES + 1;
    static final int MOST_BYTES = 1 << 20;
    /** Of a JOIN. */
    static final int MOST_JOIN = 1024;

    static final byte JOIN = 1;
    static final byte BRING = 2;
    static final byte ENDING = 3;
    static final byte ALL = 4;
    static final byte LOST = 5;
    static final byte FAILED = 6;

    // States of a rank.
    static final byte RUNS = 0;
    static final byte ENDS = 1;
    static final byte FINALIZED = 2;

    static final Handshake.Protocol PROTOCOL = new Handshake.Protocol(0x42524947_4D454554L, 1, "rank", "rank 0",
        new Handshake.Words("it was closed at once: something else listens there",
            "something else than rank 0 of a Brigade job listens there, or calls here",
            version -> "the other end has another release of Brigade (version " + version
                + " of this protocol, here it is 1); give all ranks the same brigade.jar",
            "the other end's processor has another byte order; run a job on processors of one kind",
            "the secrets differ: give all ranks of a job the same file by BRIGADE_SECRET_FILE, and each job an address"
                + " of its own by BRIGADE_RENDEZVOUS"));

    private Frames() {
    }

    static ByteBuffer of(byte kind, byte[] payload) {
        return ByteBuffer.allocate(HEADER + payload.length).putInt(payload.length).put(kind).put(payload).flip();
    }

    static ByteBuffer failed(String sentence) {
        return of(FAILED, sentence.getBytes(StandardCharsets.UTF_8));
    }

    static ByteBuffer lost(int rank, String sentence) {
        byte[] text = sentence.getBytes(StandardCharsets.UTF_8);
        return of(LOST, ByteBuffer.allocate(Integer.BYTES + text.length).putInt(rank).put(text).array());
    }

    /** The rest of a payload. */
    static String text(ByteBuffer payload) {
        byte[] text = new byte[payload.remaining()];
        payload.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    /** A counted part of a payload. */
    static byte[] part(ByteBuffer payload) {
        int bytes = payload.getInt();
        if (bytes < 0 || bytes > payload.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] part = new byte[bytes];
        payload.get(part);
        return part;
    }

    /** All ranks' bytes in one frame; null if they are more than a frame can have. */
    static ByteBuffer all(byte[][] brought) {
        long bytes = 0;
        for (byte[] each : brought) {
            bytes += Integer.BYTES + each.length;
        }
        if (bytes > Integer.MAX_VALUE / 2) {
            return null;
        }
        ByteBuffer frame = ByteBuffer.allocate(HEADER + (int) bytes).putInt((int) bytes).put(ALL);
        for (byte[] each : brought) {
            frame.putInt(each.length).put(each);
        }
        return frame.flip();
    }

    /** What a rank says of itself when it joins. */
    record Join(int rank, int size, long pid, String job, String host) {
        ByteBuffer frame() {
            byte[] name = job.getBytes(StandardCharsets.UTF_8);
            byte[] machine = host.getBytes(StandardCharsets.UTF_8);
            return Frames.of(JOIN, ByteBuffer.allocate(4 * Integer.BYTES + Long.BYTES + name.length + machine.length)
                .putInt(rank).putInt(size).putLong(pid).putInt(name.length).put(name).putInt(machine.length)
                .put(machine).array());
        }

        static Join of(ByteBuffer payload) {
            int rank = payload.getInt();
            int size = payload.getInt();
            long pid = payload.getLong();
            String job = new String(part(payload), StandardCharsets.UTF_8);
            return new Join(rank, size, pid, job, new String(part(payload), StandardCharsets.UTF_8));
        }

        @Override
        public String toString() {
            return "rank " + rank + " (pid " + pid + " on " + host + ")";
        }
    }
}
