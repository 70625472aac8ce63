package org.brigade.transport;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.SplittableRandom;
import org.brigade.memory.Region;

/**
 * One direction of a link, driven from one thread: messages queued here are sent and received a call at a time in
 * whatever order the test asks, and every byte, kind and key is compared with what was sent.
 */
final class Wire {
    /** A message whose bytes follow from its seed. */
    record Message(int kind, long key, int bytes, long seed) {
        byte[] content() {
            byte[] content = new byte[bytes];
            SplittableRandom random = new SplittableRandom(seed);
            for (int i = 0; i < bytes; i++) {
                content[i] = (byte) random.nextInt();
            }
            return content;
        }

        static Message random(SplittableRandom random, int bytes) {
            return new Message(random.nextInt(254), random.nextLong(), bytes, random.nextLong());
        }
    }

    /** Calls without any progress after which a wire is dead: far more than any hiccup of chaos. */
    static final int DEAD = 200_000;
    /** Some links have threads or timers that bring what has been sent, and these may have to wait for a processor. */
    private static final long PATIENCE_NANOS = 120_000_000_000L;

    private final Link from;
    private final Link to;
    private final ArrayDeque<Message> unsent = new ArrayDeque<>();
    private final ArrayDeque<Message> underWay = new ArrayDeque<>();
    private final Region source = new Region();
    private final Region target = new Region();
    /** What is in source: made once a message. */
    private Message made;
    private long sent;
    private Object arrived;
    private int filled;
    private int number;

    Wire(Link from, Link to) {
        this.from = from;
        this.to = to;
    }

    Wire queue(Message message) {
        unsent.add(message);
        return this;
    }

    boolean quiet() {
        return unsent.isEmpty() && underWay.isEmpty();
    }

    /** One call of trySend; whether it got anything done. */
    boolean stepSend() {
        Message message = unsent.peek();
        if (message == null) {
            return false;
        }
        if (message != made) {
            source.wrap(inMemory(message.content(), message.seed() & 1), 0);
            made = message;
        }
        long accepted = from.trySend(message.kind(), message.key(), source, 0, message.bytes(), sent);
        if (accepted == Link.REFUSED) {
            return false;
        }
        if (accepted < 0 || sent + accepted > message.bytes() || accepted == 0 && message.bytes() > 0) {
            throw new AssertionError("trySend of " + message + " from byte " + sent + " answered " + accepted);
        }
        if (sent == 0) {
            underWay.add(message);
        }
        sent += accepted;
        if (sent == message.bytes()) {
            unsent.remove();
            sent = 0;
        }
        return true;
    }

    /** One call of poll and of tryRecv; whether it got anything done. */
    boolean stepReceive() {
        if (!to.poll(2)) {
            return false;
        }
        Message expected = underWay.peek();
        if (expected == null) {
            throw new AssertionError(
                "message " + number + " arrived and was never sent: " + to.bytes() + " bytes of kind " + to.kind());
        }
        if (arrived == null) {
            if (to.kind() != expected.kind() || to.key() != expected.key() || to.bytes() != expected.bytes()) {
                throw new AssertionError("message " + number + ": expected " + expected + ", got kind " + to.kind()
                    + " key " + to.key() + " bytes " + to.bytes());
            }
            arrived = inMemory(new byte[expected.bytes()], expected.seed() & 2);
            filled = 0;
        }
        if (to.remaining() != expected.bytes() - filled) {
            throw new AssertionError("message " + number + ": " + to.remaining() + " bytes remain, but " + filled
                + " of " + expected.bytes() + " were taken");
        }
        target.wrap(arrived, 0);
        long taken = to.tryRecv(target, filled);
        if (taken % 16 != 0 && filled + taken != expected.bytes()) {
            throw new AssertionError(
                "message " + number + ": a piece of " + taken + " bytes from byte " + filled + " splits an element");
        }
        filled += (int) taken;
        if (filled == expected.bytes()) {
            compare(expected);
            underWay.remove();
            arrived = null;
            number++;
            return true;
        }
        return taken > 0;
    }

    /** These bytes in the heap, or outside it. */
    private static Object inMemory(byte[] content, long direct) {
        return direct == 0 ? content : ByteBuffer.allocateDirect(content.length).put(0, content);
    }

    private void compare(Message expected) {
        byte[] content = expected.content();
        for (int i = 0; i < content.length; i++) {
            byte its = arrived instanceof ByteBuffer direct ? direct.get(i) : ((byte[]) arrived)[i];
            if (content[i] != its) {
                throw new AssertionError("message " + number + " (" + content.length + " bytes): byte " + i + " is "
                    + its + ", was sent as " + content[i]);
            }
        }
    }

    /** Sends and receives, the more eager side drawn by lot, until all has arrived. */
    void drain(SplittableRandom random) {
        int idle = 0;
        long moved = System.nanoTime();
        while (!quiet()) {
            boolean sending = random.nextBoolean();
            boolean progress = false;
            for (int calls = 1 + random.nextInt(20); calls > 0; calls--) {
                progress |= sending ? stepSend() : stepReceive();
            }
            idle = progress ? 0 : idle + 1;
            if (idle <= DEAD) {
                moved = System.nanoTime();
            } else if (System.nanoTime() - moved > PATIENCE_NANOS) {
                throw new AssertionError("no progress: " + unsent.size() + " messages unsent (" + sent
                    + " bytes of the first accepted), " + underWay.size()
                    + " under way (" + filled + " bytes of the first arrived)");
            }
        }
    }
}
