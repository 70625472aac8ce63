package mpi;

import java.util.Arrays;

/** The objects that a program has attached to a communicator by key. Duplicates of the communicator begin with the same. */
final class Attributes {
    /** Keys below belong to the attributes that MPI itself sets. */
    static final int FIRST_KEY = 16;
    private static int nextKey = FIRST_KEY;

    // Values by key from FIRST_KEY: keys are dense and few.
    private Object[] values = new Object[0];

    static synchronized int createKey() {
        return nextKey++;
    }

    static synchronized boolean isKey(int key) {
        return key >= FIRST_KEY && key < nextKey;
    }

    synchronized Object get(Handle handle, String call, int key) {
        switch (key) {
            case MPI.TAG_UB:
                return Integer.MAX_VALUE;
            case MPI.HOST:
                return MPI.PROC_NULL;
            case MPI.IO:
                return MPI.ANY_SOURCE;
            case MPI.WTIME_IS_GLOBAL:
                return Boolean.FALSE;
            case MPI.APPNUM:
                return 0;
            case MPI.LASTUSEDCODE:
                return MPI.ERR_LASTCODE;
            case MPI.UNIVERSE_SIZE:
                return MPI.COMM_WORLD.handle.size;
            default:
                checkKey(handle, call, key);
                return key - FIRST_KEY < values.length ? values[key - FIRST_KEY] : null;
        }
    }

    synchronized void set(Handle handle, String call, int key, Object value) {
        checkKey(handle, call, key);
        if (key - FIRST_KEY >= values.length) {
            values = Arrays.copyOf(values, key - FIRST_KEY + 1);
        }
        values[key - FIRST_KEY] = value;
    }

    synchronized void copyFrom(Attributes other) {
        values = other.copy();
    }

    private synchronized Object[] copy() {
        return values.clone();
    }

    private static void checkKey(Handle handle, String call, int key) {
        if (!isKey(key)) {
            throw handle.error(ErrorClass.KEYVAL, call, "key " + key + (key >= 0 && key < FIRST_KEY
                ? " is of an attribute that MPI sets and programs cannot change" : " was never made") + "; pass one from Comm.createKeyval()");
        }
    }
}
