package org.brigade.transport.shm;

import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Messages of several chunks that go around the ring more than once: no byte is taken before it is there, none
 * overwritten before it is taken.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Every byte as it was sent.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Bytes that were not there yet, or no longer.")
@State
public class RingStress {
    private static final int SLOTS = 8;
    private static final int RING = 1024;
    private static final int MESSAGES = 6;
    private static final int LONGS = 75;
    private static final int BYTES = LONGS * Long.BYTES;
    private static final int TRIES = 100;

    private final NativeMemory memory = NativeMemory.allocate(ChannelDescriptor.bytes(SLOTS, RING));
    private final ChannelSender sender = new ChannelSender(memory, 0, SLOTS, RING);
    private final ChannelReceiver receiver = new ChannelReceiver(memory, 0, SLOTS, RING);
    private final long[] sending = new long[LONGS];
    private final long[] receiving = new long[LONGS];
    private final Region source = new Region().wrap(sending, 0);
    private final Region target = new Region().wrap(receiving, 0);
    private int message;
    private long sent;
    private int arrived;
    private long taken;

    private void send() {
        if (message == MESSAGES) {
            return;
        }
        if (sent == 0) {
            for (int i = 0; i < LONGS; i++) {
                sending[i] = (long) message << 32 | i + 1;
            }
        }
        long now = sender.trySend(message, message, source, 0, BYTES, sent);
        sent += now > 0 ? now : 0;
        if (sent == BYTES) {
            sent = 0;
            message++;
        }
    }

    private int receive() {
        if (!receiver.poll()) {
            return 0;
        }
        int wrong = receiver.kind() == arrived && receiver.key() == arrived && receiver.bytes() == BYTES ? 0 : 1;
        taken += receiver.tryRecv(target, taken);
        if (taken == BYTES) {
            for (int i = 0; i < LONGS; i++) {
                wrong += receiving[i] == ((long) arrived << 32 | i + 1) ? 0 : 1;
            }
            taken = 0;
            arrived++;
        }
        return wrong;
    }

    @Actor
    public void sending() {
        for (int i = 0; i < TRIES; i++) {
            send();
        }
    }

    @Actor
    public void receiving(II_Result result) {
        int wrong = 0;
        for (int i = 0; i < TRIES; i++) {
            wrong += receive();
        }
        result.r1 = wrong;
    }

    @Arbiter
    public void rest(II_Result result) {
        int wrong = 0;
        for (int i = 0; i < TRIES; i++) {
            send();
            wrong += receive();
        }
        result.r2 = wrong + MESSAGES - arrived;
    }
}
