package mpi.front.job;

import java.util.ArrayList;
import java.util.List;
import mpi.ErrorClass;

/**
 * What an {@code Info} holds: keys and values in the order in which they were set. Every call but {@link #isNull}
 * throws ERR_INFO for {@link #NONE} and for hints that have been freed.
 */
public final class Hints {
    /** No hints, and none can be set ({@code MPI.INFO_NULL}). */
    public static final Hints NONE = new Hints();
    /** Facts about the start of this job ({@code MPI.INFO_ENV}). */
    public static final Hints ENVIRONMENT = new Hints();

    // Parallel lists rather than a map: keys are asked for by position, and there are few.
    private List<String> keys = new ArrayList<>();
    private List<String> values = new ArrayList<>();

    static {
        NONE.free();
    }

    /** A copy of hints that calls take; no hints for null ones. */
    public static Hints copyOf(Hints given) {
        return given == null || given.isNull() ? new Hints() : given.dup();
    }

    /** Whether they have been freed, so that no call may take them. */
    public static boolean isFreed(Hints given) {
        return given != null && given != NONE && given.isNull();
    }

    public void set(String key, String value) {
        checkKey("Info.set", key);
        if (value == null || value.length() > Constants.MAX_INFO_VAL) {
            throw ErrorClass.INFO_VALUE.in("Info.set",
                "the value of key '" + key + "' is null or longer than " + Constants.MAX_INFO_VAL
                    + " characters; pass a shorter string");
        }
        int at = keys.indexOf(key);
        if (at >= 0) {
            values.set(at, value);
        } else {
            keys.add(key);
            values.add(value);
        }
    }

    /** Null if the key is not set. */
    public String get(String key) {
        checkKey("Info.get", key);
        int at = keys.indexOf(key);
        return at < 0 ? null : values.get(at);
    }

    public void delete(String key) {
        checkKey("Info.delete", key);
        int at = keys.indexOf(key);
        if (at < 0) {
            throw ErrorClass.INFO_NOKEY.in("Info.delete", "key '" + key + "' is not set; ask get(key) first");
        }
        keys.remove(at);
        values.remove(at);
    }

    public int size() {
        checkOpen("Info.size");
        return keys.size();
    }

    public String key(int i) {
        checkOpen("Info.getKey");
        if (i < 0 || i >= keys.size()) {
            throw ErrorClass.INFO_KEY.in("Info.getKey",
                "there is no key " + i + " among " + keys.size() + "; pass 0 <= i < size()");
        }
        return keys.get(i);
    }

    public Hints dup() {
        checkOpen("Info.dup");
        Hints copy = new Hints();
        copy.keys.addAll(keys);
        copy.values.addAll(values);
        return copy;
    }

    public void free() {
        if (this == ENVIRONMENT) {
            throw ErrorClass.INFO.in("Info.free",
                "MPI.INFO_ENV belongs to the job and cannot be freed; free what new Info() and dup() made");
        }
        keys = null;
        values = null;
    }

    public boolean isNull() {
        return keys == null;
    }

    private void checkOpen(String call) {
        if (keys == null) {
            throw ErrorClass.INFO.in(call, "this info is MPI.INFO_NULL or has been freed; make one with new Info()");
        }
    }

    private void checkKey(String call, String key) {
        checkOpen(call);
        if (key == null || key.isEmpty() || key.length() > Constants.MAX_INFO_KEY) {
            throw ErrorClass.INFO_KEY.in(call, "the key is null, empty or longer than " + Constants.MAX_INFO_KEY
                + " characters; pass a shorter string");
        }
    }
}
