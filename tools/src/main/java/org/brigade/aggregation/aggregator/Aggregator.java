package org.brigade.aggregation.aggregator;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.brigade.aggregation.AggregationStatus;
import org.brigade.aggregation.process.FrameChannel;
import org.brigade.aggregation.process.GroupTerms;
import org.brigade.aggregation.process.JoinRequest;
import org.brigade.memory.NativeMemory;

/**
 * A process that acts as the switch: accepts connections of members, makes groups of them, and sums for each group. One
 * thread; nothing blocks. A peer that violates the protocol loses its connection and its group; other groups are not
 * affected.
 */
final class Aggregator implements Runnable, Closeable, Acceptor.Handler, FrameChannel.Receiver {
    private static final long HANDSHAKE_NANOS = 5_000_000_000L;
    private static final long JOIN_NANOS = 30_000_000_000L;
    private static final long SILENCE_NANOS = 1_000_000_000L;
    private static final long LOST_NANOS = 10_000_000_000L;
    private static final long LINGER_NANOS = 1_000_000_000L;
    private static final String OUT_OF_MEMORY =
        "this process has less memory than --memory says; give brigade aggregator less, or its Java more"
            + " (JAVA_TOOL_OPTIONS=-XX:MaxDirectMemorySize=1g)";
    private static final int LEAST_STRANGERS = 16;

    /** A connection, and the member or aggregator behind it. */
    private static final class Peer {
        final FrameChannel channel;
        /** Whether it is the parent aggregator. */
        final boolean above;
        final long since;
        TreeGroup group;
        TreeGroup.Child child;
        /** Time to close it, or earlier when the queue is empty; 0: it stays open. */
        long closing;
        long asked;

        Peer(FrameChannel channel, boolean above, long since) {
            this.channel = channel;
            this.above = above;
            this.since = since;
        }
    }

    private final AggregatorOptions options;
    private final Consumer<String> log;
    private final Acceptor door;
    private final Map<Long, TreeGroup> groups = new HashMap<>();
    private final Map<FrameChannel, Peer> peers = new HashMap<>();
    private final Set<Peer> toFlush = new HashSet<>();
    private long memory;
    private final Refusals refusals;
    private volatile boolean stopping;
    private volatile long contributions;
    private volatile int running;

    /** Serves, in {@link #run}, the connections of an acceptor, which it takes over. */
    Aggregator(AggregatorOptions options, Acceptor door, Consumer<String> log) {
        this.options = options;
        this.door = door;
        this.log = log;
        refusals = new Refusals(log);
    }

    @Override
    public void run() {
        try {
            long nextTick = System.nanoTime();
            while (!stopping && !door.hasEnded()) {
                boolean lossy = false;
                for (TreeGroup group : groups.values()) {
                    lossy |= group.isLossy();
                }
                door.look(this, lossy ? 5 : 200);
                long now = System.nanoTime();
                if (lossy || now - nextTick >= 0) {
                    nextTick = now + 100_000_000;
                    tick(now);
                }
                flush();
                running = groups.size();
            }
        } catch (IOException e) {
            log.accept("the aggregator ends: " + e.getMessage());
        } finally {
            for (Peer peer : peers.values()) {
                peer.channel.close();
            }
            door.close();
        }
    }

    /** Number of contributions so far, to all groups. */
    long contributions() {
        return contributions;
    }

    /** Number of groups. */
    int running() {
        return running;
    }

    @Override
    public void close() {
        stopping = true;
        door.wake();
    }

    // ---- connections ----

    @Override
    public void serve(FrameChannel channel) {
        Peer peer = peers.get(channel);
        if (peer == null) {
            return;
        }
        try {
            if (channel.connected()) {
                channel.read(this);
            }
            toFlush.add(peer);
        } catch (IOException | RuntimeException e) {
            lost(peer, e.getMessage());
        } catch (OutOfMemoryError e) {
            lost(peer, OUT_OF_MEMORY);
        }
    }

    /**
     * Members must find room beside unproven connections: if there are too many, those that have sent nothing are
     * closed first, the oldest of them first.
     */
    @Override
    public boolean enter(FrameChannel channel) {
        int strangers = 0;
        Peer first = null;
        for (Peer each : peers.values()) {
            if (!each.channel.isTrusted()) {
                strangers++;
                first = first == null || isBefore(each, first) ? each : first;
            }
        }
        if (strangers >= Math.max(LEAST_STRANGERS, options.connections() / 4)) {
            lost(first, "it had proved nothing, and at most " + strangers + " such connections are allowed");
        }
        if (peers.size() >= options.connections()) {
            refused(channel.carrier().peer() + ": there are " + peers.size()
                + " connections already; brigade aggregator --connections allows more");
            return false;
        }
        add(channel, false);
        return true;
    }

    private static boolean isBefore(Peer one, Peer other) {
        boolean silent = one.channel.heard() == 0;
        return silent != (other.channel.heard() == 0) ? silent : one.since - other.since < 0;
    }

    @Override
    public void refused(String why) {
        refusals.say(why, System.nanoTime());
    }

    private Peer add(FrameChannel channel, boolean above) {
        Peer peer = new Peer(channel, above, System.nanoTime());
        peers.put(channel, peer);
        return peer;
    }

    /** A connection has ended, or must end. Its group ends with it, unless its member has left. */
    private void lost(Peer peer, String why) {
        if (peer.group != null && !(peer.child != null && peer.child.leaving)) {
            // The peer is told, too, if it can still receive.
            String who = peer.above ? "the aggregator above, " + door.above()
                : "number " + peer.child.request.place() + " (" + peer.channel.carrier().peer() + ")";
            fail(peer.group, AggregationStatus.ECONN_TREE, who + ": " + why);
            return;
        }
        drop(peer);
        if (peer.closing == 0) {
            refused(peer.channel.carrier().peer() + ": " + why);
        }
    }

    private void drop(Peer peer) {
        peer.channel.close();
        peers.remove(peer.channel);
        toFlush.remove(peer);
    }

    private void closeSoon(Peer peer) {
        if (peer != null && peer.closing == 0) {
            peer.closing = System.nanoTime() + LINGER_NANOS;
            peer.group = null;
            toFlush.add(peer);
        }
    }

    private void fail(TreeGroup group, AggregationStatus status, String why) {
        if (groups.remove(group.id) == null) {
            return;
        }
        memory -= group.reserved();
        log.accept("group " + Long.toHexString(group.id) + " ends: " + why);
        group.fail(status, why);
        for (TreeGroup.Child child : group.children()) {
            closeSoon(peers.get(child.channel));
        }
        if (group.parent() != null) {
            closeSoon(peers.get(group.parent()));
        }
    }

    private void flush() {
        for (Peer peer : new ArrayList<>(toFlush)) {
            touchGroup(peer);
        }
        for (Peer peer : new ArrayList<>(toFlush)) {
            try {
                boolean all = peer.channel.flush() || !peer.channel.connected();
                if (peer.closing != 0 && all) {
                    drop(peer);
                } else {
                    peer.channel.carrier().awaitRoom(peer.channel.wantsToSend());
                }
            } catch (IOException | RuntimeException e) {
                lost(peer, e.getMessage());
            }
        }
        toFlush.clear();
    }

    /** Data from one member may have to go to all. */
    private void touchGroup(Peer peer) {
        if (peer.group != null && peer.group.isRunning()) {
            for (TreeGroup.Child child : peer.group.children()) {
                touch(child.channel);
            }
            touch(peer.group.parent());
        }
    }

    private void touch(FrameChannel channel) {
        Peer peer = channel == null ? null : peers.get(channel);
        if (peer != null && channel.wantsToSend()) {
            toFlush.add(peer);
        }
    }

    private void tick(long now) {
        refusals.tick(now);
        for (Peer peer : List.copyOf(peers.values())) {
            if (peer.closing != 0 && now - peer.closing > 0) {
                drop(peer);
            } else if (peer.group == null && peer.closing == 0 && now - peer.since > HANDSHAKE_NANOS) {
                lost(peer, peer.channel.isTrusted() ? "it joins no group" : "no handshake within 5 s");
            }
        }
        for (TreeGroup group : List.copyOf(groups.values())) {
            group.tick(now);
            if (!group.isRunning() && now - group.since > JOIN_NANOS) {
                fail(group, AggregationStatus.EGROUP_JOIN,
                    "only " + group.children().size() + " have joined within 30 s, of a group of " + group.total);
                continue;
            }
            Peer above = group.parent() == null ? null : peers.get(group.parent());
            if (above != null && group.waitsAbove()) {
                long silent = now - Math.max(above.channel.heard(), above.since);
                if (above.asked != 0 && silent > LOST_NANOS && now - above.asked > LOST_NANOS) {
                    lost(above, "it does not answer");
                } else if (silent > SILENCE_NANOS && (above.asked == 0 || above.channel.heard() - above.asked > 0)) {
                    above.asked = now;
                    above.channel.queue(FrameChannel.PING);
                }
            }
            for (TreeGroup.Child child : group.children()) {
                touch(child.channel);
            }
            touch(group.parent());
        }
    }

    // ---- frames ----

    @Override
    public void frame(FrameChannel from, byte kind, NativeMemory where, int at, int bytes) throws IOException {
        Peer peer = peers.get(from);
        if (peer == null || peer.closing != 0) {
            return;
        }
        switch (kind) {
            case FrameChannel.PING -> from.queue(FrameChannel.PONG);
            case FrameChannel.PONG -> peer.asked = 0;
            case FrameChannel.JOIN -> {
                int version = JoinRequest.version(where, at, bytes);
                if (version == FrameChannel.VERSION) {
                    join(peer, JoinRequest.decoded(where, at, bytes));
                } else {
                    refuse(peer, AggregationStatus.EINVAL, FrameChannel.otherVersion(version));
                }
            }
            case FrameChannel.CONTRIBUTE -> {
                if (peer.child == null || peer.group == null || !peer.group.isRunning()) {
                    throw new IOException("it contributes without being in a group");
                }
                contributions++;
                peer.group.contribution(peer.child, FrameChannel.type(where, at), FrameChannel.operator(where, at),
                    FrameChannel.sequence(where, at), where, at, bytes);
            }
            case FrameChannel.RESULT -> {
                if (!peer.above || peer.group == null || !peer.group.isRunning()) {
                    throw new IOException("it sends sums to no group");
                }
                peer.group.resultFromAbove(FrameChannel.sequence(where, at), where, at, bytes);
            }
            case FrameChannel.READY -> {
                GroupTerms terms = GroupTerms.decoded(where, at, bytes);
                if (!peer.above || peer.group == null || peer.group.isRunning() || terms == null) {
                    throw new IOException("its terms are impossible");
                }
                begin(peer.group, terms);
            }
            case FrameChannel.LEAVE -> leave(peer);
            case FrameChannel.FAILED -> {
                if (peer.group != null) {
                    fail(peer.group, FrameChannel.status(where, at), FrameChannel.text(where, at, bytes));
                }
            }
            default -> throw new IOException("it sends a frame of unknown kind " + kind);
        }
    }

    private void join(Peer peer, JoinRequest request) throws IOException {
        if (request == null || peer.above || peer.group != null
            || request.total() > options.connections() && request.here() == request.total()) {
            throw new IOException("its request to join is malformed");
        }
        TreeGroup group = groups.get(request.group());
        if (group == null) {
            if (groups.size() >= options.groups()) {
                refuse(peer, AggregationStatus.EGROUP_ALLOC,
                    "there are " + groups.size() + " groups already; brigade aggregator --groups allows more");
                return;
            }
            group = new TreeGroup(request, options, door.above() != null, System.nanoTime());
            groups.put(group.id, group);
        }
        TreeGroup.Child child = new TreeGroup.Child(peer.channel, request);
        String contradiction = group.isRunning() ? "the group is running already" : group.add(child);
        if (contradiction != null) {
            refuse(peer, AggregationStatus.EGROUP_JOIN, contradiction);
            return;
        }
        peer.group = group;
        peer.child = child;
        if (!group.isComplete()) {
            return;
        }
        if (group.isRoot()) {
            begin(group, options.terms());
        } else if (door.above() == null) {
            fail(group, AggregationStatus.ENOTREE, "only some of the group's " + group.total
                + " members have joined this aggregator, and it has no parent; start it with --parent");
        } else {
            climb(group);
        }
    }

    private void refuse(Peer peer, AggregationStatus status, String why) {
        refused(peer.channel.carrier().peer() + ": " + why);
        peer.channel.queueFailure(status.code(), why);
        closeSoon(peer);
    }

    private void climb(TreeGroup group) {
        try {
            Peer above = add(door.climb(), true);
            above.group = group;
            group.joinAbove(above.channel);
            toFlush.add(above);
        } catch (IOException | RuntimeException e) {
            fail(group, AggregationStatus.ECONN_TREE, "the aggregator above, " + door.above() + ": " + e.getMessage());
        }
    }

    private void begin(TreeGroup group, GroupTerms terms) {
        long needs = group.needs(terms);
        if (needs > options.memory() - memory) {
            fail(group, AggregationStatus.EQUOTA,
                "the group needs " + (needs >> 10) + " KiB, and of " + (options.memory() >> 10) + " KiB for all groups "
                    + (options.memory() - memory >> 10)
                    + " KiB are free; brigade aggregator --memory gives more");
            return;
        }
        memory += needs;
        try {
            group.begin(terms);
        } catch (OutOfMemoryError e) {
            fail(group, AggregationStatus.ENOMEM, OUT_OF_MEMORY);
            return;
        }
        log.accept("group " + Long.toHexString(group.id) + " begins: " + group.members()
            + (door.above() == null || group.isRoot() ? "" : ", below " + door.above()));
        for (TreeGroup.Child child : group.children()) {
            touch(child.channel);
        }
    }

    private void leave(Peer peer) {
        if (peer.child == null || peer.group == null) {
            closeSoon(peer); // it only asked whether it may join
            return;
        }
        peer.child.leaving = true;
        TreeGroup group = peer.group;
        closeSoon(peer);
        for (TreeGroup.Child child : group.children()) {
            if (!child.leaving) {
                return;
            }
        }
        if (groups.remove(group.id) != null) {
            memory -= group.reserved();
            log.accept("group " + Long.toHexString(group.id) + " ends: all have left");
            if (group.parent() != null) {
                group.parent().queue(FrameChannel.LEAVE);
                closeSoon(peers.get(group.parent()));
            }
        }
    }
}
