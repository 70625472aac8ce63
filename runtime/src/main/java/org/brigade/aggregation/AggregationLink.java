package org.brigade.aggregation;

import mpi.spi.Reduction.Operator;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.transport.Link;

/**
 * Presents a reducing network to schedules as one more peer: what a rank receives from this peer is the sum of what all
 * masters sent as their message of the same number. Messages are cut into operations of at most the network's payload;
 * at most one operation per slot is outstanding.
 *
 * <p>
 * When the network is lost, this link does not fail. It keeps accepting messages and returns undefined bytes, so that
 * every schedule terminates on every rank. The caller then asks {@link #failure}, agrees with the other members, and
 * repeats the call by other means.
 *
 * <pre>
 *   staging, by operation modulo slots:   | contribution | sum |   | contribution | sum |   ...
 * </pre>
 */
public final class AggregationLink implements Link {
    private static final long LOCK_PATIENCE = 10_000_000_000L;

    private final AggregationGroup group;
    private final int payload;
    private final int slots;
    private final RegisteredMemory registered;
    private final NativeMemory staging;

    private final int[] requests;
    private final int[] lengths;
    /** Operations begun so far, and operations received so far. */
    private int begun;
    private int received;
    /** Whether the oldest operation has ended. */
    private boolean headDone;

    /** Messages sent and not yet received whole: a ring of their lengths. */
    private long[] messages = new long[16];
    private int firstMessage;
    private int messageCount;
    private long remaining;

    private long key;
    private AggregationType type;
    private Operator operator;
    private boolean locked;
    private long lockSince;
    private AggregationException failure;

    /** @throws AggregationException if the network will not have the staging memory */
    public AggregationLink(AggregationGroup group) throws AggregationException {
        this.group = group;
        Capabilities capabilities = group.capabilities();
        payload = capabilities.payload() & ~63;
        slots = capabilities.slots();
        if (payload == 0 || slots < 1 || 2L * payload * slots > 1 << 30) {
            throw new AggregationException(AggregationStatus.ENO_RESOURCE,
                "staging for " + slots + " slots of " + capabilities.payload() + " bytes");
        }
        staging = NativeMemory.allocate(2 * payload * slots);
        registered = group.register(staging);
        requests = new int[slots];
        lengths = new int[slots];
    }

    public Capabilities capabilities() {
        return group.capabilities();
    }

    /** Begins a call: the key of its messages, and the type and operator that reduce them. */
    public void begin(long callKey, AggregationType callType, Operator callOperator) {
        key = callKey;
        type = callType;
        operator = callOperator;
        begun = 0;
        received = 0;
        headDone = false;
        messageCount = 0;
        lockSince = 0;
    }

    /** Why the network was lost; null if everything received is a sum. */
    public AggregationException failure() {
        return failure;
    }

    /** Ends the call. */
    public void end() {
        if (locked) {
            locked = false;
            group.unlock();
        }
    }

    /** Leaves the group. Unsent messages are dropped: a failed call may have left half a message. */
    public void close() {
        if (failure == null) {
            failure = new AggregationException(AggregationStatus.ERROR, "the group was left");
        }
        group.close();
    }

    // ---- sending ----

    @Override
    public int peer() {
        return -1;
    }

    @Override
    public long trySend(int kind, long itsKey, Region source, long at, long bytes, long sent) {
        if (sent == 0) {
            append(bytes);
        }
        long accepted = 0;
        try {
            if (failure == null && !locked && !lock()) {
                return progressed(sent, 0);
            }
            while (failure == null && begun - received < slots && sent + accepted < bytes) {
                int slot = begun % slots;
                int length = (int) Math.min(payload, bytes - sent - accepted);
                int place = 2 * payload * slot;
                source.read(at + sent + accepted, staging, place, length);
                int request = group.iallreduce(registered, place, place + payload, length, type, operator);
                if (request == AggregationGroup.REFUSED) {
                    break;
                }
                requests[slot] = request;
                lengths[slot] = length;
                begun++;
                accepted += length;
            }
        } catch (AggregationException e) {
            failure = e;
        }
        return failure != null ? bytes - sent : progressed(sent, accepted);
    }

    /**
     * A message is in the list as soon as it has been offered; the offer counts as made once some of it has been
     * accepted.
     */
    private long progressed(long sent, long accepted) {
        if (sent == 0 && accepted == 0) {
            messageCount--;
            return REFUSED;
        }
        return accepted;
    }

    private boolean lock() throws AggregationException {
        long now = System.nanoTime();
        if (group.lock()) {
            locked = true;
        } else if (lockSince == 0) {
            lockSince = now;
        } else if (now - lockSince > LOCK_PATIENCE) {
            throw new AggregationException(AggregationStatus.ELOCK_FAILED, "waiting for the tree for 10 s");
        }
        return locked;
    }

    private void append(long bytes) {
        if (messageCount == messages.length) {
            long[] more = new long[2 * messageCount];
            for (int i = 0; i < messageCount; i++) {
                more[i] = messages[(firstMessage + i) % messageCount];
            }
            messages = more;
            firstMessage = 0;
        }
        messages[(firstMessage + messageCount) % messages.length] = bytes;
        if (messageCount++ == 0) {
            remaining = bytes;
        }
    }

    @Override
    public boolean trySendWords(int kind, long itsKey, long first, long second) {
        throw new IllegalStateException("a reducing network accepts vectors only");
    }

    // ---- receiving ----

    @Override
    public boolean poll() {
        if (messageCount == 0) {
            return false;
        }
        if (failure != null || headDone) {
            return true;
        }
        try {
            headDone = begun > received && group.test(requests[received % slots]);
        } catch (AggregationException e) {
            failure = e;
        }
        return headDone || failure != null;
    }

    @Override
    public int kind() {
        return 0;
    }

    @Override
    public long key() {
        return key;
    }

    @Override
    public long bytes() {
        return messages[firstMessage];
    }

    @Override
    public long remaining() {
        return remaining;
    }

    @Override
    public long word(int index) {
        throw new IllegalStateException("a reducing network delivers vectors only");
    }

    @Override
    public long tryRecv(Region target, long at) {
        long moved = 0;
        while (remaining > 0 && poll()) {
            long length = remaining;
            if (failure == null) {
                int slot = received % slots;
                length = lengths[slot];
                target.write(at + moved, staging, 2 * payload * slot + payload, (int) length);
                headDone = false;
                received++;
            }
            moved += length;
            remaining -= length;
        }
        if (remaining == 0) {
            firstMessage = (firstMessage + 1) % messages.length;
            messageCount--;
            remaining = messageCount > 0 ? messages[firstMessage] : 0;
        }
        return moved;
    }

    @Override
    public long tryRecvReduce(Combiner combiner, Region operand, long operandAt, Region target, long targetAt) {
        throw new IllegalStateException("what a reducing network delivers is already reduced");
    }

    @Override
    public long tryDiscard(long limit) {
        throw new IllegalStateException("a reducing network has no messages of other ranks");
    }
}
