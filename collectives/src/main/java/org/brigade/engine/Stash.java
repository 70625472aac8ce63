package org.brigade.engine;

import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.setting.Setting;
import org.brigade.transport.Link;

/**
 * Messages of collectives that arrived before anyone here wanted them, taken off their links so that those behind them can be reached. That happens only
 * when nonblocking collectives, threads or communicators overlap: within one collective the order of a link is the order in which it is read.
 *
 * <p>Bounded by {@code brigade.stash} bytes (512 MiB by default): beyond that a message stays on its link and its sender waits.
 */
final class Stash {
    private static final long LIMIT = Setting.number("stash", 512L << 20);

    /** One message, whole once {@code arrived == data.length}. */
    static final class Message {
        final int kind;
        final long key;
        final byte[] data;
        long arrived;
        private Message next;

        private Message(int kind, long key, int bytes) {
            this.kind = kind;
            this.key = key;
            this.data = new byte[bytes];
        }

        boolean whole() {
            return arrived == data.length;
        }

        long word(int index) {
            return NativeBytes.getLong(data, index * 8);
        }
    }

    private final Message[] first;
    /** The message of each peer that is still arriving, last of its list. */
    private final Message[] arriving;
    private final Region region = new Region();
    private final LocalCopy local = new LocalCopy();
    private long held;
    private int count;
    private long taken;

    Stash(int peers) {
        first = new Message[peers];
        arriving = new Message[peers];
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** The oldest message from a peer with this kind and key, or null. */
    Message find(int peer, int kind, long key) {
        for (Message message = first[peer]; message != null; message = message.next) {
            if (message.key == key && message.kind == kind) {
                return message;
            }
        }
        return null;
    }

    /** Takes what there is of the message at the head of a link; false if nothing could be taken. */
    boolean take(Link link) {
        int peer = link.peer();
        Message message = arriving[peer];
        if (message == null) {
            if (held + link.bytes() > LIMIT) {
                return false;
            }
            message = new Message(link.kind(), link.key(), (int) link.bytes());
            append(peer, message);
            arriving[peer] = message;
            held += message.data.length;
            count++;
            taken++;
        }
        boolean empty = message.data.length == 0;
        long now = link.tryRecv(region.wrap(message.data, 0), message.arrived);
        message.arrived += now;
        if (message.whole()) {
            arriving[peer] = null;
        }
        return now > 0 || empty;
    }

    /** Messages taken so far. */
    long taken() {
        return taken;
    }

    /** Throws away all messages with this key; of one that is still arriving, what has come. */
    void forget(long key) {
        for (int peer = 0; count > 0 && peer < first.length; peer++) {
            for (Message message = first[peer]; message != null; message = message.next) {
                if (message.key == key) {
                    if (arriving[peer] == message) {
                        arriving[peer] = null;
                    }
                    remove(peer, message);
                }
            }
        }
    }

    /** Whether the head of this peer's link is being taken. */
    boolean isTaking(int peer) {
        return arriving[peer] != null;
    }

    private void append(int peer, Message message) {
        if (first[peer] == null) {
            first[peer] = message;
            return;
        }
        Message last = first[peer];
        while (last.next != null) {
            last = last.next;
        }
        last.next = message;
    }

    /** Moves a whole message into {@code target} and forgets it. */
    void deliver(int peer, Message message, Region target, long at) {
        local.copy(target, at, region.wrap(message.data, 0), 0, message.data.length);
        region.clear();
        remove(peer, message);
    }

    /** Folds a whole message into {@code target} and forgets it. */
    void deliverReduce(int peer, Message message, Combiner combiner, Region operand, long operandAt, Region target, long targetAt) {
        local.copy(target, targetAt, operand, operandAt, message.data.length);
        local.reduce(combiner, target, targetAt, region.wrap(message.data, 0), 0, message.data.length);
        region.clear();
        remove(peer, message);
    }

    void remove(int peer, Message message) {
        held -= message.data.length;
        count--;
        if (first[peer] == message) {
            first[peer] = message.next;
            return;
        }
        Message before = first[peer];
        while (before.next != message) {
            before = before.next;
        }
        before.next = message.next;
    }
}
