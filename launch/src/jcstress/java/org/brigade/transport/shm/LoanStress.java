package org.brigade.transport.shm;

import java.nio.ByteBuffer;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.transport.Endpoint;
import org.brigade.transport.Link;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Lent messages of which both sides copy pieces: each piece is copied once, the receiver sees all bytes, and the sender
 * writes its next message into the same memory as soon as it knows that the last one is taken.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Every byte as it was sent.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Bytes that were not there yet, or no longer, or not lent.")
@State
public class LoanStress {
    private static final int BYTES = (int) PeerProcesses.SHORTEST + 40_000;
    private static final int MESSAGES = 3;
    private static final int TRIES = 60;

    private static final SegmentDescriptor LAYOUT = SegmentDescriptor.smallest(2);

    private final NativeMemory memory = NativeMemory.allocate((int) LAYOUT.bytes());
    private final Link out = end(0).link(1, Endpoint.COLLECTIVE);
    private final SharedLink in = (SharedLink) end(1).link(0, Endpoint.COLLECTIVE);
    private final ByteBuffer sending = ByteBuffer.allocateDirect(BYTES);
    private final ByteBuffer receiving = ByteBuffer.allocateDirect(BYTES);
    private final Region source = new Region().wrap(sending, 0);
    private final Region target = new Region().wrap(receiving, 0);
    private int message;
    private long sent;
    private int arrived;
    private long taken;

    private SharedEndpoint end(int rank) {
        return SharedEndpoint.ofThread(LAYOUT, memory, rank).lends(CopyWays.Use.ALWAYS);
    }

    private void send() {
        if (message == MESSAGES) {
            return;
        }
        if (message == 0 && sent == 0) {
            fill();
        }
        sent += Math.max(0, out.trySend(message, message, source, 0, BYTES, sent));
        if (sent == BYTES) {
            sent = 0;
            message++;
            fill(); // at once: nothing reads the last message any more
        }
    }

    private void fill() {
        for (int i = 0; i < BYTES; i += 512) {
            sending.putInt(i, message << 24 | i);
        }
    }

    private int receive() {
        if (!in.poll()) {
            return 0;
        }
        int wrong = in.kind() == arrived && in.key() == arrived && in.bytes() == BYTES ? 0 : 1;
        boolean lent = in.isLent();
        long now = in.tryRecv(target, taken);
        wrong += now > 0 && !lent ? 1 : 0;
        taken += now;
        if (taken == BYTES) {
            for (int i = 0; i < BYTES; i += 512) {
                wrong += receiving.getInt(i) == (arrived << 24 | i) ? 0 : 1;
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
        for (int i = 0; i < TRIES; i++) {
            result.r1 += receive();
        }
    }

    /** What the actors left undone. */
    @Arbiter
    public void rest(II_Result result) {
        for (int i = 0; arrived < MESSAGES && i < 10_000; i++) {
            send();
            result.r2 += receive();
        }
        result.r2 += arrived == MESSAGES ? 0 : 1;
    }
}
