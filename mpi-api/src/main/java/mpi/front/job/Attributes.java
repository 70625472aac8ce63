package mpi.front.job;

import java.util.Arrays;
import java.util.BitSet;
import mpi.ErrorClass;

/**
 * The objects that a program has attached to a communicator or a datatype by key. A duplicate begins with its
 * original's.
 */
public final class Attributes {
    /** Lower keys belong to the attributes that MPI itself sets. */
    static final int FIRST_KEY = 16;
    private static int nextKey = FIRST_KEY;
    /** Keys that were made and freed. */
    private static final BitSet freed = new BitSet();

    // Values by key from FIRST_KEY: keys are dense and few.
    private Object[] values = new Object[0];

    public static synchronized int createKey() {
        return nextKey++;
    }

    static synchronized boolean isKey(int key) {
        return key >= FIRST_KEY && key < nextKey && !freed.get(key);
    }

    /** Frees a key. Objects attached by it stay until they are deleted. */
    public static synchronized void freeKey(String call, int key) {
        if (!isKey(key)) {
            throw ErrorClass.KEYVAL.in(call, unusable(key));
        }
        freed.set(key);
    }

    private static synchronized String unusable(int key) {
        String why = key >= 0 && key < FIRST_KEY ? " is of an attribute that MPI sets and programs cannot change"
            : freed.get(Math.max(0, key)) ? " has been freed" : " was never made";
        return "key " + key + why + "; pass one from createKeyval()";
    }

    public synchronized Object get(Handle handle, String call, int key) {
        switch (key) {
            case Constants.TAG_UB :
                return Integer.MAX_VALUE;
            case Constants.HOST :
                return Constants.PROC_NULL;
            case Constants.IO :
                return Constants.ANY_SOURCE;
            case Constants.WTIME_IS_GLOBAL :
                return Boolean.FALSE;
            case Constants.APPNUM :
                return JobState.provider(call).applicationNumber();
            case Constants.LASTUSEDCODE :
                return Constants.ERR_LASTCODE;
            case Constants.UNIVERSE_SIZE :
                return JobState.provider(call).universeSize();
            default :
                return attached(handle, call, key);
        }
    }

    /** An object that the program has attached. */
    public synchronized Object attached(Handle handle, String call, int key) {
        Object value = key >= FIRST_KEY && key - FIRST_KEY < values.length ? values[key - FIRST_KEY] : null;
        if (value == null) {
            checkKey(handle, call, key);
        }
        return value;
    }

    public synchronized void set(Handle handle, String call, int key, Object value) {
        checkKey(handle, call, key);
        if (key - FIRST_KEY >= values.length) {
            values = Arrays.copyOf(values, key - FIRST_KEY + 1);
        }
        values[key - FIRST_KEY] = value;
    }

    /** Detaches an object, even if its key has been freed since. */
    public synchronized void delete(Handle handle, String call, int key) {
        int at = key - FIRST_KEY;
        if (at < 0 || at >= values.length || values[at] == null) {
            checkKey(handle, call, key);
        } else {
            values[at] = null;
        }
    }

    public synchronized void copyFrom(Attributes other) {
        values = other.copy();
    }

    private synchronized Object[] copy() {
        return values.clone();
    }

    private static void checkKey(Handle handle, String call, int key) {
        if (!isKey(key)) {
            throw handle == null ? ErrorClass.KEYVAL.in(call, unusable(key))
                : handle.error(ErrorClass.KEYVAL, call, unusable(key));
        }
    }
}
