package org.brigade.aggregation.process;

import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;
import mpi.spi.Reduction.Operator;
import org.brigade.aggregation.AggregationException;
import org.brigade.aggregation.AggregationGroup;
import org.brigade.aggregation.AggregationStatus;
import org.brigade.aggregation.AggregationType;
import org.brigade.aggregation.Capabilities;
import org.brigade.aggregation.RegisteredMemory;
import org.brigade.memory.NativeMemory;

/**
 * A member's end of a group whose tree consists of aggregator processes: one connection, to this node's aggregator.
 */
public final class MemberGroup implements AggregationGroup, FrameChannel.Receiver {
    private static final byte FREE = 0;
    private static final byte PENDING = 1;
    private static final byte DONE = 2;
    private static final int SPARE_FRAMES = 16;
    private static final long TICK_NANOS = 1_000_000;
    private static final long SILENCE_NANOS = 1_000_000_000L;
    /**
     * By aggregator: when a group of this process gave it up for its silence. The others that have not heard of it
     * since give it up at once, instead of each waiting as long.
     */
    private static final ConcurrentHashMap<String, Long> GIVEN_UP = new ConcurrentHashMap<>();

    private final FrameChannel channel;
    private final String aggregator;
    private final long timeout;
    private Capabilities capabilities;
    private Unanswered unanswered;
    private byte[] states;
    private NativeMemory[] targets;
    private int[] places;
    private int next;
    private long ticked;
    private long asked;
    private AggregationException failure;

    /**
     * Joins over a connection that may still be connecting: proves that it has the secret, sends the request, and waits
     * until all members have joined.
     *
     * @param aggregator its name for messages: {@code 10.0.0.1:7070}
     * @param channel closed if joining fails
     * @param patience nanoseconds for the aggregator to answer, and for members to join
     * @param pause called at every turn of waiting; its exceptions end the wait
     */
    public MemberGroup(String aggregator, FrameChannel channel, JoinRequest request, long patience, Runnable pause)
        throws AggregationException {
        this.aggregator = aggregator;
        this.channel = channel;
        timeout = patience;
        long deadline = System.nanoTime() + patience;
        boolean joined = false;
        try {
            Long givenUp = GIVEN_UP.get(aggregator);
            if (givenUp != null && System.nanoTime() - givenUp < patience) {
                throw new IOException("no answer to another communicator");
            }
            channel.queue(FrameChannel.JOIN, 0, request.encoded());
            while (capabilities == null && failure == null) {
                if (!channel.connected() || !step()) {
                    if (System.nanoTime() - deadline > 0) {
                        throw new IOException((!channel.connected() ? "no connection"
                            : channel.isTrusted() ? "not all of the " + request.total() + " nodes have joined"
                                : "no answer")
                            + " within " + patience / 1_000_000_000
                            + " s (brigade.aggregation.timeout)");
                    }
                    pause.run();
                }
            }
            joined = failure == null;
        } catch (IOException e) {
            if (failure == null) { // else the aggregator has given a reason before closing
                failure = unreachable(aggregator, e);
            }
        } finally {
            if (!joined) {
                channel.close();
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** The error of a member that cannot join. */
    public static AggregationException unreachable(String aggregator, Exception e) {
        return new AggregationException(AggregationStatus.ECONN_TREE,
            "joining the group at aggregator " + aggregator + " (" + e.getMessage() + ")");
    }

    /** Makes progress; true if any data came. */
    private boolean step() throws IOException {
        channel.flush();
        return channel.read(this);
    }

    // ---- frames ----

    @Override
    public void frame(FrameChannel from, byte kind, NativeMemory memory, int at, int bytes) throws IOException {
        switch (kind) {
            case FrameChannel.READY -> ready(GroupTerms.decoded(memory, at, bytes));
            case FrameChannel.RESULT -> {
                if (capabilities == null) {
                    throw new IOException("sums before terms");
                }
                int sequence = FrameChannel.sequence(memory, at);
                int awaited = unanswered.awaited(sequence);
                if (awaited >= 0) {
                    if (awaited != bytes) {
                        throw new IOException("a sum of " + bytes + " bytes for " + awaited);
                    }
                    int slot = sequence & states.length - 1;
                    targets[slot].bytes.put(places[slot], memory.bytes, at, bytes);
                    states[slot] = DONE;
                    unanswered.answered(sequence);
                }
            }
            case FrameChannel.FAILED -> failure = new AggregationException(FrameChannel.status(memory, at),
                "aggregator " + aggregator + " says: " + FrameChannel.text(memory, at, bytes));
            case FrameChannel.PING -> from.queue(FrameChannel.PONG);
            case FrameChannel.PONG -> asked = 0;
            default -> throw new IOException("a frame of unknown kind " + kind);
        }
    }

    private void ready(GroupTerms terms) throws IOException {
        if (terms == null || capabilities != null) {
            throw new IOException("impossible terms");
        }
        long types = 0;
        long operators = 0;
        for (AggregationType type : AggregationType.values()) {
            for (Operator operator : Operator.values()) {
                if (SlotSwitch.serves(type, operator)) {
                    types |= 1L << type.ordinal();
                    operators |= 1L << operator.ordinal();
                }
            }
        }
        unanswered =
            new Unanswered(terms.slots(), terms.lossy(), (sequence, type, operator, memory, at, bytes) -> channel
                .queue(FrameChannel.CONTRIBUTE, type.ordinal(), operator.ordinal(), sequence, 0, memory, at, bytes));
        states = new byte[terms.slots()];
        targets = new NativeMemory[terms.slots()];
        places = new int[terms.slots()];
        channel.open(terms.payload(), 2 * terms.slots() + SPARE_FRAMES);
        capabilities = new Capabilities(types, operators, Integer.MAX_VALUE, terms.slots(), terms.payload(), true);
    }

    // ---- the group ----

    @Override
    public Capabilities capabilities() {
        return capabilities;
    }

    @Override
    public RegisteredMemory register(NativeMemory memory) {
        return new RegisteredMemory(memory, null);
    }

    @Override
    public int iallreduce(RegisteredMemory memory, int sendAt, int recvAt, int bytes, AggregationType type,
        Operator operator) throws AggregationException {
        if (failure != null) {
            throw failure;
        }
        if (!SlotSwitch.serves(type, operator)) {
            throw new AggregationException(AggregationStatus.ENOT_SUPP,
                operator + " of " + type + " by aggregator " + aggregator);
        }
        int slot = next & states.length - 1;
        if (states[slot] != FREE) {
            return REFUSED;
        }
        states[slot] = PENDING;
        targets[slot] = memory.memory();
        places[slot] = recvAt;
        if (unanswered.isEmpty()) {
            asked = 0;
            ticked = System.nanoTime();
        }
        unanswered.contribute(next++, type, operator, memory.memory(), sendAt, bytes, ticked);
        move();
        return slot;
    }

    @Override
    public boolean test(int request) throws AggregationException {
        if (states[request] == PENDING) {
            move();
        }
        if (states[request] == DONE) {
            states[request] = FREE;
            return true;
        }
        if (failure != null) {
            throw failure;
        }
        return false;
    }

    private void move() {
        try {
            step();
            long now = System.nanoTime();
            if (now - ticked > TICK_NANOS) {
                tick(now);
            }
        } catch (IOException | RuntimeException e) {
            if (failure == null) {
                failure = new AggregationException(AggregationStatus.ECONN_TREE,
                    "aggregator " + aggregator + " (" + e.getMessage() + ")");
            }
        }
    }

    /** A slow member may take any time, but an aggregator must answer. */
    private void tick(long now) throws IOException {
        // After a long break, this member may not have read the answer yet.
        boolean looking = now - ticked < SILENCE_NANOS;
        ticked = now;
        unanswered.tick(now);
        Long givenUp = GIVEN_UP.get(aggregator);
        if (givenUp != null && givenUp - channel.heard() > 0) {
            throw new IOException("no answer to another communicator");
        }
        if (asked != 0 && looking && now - asked > timeout && now - channel.heard() > timeout) {
            GIVEN_UP.put(aggregator, now);
            throw new IOException("no answer for " + timeout / 1_000_000_000 + " s");
        }
        if (!looking) {
            asked = 0;
        }
        if (asked == 0 && now - channel.heard() > SILENCE_NANOS) {
            asked = now;
            channel.queue(FrameChannel.PING);
        }
        channel.flush();
    }

    @Override
    public boolean lock() {
        return true; // each group has slots of its own
    }

    @Override
    public void unlock() {
        // nothing is locked
    }

    @Override
    public void close() {
        try {
            if (failure == null) {
                channel.queue(FrameChannel.LEAVE);
                channel.flush();
            }
        } catch (IOException e) {
            // then it is lost
        }
        channel.close();
    }
}
