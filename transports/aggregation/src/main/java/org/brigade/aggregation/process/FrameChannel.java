package org.brigade.aggregation.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.brigade.aggregation.AggregationStatus;
import org.brigade.bootstrap.secret.Handshake;
import org.brigade.memory.NativeMemory;

/**
 * One connection between a member and an aggregator, or between two aggregators: a handshake, then frames. Nothing
 * blocks. Memory is bounded: during the handshake a connection has a few hundred bytes, then buffers for short frames,
 * and buffers for long frames only after a group has been agreed on. Its queue has references to memory of others.
 *
 * <pre>
 *   0 payload bytes | 4 kind | 5 type | 6 operation | 7 0 | 8 sequence | 12 code
 *   16 payload, padded to a multiple of 8                                          in the machines' byte order
 * </pre>
 */
public final class FrameChannel {
    /** Version of the whole protocol: increase it with every change. */
    public static final int VERSION = 2;
    public static final int HEADER = 16;
    public static final byte JOIN = 1;
    public static final byte READY = 2;
    public static final byte CONTRIBUTE = 3;
    public static final byte RESULT = 4;
    public static final byte PING = 5;
    public static final byte PONG = 6;
    public static final byte LEAVE = 7;
    public static final byte FAILED = 8;

    /** Most bytes of frames without data. */
    static final int SHORT = 1024;
    private static final int FRAMES = 4;
    private static final int READS = 8;
    private static final int SHORT_QUEUE = 16;

    /** Receives frames. The payload is at {@code at}, a multiple of 8, until the call returns. */
    public interface Receiver {
        void frame(FrameChannel from, byte kind, NativeMemory memory, int at, int bytes) throws IOException;
    }

    /** What the header says of the payload at {@code at}. */
    public static byte type(NativeMemory memory, int at) {
        return memory.bytes.get(at - HEADER + 5);
    }

    /** As {@link #type}. */
    public static byte operator(NativeMemory memory, int at) {
        return memory.bytes.get(at - HEADER + 6);
    }

    /** As {@link #type}. */
    public static int sequence(NativeMemory memory, int at) {
        return memory.bytes.getInt(at - HEADER + 8);
    }

    /** As {@link #type}: why the sender has failed. */
    public static AggregationStatus status(NativeMemory memory, int at) {
        return AggregationStatus.of(memory.bytes.getInt(at - HEADER + 12));
    }

    private static final class Frame {
        final ByteBuffer header = ByteBuffer.allocateDirect(HEADER).order(ByteOrder.nativeOrder());
        final ByteBuffer padding = ByteBuffer.allocateDirect(8);
        final ByteBuffer[] parts = {header, header, padding};
        NativeMemory owner;
        ByteBuffer payload;
    }

    private static final NativeMemory NOTHING = NativeMemory.allocate(8);

    private final Carrier carrier;
    /** Null if the other end is known. */
    private final Handshake handshake;
    private final byte[] greeting;
    private int greeted;
    private ByteBuffer greetings;

    private NativeMemory in;
    private ByteBuffer inBytes;
    private int start;
    private int filled;
    private int longest = SHORT;

    private Frame[] out = new Frame[SHORT_QUEUE];
    private int first;
    private int queued;
    private long heard;

    /**
     * A channel over a carrier that may still be connecting.
     *
     * @param handshake null if no proof is needed
     */
    public FrameChannel(Carrier carrier, Handshake handshake) {
        this.carrier = carrier;
        this.handshake = handshake;
        this.greeting = new byte[64];
        byte[] hello = handshake == null ? new byte[0] : handshake.first();
        greetings = hello.length == 0 ? null : ByteBuffer.wrap(hello);
        if (handshake == null) {
            open(SHORT, SHORT_QUEUE);
        }
    }

    public static String otherVersion(int theirs) {
        return "the other end has another release: it speaks version " + theirs
            + " of the aggregators' protocol, and this one version " + VERSION
            + "; give ranks and aggregators the same brigade.jar";
    }

    public Carrier carrier() {
        return carrier;
    }

    /** Whether the connection exists; makes progress with connecting. */
    public boolean connected() throws IOException {
        return carrier.connected();
    }

    /** Whether the other end has proved that it has the secret. */
    public boolean isTrusted() {
        return handshake == null || handshake.awaits() == 0;
    }

    /** Time of the last data from the other end, as System.nanoTime; 0: never. */
    public long heard() {
        return heard;
    }

    /** From now on frames of up to {@code payload} bytes may arrive, and {@code frames} be queued. */
    public void open(int payload, int frames) {
        longest = Math.max(payload, SHORT);
        NativeMemory larger = NativeMemory.allocate(FRAMES * (HEADER + padded(longest)));
        if (filled > start) {
            larger.bytes.put(0, in.bytes, start, filled - start);
        }
        filled -= start;
        start = 0;
        in = larger;
        inBytes = in.bytes.duplicate();
        Frame[] more = new Frame[frames];
        for (int i = 0; i < queued; i++) {
            more[i] = out[(first + i) % out.length];
        }
        first = 0;
        out = more;
    }

    private static int padded(int bytes) {
        return bytes + 7 & ~7;
    }

    // ---- receiving ----

    /**
     * Reads available frames; true if any data came.
     *
     * @throws IOException if the connection has ended, or the other end is not trusted or violates the protocol
     */
    public boolean read(Receiver receiver) throws IOException {
        boolean any = false;
        for (int turn = 0; turn < READS; turn++) {
            boolean more = isTrusted() ? readFrames(receiver) : readGreeting();
            if (!more) {
                return any;
            }
            any = true;
        }
        return any;
    }

    private boolean readGreeting() throws IOException {
        int bytes = carrier.read(ByteBuffer.wrap(greeting, greeted, handshake.awaits() - greeted));
        if (bytes < 0) {
            throw new IOException(handshake.closed());
        }
        greeted += bytes;
        heard = bytes > 0 ? System.nanoTime() : heard;
        if (greeted == handshake.awaits()) {
            try {
                byte[] answer = handshake.answer(java.util.Arrays.copyOf(greeting, greeted));
                greetings = greetings == null || !greetings.hasRemaining() ? ByteBuffer.wrap(answer)
                    : ByteBuffer.allocate(greetings.remaining() + answer.length).put(greetings).put(answer).flip();
            } catch (Handshake.Refused e) {
                throw new IOException(e.getMessage());
            }
            greeted = 0;
            if (isTrusted()) {
                open(SHORT, Math.max(out.length, SHORT_QUEUE));
            }
            flush();
        }
        return bytes > 0;
    }

    private boolean readFrames(Receiver receiver) throws IOException {
        if (in.capacity() - filled < HEADER + padded(longest)) {
            in.bytes.put(0, in.bytes, start, filled - start);
            filled -= start;
            start = 0;
        }
        inBytes.limit(in.capacity()).position(filled);
        int bytes = carrier.read(inBytes);
        if (bytes < 0) {
            throw new IOException("it was closed");
        }
        if (bytes == 0) {
            return false;
        }
        heard = System.nanoTime();
        filled += bytes;
        while (filled - start >= HEADER) {
            int length = in.bytes.getInt(start);
            if (length < 0 || length > longest) {
                throw new IOException(
                    "it announces a frame of " + length + " bytes, but at most " + longest + " are allowed");
            }
            if (filled - start < HEADER + padded(length)) {
                break;
            }
            int at = start;
            start += HEADER + padded(length);
            NativeMemory memory = in;
            receiver.frame(this, memory.bytes.get(at + 4), memory, at + HEADER, length);
        }
        if (start == filled) {
            start = 0;
            filled = 0;
        }
        return true;
    }

    // ---- sending ----

    /**
     * Queues a frame whose payload is in memory that stays unchanged until it has been sent; false if the queue is
     * full.
     */
    public boolean queue(byte kind, int type, int operator, int sequence, int code, NativeMemory memory, int at,
        int bytes) {
        if (queued == out.length) {
            return false;
        }
        int place = (first + queued) % out.length;
        Frame frame = out[place];
        if (frame == null) {
            frame = new Frame();
            out[place] = frame;
        }
        NativeMemory owner = memory == null ? NOTHING : memory;
        if (frame.owner != owner) {
            frame.owner = owner;
            frame.payload = owner.bytes.duplicate();
            frame.parts[1] = frame.payload;
        }
        frame.header.clear();
        frame.header.putInt(bytes).put(kind).put((byte) type).put((byte) operator).put((byte) 0).putInt(sequence)
            .putInt(code).flip();
        frame.payload.limit(at + bytes).position(at);
        frame.padding.clear().limit(padded(bytes) - bytes);
        queued++;
        return true;
    }

    public boolean queue(byte kind) {
        return queue(kind, 0, 0, 0, 0, null, 0, 0);
    }

    /** Queues a short frame with bytes of its own. */
    public boolean queue(byte kind, int code, byte[] bytes) {
        NativeMemory own = NativeMemory.allocate(Math.max(8, bytes.length));
        own.bytes.put(0, bytes);
        return queue(kind, 0, 0, 0, code, own, 0, bytes.length);
    }

    public boolean queueFailure(int code, String why) {
        byte[] text = why.getBytes(StandardCharsets.UTF_8);
        return queue(FAILED, code, text.length > SHORT ? java.util.Arrays.copyOf(text, SHORT) : text);
    }

    public static String text(NativeMemory memory, int at, int bytes) {
        byte[] text = new byte[bytes];
        memory.bytes.get(at, text);
        return new String(text, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", "?");
    }

    /** Whether there is something to send. */
    public boolean wantsToSend() {
        return greetings != null && greetings.hasRemaining() || isTrusted() && queued > 0;
    }

    /** Sends as much as the network takes; true if everything has gone. */
    public boolean flush() throws IOException {
        if (!carrier.connected()) {
            return false;
        }
        if (greetings != null && greetings.hasRemaining()) {
            carrier.write(greetings);
            if (greetings.hasRemaining()) {
                return false;
            }
        }
        while (isTrusted() && queued > 0) {
            Frame frame = out[first];
            carrier.write(frame.parts);
            if (frame.padding.hasRemaining() || frame.payload.hasRemaining() || frame.header.hasRemaining()) {
                return false;
            }
            first = (first + 1) % out.length;
            queued--;
        }
        return true;
    }

    public void close() {
        carrier.close();
    }
}
