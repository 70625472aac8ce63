package org.brigade.aggregation.aggregator;

import java.util.ArrayDeque;
import java.util.Random;
import org.brigade.memory.NativeMemory;

/**
 * A network that loses, duplicates and delays data packets, for tests: TCP would do none of that. A seed gives the
 * order.
 *
 * @param loss share of packets that get lost, 0 to less than 1
 * @param duplicate share that comes twice
 * @param late share that comes after packets sent later
 */
record Faults(double loss, double duplicate, double late, long seed) {
    static final Faults NONE = new Faults(0, 0, 0, 0);

    Faults {
        if (!(loss >= 0 && loss < 1 && duplicate >= 0 && duplicate <= 1 && late >= 0 && late <= 1)) {
            throw new IllegalArgumentException("loss " + loss + ", duplicate " + duplicate + ", late " + late
                + ": pass shares from 0 to 1, and a loss below 1");
        }
    }

    boolean any() {
        return loss > 0 || duplicate > 0 || late > 0;
    }

    /** Delivers a packet. */
    interface Delivery {
        void deliver(NativeMemory memory, int at) throws java.io.IOException;
    }

    /** One direction of such a network. */
    final class Line {
        private static final int MOST_HELD = 16;

        private record Held(NativeMemory copy, Delivery delivery) {
        }

        private final Random random;
        private final ArrayDeque<Held> held = new ArrayDeque<>();

        Line(int number) {
            random = new Random(seed * 31 + number);
        }

        /** A packet has come: delivers it 0, 1 or 2 times, now or after a later one. */
        void pass(NativeMemory memory, int at, int bytes, Delivery delivery) throws java.io.IOException {
            double fate = random.nextDouble();
            if (fate < loss) {
                return;
            }
            fate -= loss;
            if (fate < late && held.size() < MOST_HELD) {
                NativeMemory copy = NativeMemory.allocate(Math.max(8, bytes));
                copy.bytes.put(0, memory.bytes, at, bytes);
                held.add(new Held(copy, delivery));
                return;
            }
            delivery.deliver(memory, at);
            if (random.nextDouble() < duplicate) {
                delivery.deliver(memory, at);
            }
            if (!held.isEmpty() && random.nextBoolean()) {
                Held next = held.poll();
                next.delivery.deliver(next.copy, 0);
            }
        }

        void forget() {
            held.clear();
        }
    }
}
