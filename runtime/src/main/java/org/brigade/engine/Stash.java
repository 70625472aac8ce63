package org.brigade.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.op.LocalCopy;
import org.brigade.setting.Setting;
import org.brigade.transport.InboundLink;
import org.brigade.transport.PeerTable;

/**
 * Messages of collectives that arrived before they were wanted, taken off their links so that the messages behind them
 * can be reached. That happens only when nonblocking collectives, threads or communicators overlap: one collective
 * reads a link in the link's order.
 *
 * <p>
 * Bounded by {@code brigade.stash} bytes (512 MiB by default): beyond that a message stays on its link and its sender
 * waits.
 */
final class Stash {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final long LIMIT = Setting.number("stash");
    /** A longer message fits into no array. */
    private static final int LONGEST = Integer.MAX_VALUE - 8;

    /** One message, complete once {@code arrived == data.length}. */
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
            return (long) LONGS.get(data, index * 8);
        }
    }

    /** The messages of one peer. */
    private static final class Messages {
        Message first;
        /** The message that is still arriving, last of the list; or null. */
        Message arriving;
    }

    private final PeerTable<Messages> messages;
    /** All entries of the table. */
    private Messages[] all = {};
    private final Region region = new Region();
    private final LocalCopy local = new LocalCopy();
    private long held;
    private int count;
    private long taken;

    Stash(int peers) {
        messages = new PeerTable<>(peers);
    }

    boolean isEmpty() {
        return count == 0;
    }

    private Messages of(int peer) {
        Messages its = messages.get(peer);
        if (its == null) {
            its = new Messages();
            messages.put(peer, its);
            all = Arrays.copyOf(all, all.length + 1);
            all[all.length - 1] = its;
        }
        return its;
    }

    /** The oldest message from a peer with this kind, in any of its forms, and key, or null. */
    Message find(int peer, int kind, long key) {
        Messages its = messages.get(peer);
        for (Message message = its == null ? null : its.first; message != null; message = message.next) {
            if (message.key == key && (message.kind & ~Progress.FORMS) == kind) {
                return message;
            }
        }
        return null;
    }

    /** Takes the available part of the message at the head of a peer's link; false if nothing could be taken. */
    boolean take(int peer, InboundLink link) {
        Messages its = of(peer);
        Message message = its.arriving;
        if (message == null) {
            if (held + link.bytes() > LIMIT || link.bytes() > LONGEST) {
                return false;
            }
            message = new Message(link.kind(), link.key(), (int) link.bytes());
            append(its, message);
            its.arriving = message;
            held += message.data.length;
            count++;
            taken++;
        }
        boolean empty = message.data.length == 0;
        long now = link.tryRecv(region.wrap(message.data, 0), message.arrived);
        message.arrived += now;
        if (message.whole()) {
            its.arriving = null;
        }
        return now > 0 || empty;
    }

    /** Messages taken so far. */
    long taken() {
        return taken;
    }

    /** Drops all messages with this key, also the arrived part of an incomplete one. */
    void forget(long key) {
        for (int i = 0; count > 0 && i < all.length; i++) {
            for (Message message = all[i].first; message != null; message = message.next) {
                if (message.key == key) {
                    if (all[i].arriving == message) {
                        all[i].arriving = null;
                    }
                    remove(all[i], message);
                }
            }
        }
    }

    /** The same for all messages of a communicator. */
    void forgetContext(int context) {
        for (int i = 0; count > 0 && i < all.length; i++) {
            for (Message message = all[i].first; message != null; message = message.next) {
                if ((int) (message.key >>> Integer.SIZE) == context) {
                    forget(message.key);
                }
            }
        }
    }

    /** Whether the head of this peer's link is being taken. */
    boolean isTaking(int peer) {
        Messages its = messages.get(peer);
        return its != null && its.arriving != null;
    }

    private static void append(Messages its, Message message) {
        if (its.first == null) {
            its.first = message;
            return;
        }
        Message last = its.first;
        while (last.next != null) {
            last = last.next;
        }
        last.next = message;
    }

    /** Moves a complete message into {@code target} and forgets it. */
    void deliver(int peer, Message message, Region target, long at) {
        local.copy(target, at, region.wrap(message.data, 0), 0, message.data.length);
        region.clear();
        remove(peer, message);
    }

    /** Hands out a whole message and forgets it; with a combiner, folded into {@code target}. */
    void deliver(int peer, Message message, Combiner combiner, Region operand, long operandAt, Region target,
        long targetAt) {
        if (combiner == null) {
            deliver(peer, message, target, targetAt);
            return;
        }
        local.copy(target, targetAt, operand, operandAt, message.data.length);
        local.reduce(combiner, target, targetAt, region.wrap(message.data, 0), 0, message.data.length);
        region.clear();
        remove(peer, message);
    }

    void remove(int peer, Message message) {
        remove(messages.get(peer), message);
    }

    private void remove(Messages its, Message message) {
        held -= message.data.length;
        count--;
        if (its.first == message) {
            its.first = message.next;
            return;
        }
        Message before = its.first;
        while (before.next != message) {
            before = before.next;
        }
        before.next = message.next;
    }
}
