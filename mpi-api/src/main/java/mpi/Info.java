package mpi;

import java.util.ArrayList;
import java.util.List;

/**
 * Hints for a call: keys and values in the order in which they were set.
 *
 * <p>
 * Every call but {@link #isNull} throws an {@link MPIException} of class ERR_INFO if this is {@link MPI#INFO_NULL} or
 * has been freed.
 */
public final class Info implements Freeable, Cloneable {
    // Parallel lists rather than a map: keys are asked for by position, and there are few.
    private List<String> keys;
    private List<String> values;

    /** Makes an object without hints (MPI_Info_create). */
    public Info() {
        keys = new ArrayList<>();
        values = new ArrayList<>();
    }

    /** {@link MPI#INFO_NULL}: no hints, and none can be set. */
    static Info none() {
        Info none = new Info();
        none.free();
        return none;
    }

    /**
     * Sets or replaces a value (MPI_Info_set).
     *
     * @param key 1 to {@link MPI#MAX_INFO_KEY} characters
     * @param value at most {@link MPI#MAX_INFO_VAL} characters
     * @throws MPIException ERR_INFO_KEY or ERR_INFO_VALUE if one is null or has another length
     */
    public void set(String key, String value) throws MPIException {
        checkKey("Info.set", key);
        if (value == null || value.length() > MPI.MAX_INFO_VAL) {
            throw ErrorClass.INFO_VALUE.in("Info.set",
                "the value of key '" + key + "' is null or longer than " + MPI.MAX_INFO_VAL
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

    /**
     * The value of a key (MPI_Info_get).
     *
     * @param key 1 to {@link MPI#MAX_INFO_KEY} characters
     * @return null if the key is not set
     * @throws MPIException ERR_INFO_KEY if the key is null or has another length
     */
    public String get(String key) throws MPIException {
        checkKey("Info.get", key);
        int at = keys.indexOf(key);
        return at < 0 ? null : values.get(at);
    }

    /**
     * Removes a key (MPI_Info_delete).
     *
     * @param key a key that is set
     * @throws MPIException ERR_INFO_NOKEY if it is not set; ERR_INFO_KEY if it is null or has a wrong length
     */
    public void delete(String key) throws MPIException {
        checkKey("Info.delete", key);
        int at = keys.indexOf(key);
        if (at < 0) {
            throw ErrorClass.INFO_NOKEY.in("Info.delete", "key '" + key + "' is not set; ask get(key) first");
        }
        keys.remove(at);
        values.remove(at);
    }

    /** Number of keys (MPI_Info_get_nkeys). */
    public int size() throws MPIException {
        checkOpen("Info.size");
        return keys.size();
    }

    /**
     * The key at a position (MPI_Info_get_nthkey).
     *
     * @param i from 0 to {@link #size} - 1
     * @throws MPIException ERR_INFO_KEY if there is no such key
     */
    public String getKey(int i) throws MPIException {
        checkOpen("Info.getKey");
        if (i < 0 || i >= keys.size()) {
            throw ErrorClass.INFO_KEY.in("Info.getKey",
                "there is no key " + i + " among " + keys.size() + "; pass 0 <= i < size()");
        }
        return keys.get(i);
    }

    /** A copy (MPI_Info_dup). */
    public Info dup() throws MPIException {
        checkOpen("Info.dup");
        Info copy = new Info();
        copy.keys.addAll(keys);
        copy.values.addAll(values);
        return copy;
    }

    /** As {@link #dup} (MPI_Info_dup). */
    @Override
    public Info clone() {
        return dup();
    }

    /**
     * Frees this object (MPI_Info_free).
     *
     * @throws MPIException ERR_INFO if it is {@link MPI#INFO_ENV}
     */
    @Override
    public void free() throws MPIException {
        if (this == MPI.INFO_ENV) {
            throw ErrorClass.INFO.in("Info.free",
                "MPI.INFO_ENV belongs to the job and cannot be freed; free what new Info() and dup() made");
        }
        keys = null;
        values = null;
    }

    /** Whether this is {@link MPI#INFO_NULL} or has been freed. Never throws. */
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
        if (key == null || key.isEmpty() || key.length() > MPI.MAX_INFO_KEY) {
            throw ErrorClass.INFO_KEY.in(call,
                "the key is null, empty or longer than " + MPI.MAX_INFO_KEY + " characters; pass a shorter string");
        }
    }
}
