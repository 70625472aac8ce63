package org.brigade.simulate.flow;

import java.util.Arrays;

/**
 * The next event of all transfers: each has at most one, which can be moved or removed. A heap with four children a
 * node.
 */
public final class EventQueue {
    private static final int ABSENT = -1;

    private int[] heap = new int[64];
    private int size;
    /** By transfer: its time, and its position in the heap. */
    private long[] times = new long[64];
    private int[] places = new int[64];

    public EventQueue() {
        Arrays.fill(places, ABSENT);
    }

    /** Makes room for transfers 0 to count - 1. */
    void reserve(int count) {
        if (count > times.length) {
            int old = times.length;
            times = Arrays.copyOf(times, Math.max(count, 2 * old));
            places = Arrays.copyOf(places, times.length);
            Arrays.fill(places, old, places.length, ABSENT);
        }
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /** Time of the next event; there must be one. */
    public long time() {
        return times[heap[0]];
    }

    /** Sets the time of a transfer's event, new or existing. */
    public void put(int transfer, long time) {
        int place = places[transfer];
        if (place == ABSENT) {
            if (size == heap.length) {
                heap = Arrays.copyOf(heap, 2 * size);
            }
            times[transfer] = time;
            rise(size++, transfer, time);
        } else {
            long before = times[transfer];
            times[transfer] = time;
            if (time < before) {
                rise(place, transfer, time);
            } else {
                sink(place, transfer, time);
            }
        }
    }

    /** Removes the next event, and returns its transfer. */
    public int take() {
        int first = heap[0];
        places[first] = ABSENT;
        int last = heap[--size];
        if (size > 0) {
            sink(0, last, times[last]);
        }
        return first;
    }

    private void rise(int from, int transfer, long time) {
        int place = from;
        while (place > 0) {
            int parent = (place - 1) >> 2;
            int above = heap[parent];
            if (times[above] <= time) {
                break;
            }
            heap[place] = above;
            places[above] = place;
            place = parent;
        }
        heap[place] = transfer;
        places[transfer] = place;
    }

    private void sink(int from, int transfer, long time) {
        int place = from;
        while (true) {
            int child = 4 * place + 1;
            if (child >= size) {
                break;
            }
            int least = child;
            long leastTime = times[heap[child]];
            for (int other = child + 1; other < Math.min(child + 4, size); other++) {
                long otherTime = times[heap[other]];
                if (otherTime < leastTime) {
                    least = other;
                    leastTime = otherTime;
                }
            }
            if (leastTime >= time) {
                break;
            }
            int below = heap[least];
            heap[place] = below;
            places[below] = place;
            place = least;
        }
        heap[place] = transfer;
        places[transfer] = place;
    }
}
