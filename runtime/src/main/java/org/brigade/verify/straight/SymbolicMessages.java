package org.brigade.verify.straight;

import java.util.ArrayDeque;
import java.util.Queue;
import org.brigade.engine.ShortMessages;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.verify.Wrong;

/** Short messages between the ranks of a run. A message is a release for its sender and an acquire for its receiver. */
final class SymbolicMessages implements ShortMessages {
    /** A message under way. */
    private record Message(long key, int bytes, int[] terms, int[] clock) {
    }

    /** The messages from one rank to another. */
    private static final class Channel {
        private final Queue<Message> messages = new ArrayDeque<>();
        private boolean senderWaits;
        private boolean receiverWaits;
    }

    /** The messages between all ranks. */
    static final class Channels {
        /** A link holds the messages of two calls, or its receiver sets them aside. */
        private static final int CAPACITY = 2;
        private final Channel[][] channels;

        Channels(int ranks) {
            channels = new Channel[ranks][ranks];
            for (Channel[] row : channels) {
                for (int to = 0; to < ranks; to++) {
                    row[to] = new Channel();
                }
            }
        }

        /** The first channel that still holds a message, in words, or null. */
        String left() {
            for (int from = 0; from < channels.length; from++) {
                for (int to = 0; to < channels.length; to++) {
                    if (!channels[from][to].messages.isEmpty()) {
                        return "a message from rank " + from + " to rank " + to + " that nobody has received";
                    }
                }
            }
            return null;
        }
    }

    private final Channels channels;
    private final SymbolicMemory memory;
    private final int rank;
    private final Operations operations;

    SymbolicMessages(Channels channels, SymbolicMemory memory, int rank, Operations operations) {
        this.channels = channels;
        this.memory = memory;
        this.rank = rank;
        this.operations = operations;
    }

    @Override
    public void send(int peer, long key, Region source, int bytes, String call) {
        Channel channel = channels.channels[rank][peer];
        memory.interleaving.point(rank);
        while (channel.messages.size() == Channels.CAPACITY) {
            channel.senderWaits = true;
            memory.interleaving.block(rank, "room on the link to rank " + peer);
        }
        int[] terms = bytes == 0 ? new int[0] : memory.read(rank, memory.place(source, 0, rank), bytes);
        channel.messages.add(new Message(key, bytes, terms, memory.release(rank)));
        operations.sent(peer, bytes);
        if (channel.receiverWaits) {
            channel.receiverWaits = false;
            memory.interleaving.wake(peer);
        }
    }

    @Override
    public void receive(int peer, long key, Region target, int bytes, String call) {
        Message message = take(peer, key);
        if (message.bytes != bytes) {
            throw new Wrong("rank " + rank + " expects " + bytes + " bytes of rank " + peer + ", " + message.bytes
                + " come");
        }
        put(peer, message, target);
    }

    @Override
    public int receiveAtMost(int peer, long key, Region target, int most, String call) {
        Message message = take(peer, key);
        if (message.bytes > most) {
            throw new Wrong("rank " + rank + " has room for " + most + " bytes of rank " + peer + ", " + message.bytes
                + " come");
        }
        put(peer, message, target);
        return message.bytes;
    }

    private void put(int peer, Message message, Region target) {
        SymbolicMemory.Place place = message.bytes > 0 ? memory.place(target, 0, rank) : null;
        if (place != null) {
            memory.write(rank, place, message.terms);
        }
        operations.received(peer, message.bytes, place);
    }

    @Override
    public void fold(int peer, long key, int bytes, Combiner combiner, Region operand, Region target, String call) {
        Message message = take(peer, key);
        if (message.bytes != bytes) {
            throw new Wrong("rank " + rank + " expects " + bytes + " bytes of rank " + peer + ", " + message.bytes
                + " come");
        }
        ((SymbolicCombiner) combiner).combine(message.terms, operand, 0, target, 0);
        operations.folded(peer, bytes, memory.place(target, 0, rank));
    }

    private Message take(int peer, long key) {
        Channel channel = channels.channels[peer][rank];
        memory.interleaving.point(rank);
        while (channel.messages.isEmpty()) {
            channel.receiverWaits = true;
            memory.interleaving.block(rank, "a message from rank " + peer);
        }
        Message message = channel.messages.remove();
        if (channel.senderWaits) {
            channel.senderWaits = false;
            memory.interleaving.wake(peer);
        }
        if (message.key != key) {
            throw new Wrong("rank " + rank + " receives a message of call " + message.key + " in call " + key);
        }
        memory.acquire(rank, message.clock);
        return message;
    }

    @Override
    public RuntimeException truncated(String call, long key, long came, long expected) {
        return new Wrong("rank " + rank + " sends itself " + came + " bytes where it expects " + expected);
    }

    @Override
    public RuntimeException failedIn(String call, long key, Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return (RuntimeException) thrown;
    }
}
