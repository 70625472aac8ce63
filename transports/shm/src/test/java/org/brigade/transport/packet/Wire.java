package org.brigade.transport.packet;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.brigade.memory.NativeMemory;

/** A network in this process, which loses what it is told to. It carries packets only. One lock for all of its ends. */
final class Wire {
    /** What a sender's message is asked about. */
    interface Loss {
        boolean loses(int to, int tag, byte[] message);
    }

    // What the memory of a request has.
    private static final long WAITS = 2;
    private static final long ENDED = 1;

    private final Object lock = new Object();
    private final End[] ends;
    private final Loss loss;

    Wire(int ranks, Loss loss) {
        this.loss = loss;
        ends = new End[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            ends[rank] = new End();
        }
    }

    MessageCarrier carrier(int rank) {
        return ends[rank];
    }

    /** A receive that waits, or has been filled. */
    private record Receive(int tag, NativeMemory request, int at, int position, int bytes) {
        void fill(byte[] message) {
            if (message.length > bytes) {
                throw new IllegalStateException(message.length + " bytes into " + bytes);
            }
            request.bytes.put(position, message);
            request.putLong(at, ENDED);
        }
    }

    /** What has come under a tag, and no receive has waited for. */
    private record Early(int tag, byte[] message) {
    }

    private final class End implements MessageCarrier {
        private final List<Receive> waiting = new ArrayList<>();
        private final ArrayDeque<Early> early = new ArrayDeque<>();

        @Override
        public Object lock() {
            return lock;
        }

        @Override
        public String name() {
            return "the wire";
        }

        @Override
        public String settings() {
            return "brigade.wire";
        }

        @Override
        public long askNanos() {
            return 1_000_000;
        }

        /** A packet and its request are in one stretch of memory. */
        private static int position(NativeMemory request, long address) {
            return (int) (address - request.address());
        }

        @Override
        public void send(long address, int bytes, int peer, int tag, NativeMemory request, int at) {
            byte[] message = new byte[bytes];
            request.bytes.get(position(request, address), message);
            request.putLong(at, ENDED);
            if (!loss.loses(peer, tag, message)) {
                ends[peer].comes(tag, message);
            }
        }

        private void comes(int tag, byte[] message) {
            for (Receive each : waiting) {
                if (each.tag == tag) {
                    waiting.remove(each);
                    each.fill(message);
                    return;
                }
            }
            early.add(new Early(tag, message));
        }

        @Override
        public void start(long address, int bytes, int tag, NativeMemory request, int at) {
            Receive receive = new Receive(tag, request, at, position(request, address), bytes);
            for (Early each : early) {
                if (each.tag == tag) {
                    early.remove(each);
                    receive.fill(each.message);
                    return;
                }
            }
            request.putLong(at, WAITS);
            waiting.add(receive);
        }

        @Override
        public boolean test(NativeMemory request, int at) {
            return request.getLong(at) == ENDED;
        }

        @Override
        public void cancel(NativeMemory request, int at) {
            if (waiting.removeIf(each -> each.request == request)) {
                request.putLong(at, ENDED);
            }
        }

        @Override
        public void prepare(long address, int bytes, int tag, NativeMemory request, int at) {
            request.putLong(at, ENDED);
        }

        @Override
        public void free(NativeMemory request, int at) {
            // nothing is kept
        }

        @Override
        public boolean allLeave(int[] met, int count) {
            return true;
        }

        @Override
        public void sendAwaited(long address, int bytes, int peer, int tag, NativeMemory request, int at) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void receive(long address, int bytes, int peer, int tag, NativeMemory request, int at) {
            throw new UnsupportedOperationException();
        }
    }
}
