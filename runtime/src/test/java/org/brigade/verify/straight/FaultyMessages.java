package org.brigade.verify.straight;

import org.brigade.engine.ShortMessages;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;

/** Sends or receives one message of a rank wrong: the {@code number}th of its kind. */
final class FaultyMessages implements ShortMessages {
    enum Fault {
        /** A message is never sent. */
        SEND_DROPPED,
        /** A message is not received, and nobody waits for it. */
        RECEIVE_DROPPED,
        /** A message misses its last item. */
        SENT_SHORT
    }

    private final ShortMessages messages;
    private final Fault fault;
    private final int number;
    private final int itemBytes;
    private int count;

    FaultyMessages(ShortMessages messages, Fault fault, int number, int itemBytes) {
        this.messages = messages;
        this.fault = fault;
        this.number = number;
        this.itemBytes = itemBytes;
    }

    boolean happened() {
        return count > number;
    }

    private boolean isDue(Fault which) {
        return fault == which && count++ == number;
    }

    @Override
    public void send(int peer, long key, Region source, int bytes, String call) {
        if (!isDue(Fault.SEND_DROPPED)) {
            boolean cut = bytes > 0 && isDue(Fault.SENT_SHORT);
            messages.send(peer, key, source, cut ? bytes - itemBytes : bytes, call);
        }
    }

    @Override
    public void receive(int peer, long key, Region target, int bytes, String call) {
        if (!isDue(Fault.RECEIVE_DROPPED)) {
            messages.receive(peer, key, target, bytes, call);
        }
    }

    @Override
    public int receiveAtMost(int peer, long key, Region target, int most, String call) {
        return isDue(Fault.RECEIVE_DROPPED) ? most : messages.receiveAtMost(peer, key, target, most, call);
    }

    @Override
    public void fold(int peer, long key, int bytes, Combiner combiner, Region operand, Region target, String call) {
        if (!isDue(Fault.RECEIVE_DROPPED)) {
            messages.fold(peer, key, bytes, combiner, operand, target, call);
        }
    }

    @Override
    public RuntimeException truncated(String call, long key, long came, long expected) {
        return messages.truncated(call, key, came, expected);
    }

    @Override
    public RuntimeException failedIn(String call, long key, Throwable thrown) {
        return messages.failedIn(call, key, thrown);
    }
}
