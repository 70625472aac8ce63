package org.brigade.matching;

import java.util.Arrays;

/**
 * Things by small numbers, which go into messages and come back: numbers of what has been taken out are given again.
 */
final class Numbered<T> {
    private Object[] things = new Object[16];
    private int[] free = new int[16];
    private int freeCount;
    private int next;

    int put(T thing) {
        int number = freeCount > 0 ? free[--freeCount] : next++;
        if (number == things.length) {
            things = Arrays.copyOf(things, number * 2);
        }
        things[number] = thing;
        return number;
    }

    /** How many things there are. */
    int size() {
        return next - freeCount;
    }

    /** How many numbers are in use or were. */
    int limit() {
        return next;
    }

    /** The thing that has a number; null if none has. */
    @SuppressWarnings("unchecked") // only put fills the array
    T get(int number) {
        return (T) things[number];
    }

    /** Gives the number of a thing to another. */
    void replace(int number, T thing) {
        things[number] = thing;
    }

    @SuppressWarnings("unchecked") // only put fills the array
    T take(long number) {
        int index = (int) number;
        T thing = (T) things[index];
        things[index] = null;
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, freeCount * 2);
        }
        free[freeCount++] = index;
        return thing;
    }
}
