package org.brigade.window;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import mpi.MPIException;
import mpi.spi.window.Access;
import org.brigade.matching.CommunicatorMessages;
import org.brigade.matching.Mailbox;
import org.brigade.memory.Region;

/**
 * A window's messages: what this rank asks of targets that it cannot reach by address, and what it does for origins
 * that cannot reach it. Under the progress lock.
 *
 * <p>
 * Messages of one origin are served in the order in which it sent them, so accumulates are ordered. Only a lock that is
 * not free is put aside: its origin asks for nothing else before it has it.
 */
final class WindowMessages {
    /** A message that its target has not answered. */
    private record Question(int target, MessageAccess access, long from, long bytes) {
    }

    /** An origin that waits for this rank's lock. */
    private record Waiting(int origin, long id, boolean exclusive, boolean holds) {
    }

    /** Unanswered messages that a target may have to keep: more wait at the origin. */
    private static final int MOST_OPEN = 32;

    private final Mailbox mailbox;
    private final WindowPacket arrived;
    private final Region data = new Region();
    private final Region target = new Region();
    private final Region answer = new Region();
    private final MemoryAccess accesses;
    private final TargetMemory memory;
    private final ControlBlock control;
    private final Map<Long, Question> questions = new HashMap<>();
    private final int[] open;
    /** By target: the error of an access that could not be made, until somebody throws it. */
    private final MPIException[] failed;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    /** The first of them is counted as waiting for an exclusive lock. */
    private boolean announced;
    private long lastId;

    /** @param memory this rank's, with its control block */
    WindowMessages(CommunicatorMessages messages, int ranks, MemoryAccess accesses, TargetMemory memory,
        ControlBlock control) {
        ByteBuffer room = ByteBuffer.allocateDirect(WindowPacket.LONGEST);
        mailbox = new Mailbox(messages, room);
        arrived = WindowPacket.in(room);
        open = new int[ranks];
        failed = new MPIException[ranks];
        this.accesses = accesses;
        this.memory = memory;
        this.control = control;
    }

    /** Messages to a target that have not been answered. */
    int open(int rank) {
        return open[rank];
    }

    boolean isFull(int rank) {
        return open[rank] >= MOST_OPEN;
    }

    /** The error of the last access to a target that could not be made; null if there is none, and the next time. */
    MPIException failed(int rank) {
        MPIException last = failed[rank];
        failed[rank] = null;
        return last;
    }

    /** Asks a target for something without data: a lock, or a word of its control block. */
    void ask(int rank, int kind, int flags) {
        long id = ++lastId;
        send(rank, WindowPacket.of(kind, id, flags, 0), new Question(rank, null, 0, 0));
    }

    /**
     * Sends the next message of an access.
     *
     * @param at the target's displacement in bytes
     * @param from packed bytes that earlier messages were about
     * @return how many this one is about
     */
    long ask(MessageAccess whole, long at, long from) {
        Access access = whole.access;
        long bytes = Math.min(WindowPacket.DATA, access.bytes - from);
        WindowPacket packet;
        switch (access.kind) {
            case PUT -> packet = WindowPacket.of(WindowPacket.PUT, ++lastId, at, access.items, from, bytes, 1);
            case GET -> packet = WindowPacket.of(WindowPacket.GET, ++lastId, at, access.items, from, bytes, 0);
            case ACCUMULATE -> packet = WindowPacket
                .of(WindowPacket.ACCUMULATE, ++lastId, at, access.items, from, bytes,
                    access.origin == null ? 0 : 1)
                .reduction(access.element, access.op)
                .flags(access.result == null ? 0 : WindowPacket.RESULT);
            default -> packet = WindowPacket.of(WindowPacket.SWAP, ++lastId, at, access.items, from, bytes, 2);
        }
        bytes = packet.bytes();
        if (packet.memory.capacity() > packet.data()) {
            data.wrap(packet.memory, packet.data());
            try {
                accesses.copy(data, 0, whole.origin, from, bytes);
                if (access.compare != null) {
                    accesses.copy(data, bytes, target.wrap(access.compare, 0), from, bytes);
                }
            } catch (MPIException e) {
                throw whole.uncopied(e);
            }
        }
        whole.open++;
        send(access.target, packet, new Question(access.target, whole, from, bytes));
        return bytes;
    }

    private void send(int rank, WindowPacket packet, Question question) {
        questions.put(packet.id(), question);
        open[rank]++;
        mailbox.send(rank, packet.memory);
    }

    // ---- what comes ----

    /** Serves what has arrived; true if anything was done. */
    boolean serve() {
        boolean moved = grant();
        while (mailbox.hasMessage()) {
            if (!take()) {
                return moved;
            }
            mailbox.next();
            moved = true;
        }
        return moved;
    }

    /** Takes the message that has arrived; false if it must wait for the accumulate lock. */
    private boolean take() {
        int from = mailbox.source();
        int kind = arrived.kind();
        switch (kind) {
            case WindowPacket.REPLY -> answered(questions.remove(arrived.id()));
            case WindowPacket.LOCK -> lock(from);
            case WindowPacket.UNLOCK -> {
                if (arrived.has(WindowPacket.EXCLUSIVE)) {
                    control.releaseExclusive();
                } else {
                    control.releaseShared();
                }
                reply(from, arrived.id());
            }
            case WindowPacket.POST -> {
                control.post(from);
                reply(from, arrived.id());
            }
            case WindowPacket.COMPLETE -> {
                control.complete(from);
                reply(from, arrived.id());
            }
            default -> {
                boolean atomic = kind == WindowPacket.ACCUMULATE || kind == WindowPacket.SWAP;
                if (atomic && !control.tryAccumulate()) {
                    return false;
                }
                try {
                    serve(from, kind);
                } catch (TargetMemory.Freed | MPIException e) { // of a device
                    mailbox.send(from, WindowPacket.lost(arrived.id(), e.getMessage()).memory);
                } finally {
                    if (atomic) {
                        control.releaseAccumulate();
                    }
                }
            }
        }
        return true;
    }

    private void serve(int from, int kind) {
        var items = arrived.items();
        int bytes = arrived.bytes();
        if (!memory.holds(arrived.at(), items)) {
            mailbox.send(from, WindowPacket.of(WindowPacket.REPLY, arrived.id(), WindowPacket.OUTSIDE, 0).memory);
            return;
        }
        boolean wanted = kind == WindowPacket.GET || kind == WindowPacket.SWAP || arrived.has(WindowPacket.RESULT);
        WindowPacket reply = WindowPacket.of(WindowPacket.REPLY, arrived.id(), 0, wanted ? bytes : 0);
        memory.wrap(target, arrived.at(), items);
        data.wrap(arrived.memory, arrived.data());
        answer.wrap(reply.memory, reply.data());
        switch (kind) {
            case WindowPacket.PUT -> accesses.move(Access.Kind.PUT, target, data, 0, null, 0, bytes);
            case WindowPacket.GET -> accesses.move(Access.Kind.GET, target, null, 0, answer, 0, bytes);
            case WindowPacket.ACCUMULATE -> accesses.accumulate(target, data, 0, wanted ? answer : null, 0, bytes,
                arrived.element(), arrived.op());
            default -> accesses.swap(target, data, 0, data, bytes, answer, 0, bytes);
        }
        target.clear();
        mailbox.send(from, reply.memory);
    }

    private void lock(int from) {
        waiting.add(new Waiting(from, arrived.id(), arrived.has(WindowPacket.EXCLUSIVE),
            arrived.has(WindowPacket.HOLDS)));
        grant();
    }

    /**
     * Gives this rank's lock to the origins that wait for it, in their order; true if one got it. Only the first is
     * counted as waiting for an exclusive lock: a later one would keep out the shared ones before it. Origins that hold
     * another lock and want a shared one pass all others.
     */
    private boolean grant() {
        boolean some = waiting.size() > 1 && waiting.removeIf(each -> each != waiting.peek() && passes(each));
        for (Waiting first = waiting.peek(); first != null; first = waiting.peek()) {
            if (first.exclusive && !announced) {
                control.announceExclusive();
                announced = true;
            }
            if (!(first.exclusive ? control.tryExclusive() : control.tryShared(first.holds))) {
                return some;
            }
            announced = false;
            waiting.remove();
            reply(first.origin, first.id);
            some = true;
        }
        return some;
    }

    private boolean passes(Waiting each) {
        if (each.exclusive || !each.holds || !control.tryShared(true)) {
            return false;
        }
        reply(each.origin, each.id);
        return true;
    }

    private void reply(int origin, long id) {
        mailbox.send(origin, WindowPacket.of(WindowPacket.REPLY, id, 0, 0).memory);
    }

    private void answered(Question question) {
        open[question.target]--;
        MessageAccess access = question.access;
        if (access == null) {
            return;
        }
        access.open--;
        MPIException failure = null;
        if (arrived.has(WindowPacket.OUTSIDE)) {
            failure = access.outside();
        } else if (arrived.has(WindowPacket.LOST)) {
            failure = access.lost(arrived.why());
        } else if (access.access.result != null) {
            try {
                accesses.copy(access.result, question.from, data.wrap(arrived.memory, arrived.data()), 0,
                    question.bytes);
            } catch (MPIException e) {
                failure = access.uncopied(e);
            }
        }
        if (failure != null) {
            access.failure = failure;
            failed[question.target] = failure;
        }
    }

    // ---- the end ----

    void close() {
        mailbox.close();
    }
}
