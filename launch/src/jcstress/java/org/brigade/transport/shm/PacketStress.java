package org.brigade.transport.shm;

import org.brigade.memory.NativeMemory;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * More packets than slots: none is seen before it is whole, none is overwritten before it is taken, none is lost. The
 * sender stores into slots ahead of its packets, now and then into fewer than it would, as the others are not free.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Every packet whole and in order.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A packet torn, overtaken or lost.")
@State
public class PacketStress {
    private static final int SLOTS = 16;
    private static final int RING = 1024;
    private static final int PACKETS = 44;
    private static final int TRIES = 200;

    private final NativeMemory memory = NativeMemory.allocate(ChannelDescriptor.bytes(SLOTS, RING));
    private final ChannelSender sender = new ChannelSender(memory, 0, SLOTS, RING);
    private final ChannelReceiver receiver = new ChannelReceiver(memory, 0, SLOTS, RING);
    private int sent;
    private int taken;

    private void send() {
        if (sent < PACKETS && sender.trySendWords(sent, sent * 3L, sent, ~sent)) {
            sent++;
        }
    }

    private int receive() {
        if (!receiver.poll()) {
            return 0;
        }
        boolean whole = receiver.kind() == taken && receiver.key() == taken * 3L && receiver.bytes() == 16
            && receiver.word(0) == taken && receiver.word(1) == ~taken;
        receiver.tryDiscard(16);
        taken++;
        return whole ? 0 : 1;
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
        result.r2 = wrong + PACKETS - taken;
    }
}
