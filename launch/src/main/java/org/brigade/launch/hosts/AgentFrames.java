package org.brigade.launch.hosts;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;

/**
 * What mpjrun and the agent of a host say to each other through the agent's standard input and output. The agent begins
 * with a line of text, {@link #GREETING}; all that follows are frames. Numbers are big-endian, text is UTF-8.
 *
 * <pre>
 *   bytes of the payload 4 | kind 1 | payload
 * to the agent
 *   JOB      {@link AgentJob}                                the first
 *   START    {@link RankStart}
 *   INPUT    rank 4, bytes                                   for a rank's standard input; no bytes: its end
 *   SIGNAL   rank 4, whether it cannot be caught 1
 *   TAKEN    rank 4, stream 1, bytes 4                       of output that has been passed on
 *   ASK      question 4, {@link Question} 1, rank 4
 *   END                                                      the job has ended
 * to mpjrun
 *   OUTPUT   rank 4, stream 1, bytes                         no bytes: its end
 *   FAILED   rank 4, sentence                                it could not be started
 *   EXIT     rank 4, code 4, whether a recording follows 1
 *   RECORDING rank 4, bytes                                  of a traced rank that has ended
 *   RECORDED rank 4, whether it is whole 1                   the recording's end
 *   TAKEN    rank 4, 0, bytes 4                              of input that the rank has taken
 *   ANSWER   question 4, lines 4, each a text
 * both ways
 *   BEAT                                                     nothing else is to be said
 *   OPEN     connection 4, port 4                            to the rendezvous (0) or the console (-1), or to a
 *                                                            debugged rank's port there
 *   DATA     connection 4, bytes
 *   CLOSE    connection 4
 * </pre>
 */
public final class AgentFrames {
    /** How the agent's first line begins; its release and its build follow. */
    public static final String GREETING = "brigade-host-agent ";
    /** How often each end says something. */
    public static final long BEAT_MILLIS = 500;
    /** How many bytes of a stream may be on their way. */
    public static final int WINDOW = 1 << 18;

    public static final byte JOB = 1;
    public static final byte START = 2;
    public static final byte INPUT = 3;
    public static final byte SIGNAL = 4;
    public static final byte TAKEN = 5;
    public static final byte ASK = 6;
    public static final byte END = 7;
    public static final byte OUTPUT = 8;
    public static final byte FAILED = 9;
    public static final byte EXIT = 10;
    public static final byte ANSWER = 11;
    public static final byte BEAT = 12;
    public static final byte OPEN = 13;
    public static final byte DATA = 14;
    public static final byte CLOSE = 15;
    public static final byte RECORDING = 16;
    public static final byte RECORDED = 17;

    /** What mpjrun may ask of a host. */
    public enum Question {
        /** Whether a rank goes on when others are killed. */
        GOES_ON,
        /** Whether the process of a rank is ending. */
        IS_ENDING,
        /** Which calls the host's ranks have made last. */
        LAST_CALLS,
        /** Who waits for whom. */
        WAITS
    }

    private static final int MOST_BYTES = 1 << 28;

    private final OutputStream out;

    public AgentFrames(OutputStream out) {
        this.out = out;
    }

    /** Fills a payload. */
    public interface Filling {
        void fill(DataOutputStream payload) throws IOException;
    }

    /** Receives a frame. */
    public interface Receiver {
        void frame(byte kind, DataInputStream payload, int bytes) throws IOException;
    }

    /** Sends a frame; any thread. */
    public void send(byte kind, Filling filling) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(64);
        DataOutputStream payload = new DataOutputStream(bytes);
        payload.writeInt(0);
        payload.writeByte(kind);
        filling.fill(payload);
        byte[] whole = bytes.toByteArray();
        int length = whole.length - Integer.BYTES - 1;
        for (int i = 0; i < Integer.BYTES; i++) {
            whole[i] = (byte) (length >>> 8 * (Integer.BYTES - 1 - i));
        }
        synchronized (out) {
            out.write(whole);
            out.flush();
        }
    }

    /** Sends a frame without a payload. */
    public void send(byte kind) throws IOException {
        send(kind, payload -> {});
    }

    /** Sends a frame of a number, and bytes. */
    public void send(byte kind, int number, byte[] bytes, int length) throws IOException {
        send(kind, payload -> {
            payload.writeInt(number);
            payload.write(bytes, 0, length);
        });
    }

    /**
     * Passes all frames to a receiver, up to the end of the stream.
     *
     * @throws IOException if the stream ends within a frame, or has something else
     */
    public static void receive(DataInputStream in, Receiver receiver) throws IOException {
        while (true) {
            int first = in.read();
            if (first < 0) {
                return;
            }
            int length = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
            byte kind = in.readByte();
            if (length < 0 || length > MOST_BYTES || kind < JOB || kind > RECORDED) {
                throw new IOException("something else than Brigade writes there");
            }
            byte[] payload = in.readNBytes(length);
            if (payload.length < length) {
                throw new EOFException();
            }
            receiver.frame(kind, new DataInputStream(new java.io.ByteArrayInputStream(payload)), length);
        }
    }
}
