package org.brigade.transport.packet;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.Endpoint;
import org.junit.jupiter.api.Test;

class PacketPeersTest {
    private static final long DEADLINE_NANOS = 60_000_000_000L;
    private static final long PATIENCE_NANOS = 3_600_000_000_000L;
    // What the memory of a request has.
    private static final long WAITS = 2;
    private static final long ENDED = 1;

    /** A library whose messages all leave, and to which nothing comes. */
    private static MessageCarrier deaf(AtomicInteger notices) {
        Object lock = new Object();
        return (MessageCarrier) Proxy.newProxyInstance(MessageCarrier.class.getClassLoader(),
            new Class<?>[] {MessageCarrier.class}, (self, method, with) -> switch (method.getName()) {
                case "lock" -> lock;
                case "name", "settings" -> "deaf";
                case "askNanos" -> 1_000_000L;
                case "send" -> {
                    ((NativeMemory) with[4]).putLong((int) with[5], ENDED);
                    yield notices.addAndGet((int) with[3]); // the tag of notices is 1, that of data 0
                }
                case "start" -> {
                    ((NativeMemory) with[3]).putLong((int) with[4], WAITS);
                    yield null;
                }
                case "cancel" -> {
                    ((NativeMemory) with[0]).putLong((int) with[1], ENDED);
                    yield null;
                }
                case "test" -> ((NativeMemory) with[0]).getLong((int) with[1]) == ENDED;
                case "allLeave" -> true;
                default -> method.getReturnType() == boolean.class ? (Object) false : null;
            });
    }

    /**
     * Of one question the host may have acknowledged, and the answer been lost: then the host's silence shows nothing.
     */
    @Test
    void aPeerThatDoesNotAnswerIsAskedAgain() {
        AtomicInteger asked = new AtomicInteger();
        PacketEnd end = new PacketEnd(0, 2, deaf(asked), PacketDescriptor.LEAST_WINDOW, PATIENCE_NANOS, false);
        try {
            assertTrue(end.link(1, Endpoint.COLLECTIVE).trySendWords(1, 1, 1, 2));
            long deadline = System.nanoTime() + DEADLINE_NANOS;
            while (asked.get() < 4) {
                assertNull(end.lost(1));
                assertTrue(System.nanoTime() - deadline < 0, () -> "asked " + asked + " times");
            }
        } finally {
            end.close();
        }
    }
}
