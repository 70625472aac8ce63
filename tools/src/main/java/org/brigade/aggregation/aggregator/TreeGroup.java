package org.brigade.aggregation.aggregator;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import mpi.spi.Reduction.Operator;
import org.brigade.aggregation.AggregationStatus;
import org.brigade.aggregation.AggregationType;
import org.brigade.aggregation.process.FrameChannel;
import org.brigade.aggregation.process.GroupTerms;
import org.brigade.aggregation.process.JoinRequest;
import org.brigade.aggregation.process.SlotSwitch;
import org.brigade.aggregation.process.Unanswered;
import org.brigade.memory.NativeMemory;

/**
 * One group in one aggregator. Members join until all are here; below a root, the aggregator then joins at its parent
 * for them; then the slots work. Any failure ends the group for all members, which then use ordinary schedules.
 */
final class TreeGroup implements SlotSwitch.Ports {
    /** A member, or an aggregator, that has joined. */
    static final class Child {
        final FrameChannel channel;
        final JoinRequest request;
        /** Its position in the order of summation, once the group is complete. */
        int number;
        boolean leaving;
        Faults.Line from;
        Faults.Line to;

        Child(FrameChannel channel, JoinRequest request) {
            this.channel = channel;
            this.request = request;
        }
    }

    private static final int SPARE_FRAMES = 16;

    final long id;
    final int total;
    /** When the first joined. */
    final long since;
    private final AggregatorOptions options;
    private final boolean below;
    private final List<Child> children = new ArrayList<>();
    private GroupTerms terms;
    private SlotSwitch slots;
    private Unanswered up;
    /** Null at a root, and until it is needed. */
    private FrameChannel parent;
    private Faults.Line fromParent;
    private long reserved;

    /** @param below whether this aggregator has a parent */
    TreeGroup(JoinRequest first, AggregatorOptions options, boolean below, long now) {
        this.below = below;
        id = first.group();
        total = first.total();
        since = now;
        this.options = options;
    }

    /** Why a request contradicts the earlier ones; null if it fits. */
    String add(Child child) {
        JoinRequest request = child.request;
        long below = request.below();
        for (Child other : children) {
            below += other.request.below();
            if (other.request.total() != request.total() || other.request.here() != request.here()
                || other.request.place() == request.place()) {
                return "it joins as number " + request.place() + " of " + request.total() + ", " + request.here()
                    + " of them here, which contradicts number " + other.request.place() + " of "
                    + other.request.total() + ", " + other.request.here()
                    + " here; give all nodes the same brigade.aggregation, and each aggregator another place";
            }
        }
        if (below > total || isComplete()) {
            return "the group has its " + total + " members already";
        }
        children.add(child);
        return null;
    }

    private long below() {
        long below = 0;
        for (Child child : children) {
            below += child.request.below();
        }
        return below;
    }

    /** Whether all have joined that will join at this aggregator. */
    boolean isComplete() {
        if (children.isEmpty()) {
            return false;
        }
        int here = children.get(0).request.here();
        return below() == total
            || (here > 0 ? children.size() == here : below && children.size() == options.children());
    }

    /** Whether this aggregator is the root. */
    boolean isRoot() {
        return below() == total;
    }

    boolean isRunning() {
        return slots != null;
    }

    List<Child> children() {
        return children;
    }

    /** Who has joined, and the group's terms, for the log. */
    String members() {
        StringBuilder text = new StringBuilder();
        for (Child child : children) {
            text.append(text.length() == 0 ? "" : ", ").append(child.request.place()).append(" = ")
                .append(child.channel.carrier().peer());
            if (text.length() > 200) {
                text.append(", ...");
                break;
            }
        }
        return children.size() + " joined here for " + below() + " of " + total + " nodes (" + text + "), "
            + terms.slots() + " slots of " + terms.payload() + " bytes";
    }

    FrameChannel parent() {
        return parent;
    }

    /** Joins at the parent aggregator. */
    void joinAbove(FrameChannel channel) {
        parent = channel;
        parent.queue(FrameChannel.JOIN, 0, new JoinRequest(id, options.place(), (int) below(), total, 0).encoded());
    }

    /** Bytes that the group would take on these terms. */
    long needs(GroupTerms offered) {
        return SlotSwitch.bytes(children.size(), offered.slots(), offered.payload())
            + (long) (children.size() + 1) * 4 * (offered.payload() + FrameChannel.HEADER);
    }

    long reserved() {
        return reserved;
    }

    /** Begins to work; tells all members. */
    void begin(GroupTerms agreed) {
        terms = new GroupTerms(agreed.slots(), agreed.payload(), agreed.lossy() || options.faults().any());
        reserved = needs(terms);
        children.sort((one, other) -> Integer.compare(one.request.place(), other.request.place()));
        slots = new SlotSwitch(children.size(), terms.slots(), terms.payload(), isRoot(), this);
        up = new Unanswered(terms.slots(), terms.lossy(), (sequence, type, operator, memory, at, bytes) -> parent
            .queue(FrameChannel.CONTRIBUTE, type.ordinal(), operator.ordinal(), sequence, 0, memory, at, bytes));
        int frames = 2 * terms.slots() + SPARE_FRAMES;
        if (parent != null) {
            parent.open(terms.payload(), frames);
            fromParent = options.faults().any() ? options.faults().new Line(-1) : null;
        }
        for (int number = 0; number < children.size(); number++) {
            Child child = children.get(number);
            child.number = number;
            child.channel.open(terms.payload(), frames);
            if (options.faults().any()) {
                child.from = options.faults().new Line(2 * number);
                child.to = options.faults().new Line(2 * number + 1);
            }
            child.channel.queue(FrameChannel.READY, 0, terms.encoded());
        }
    }

    // ---- packets ----

    void contribution(Child child, byte type, byte operator, int sequence, NativeMemory memory, int at, int bytes)
        throws IOException {
        if (child.from == null) {
            count(child, type, operator, sequence, memory, at, bytes);
        } else {
            child.from.pass(memory, at, bytes,
                (where, place) -> count(child, type, operator, sequence, where, place, bytes));
        }
    }

    private void count(Child child, byte type, byte operator, int sequence, NativeMemory memory, int at, int bytes)
        throws IOException {
        try {
            slots.contribution(child.number, sequence, type, operator, memory, at, bytes);
        } catch (SlotSwitch.Violation e) {
            throw new IOException(e.getMessage());
        }
    }

    void resultFromAbove(int sequence, NativeMemory memory, int at, int bytes) throws IOException {
        if (fromParent == null) {
            spread(sequence, memory, at, bytes);
        } else {
            fromParent.pass(memory, at, bytes, (where, place) -> spread(sequence, where, place, bytes));
        }
    }

    private void spread(int sequence, NativeMemory memory, int at, int bytes) throws IOException {
        try {
            if (up.awaited(sequence) == bytes && slots.result(sequence, memory, at, bytes)) {
                up.answered(sequence);
            }
        } catch (SlotSwitch.Violation e) {
            throw new IOException(e.getMessage());
        }
    }

    @Override
    public void result(int number, int sequence, AggregationType type, Operator operator, NativeMemory sums, int at,
        int bytes) {
        Child child = children.get(number);
        if (child.leaving) {
            return;
        }
        if (child.to == null) {
            child.channel.queue(FrameChannel.RESULT, type.ordinal(), operator.ordinal(), sequence, 0, sums, at, bytes);
            return;
        }
        try {
            child.to.pass(sums, at, bytes, (where, place) -> child.channel.queue(FrameChannel.RESULT, type.ordinal(),
                operator.ordinal(), sequence, 0, where, place, bytes));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void contribute(int sequence, AggregationType type, Operator operator, NativeMemory sums, int at,
        int bytes) {
        up.contribute(sequence, type, operator, sums, at, bytes, System.nanoTime());
    }

    /** Whether it waits for the parent aggregator. */
    boolean waitsAbove() {
        return parent != null && (slots == null || !up.isEmpty());
    }

    boolean isLossy() {
        return terms != null && terms.lossy();
    }

    void tick(long now) {
        if (up != null) {
            up.tick(now);
        }
    }

    /** Tells all members and the parent aggregator that the group has ended. */
    void fail(AggregationStatus status, String why) {
        for (Child child : children) {
            child.channel.queueFailure(status.code(), why);
        }
        if (parent != null) {
            parent.queueFailure(status.code(), why);
        }
    }
}
