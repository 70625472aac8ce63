package org.brigade.matching;

import java.util.Arrays;

/** Objects by small numbers, which go into messages and come back. Numbers of removed objects are reused. */
final class HandleTable<T> {
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

    /** Number of objects. */
    int size() {
        return next - freeCount;
    }

    /** Upper bound of all numbers ever used. */
    int limit() {
        return next;
    }

    /** The object with a number; null if there is none. */
    @SuppressWarnings("unchecked") // only put fills the array
    T get(int number) {
        return (T) things[number];
    }

    /** Gives an object's number to another object. */
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
