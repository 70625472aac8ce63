package mpi;

import mpi.front.job.Hints;

/**
 * Hints for a call: keys and values in the order in which they were set.
 *
 * <p>
 * Every call but {@link #isNull} throws an {@link MPIException} of class ERR_INFO if this is {@link MPI#INFO_NULL} or
 * has been freed.
 */
public final class Info implements Freeable, AutoCloseable, Cloneable {
    final Hints hints;

    /** Makes an object without hints (MPI_Info_create). */
    public Info() {
        this(new Hints());
    }

    Info(Hints hints) {
        this.hints = hints;
    }

    /** What each info holds; null for null. */
    static Hints[] hints(Info[] infos) {
        if (infos == null) {
            return null;
        }
        Hints[] hints = new Hints[infos.length];
        for (int i = 0; i < hints.length; i++) {
            hints[i] = hints(infos[i]);
        }
        return hints;
    }

    /** What an info holds; null for null. */
    static Hints hints(Info info) {
        return info == null ? null : info.hints;
    }

    /**
     * Sets or replaces a value (MPI_Info_set).
     *
     * @param key 1 to {@link MPI#MAX_INFO_KEY} characters
     * @param value at most {@link MPI#MAX_INFO_VAL} characters
     * @throws MPIException ERR_INFO_KEY or ERR_INFO_VALUE if one is null or has another length
     */
    public void set(String key, String value) throws MPIException {
        hints.set(key, value);
    }

    /**
     * The value of a key (MPI_Info_get).
     *
     * @param key 1 to {@link MPI#MAX_INFO_KEY} characters
     * @return null if the key is not set
     * @throws MPIException ERR_INFO_KEY if the key is null or has another length
     */
    public String get(String key) throws MPIException {
        return hints.get(key);
    }

    /**
     * Removes a key (MPI_Info_delete).
     *
     * @param key a key that is set
     * @throws MPIException ERR_INFO_NOKEY if it is not set; ERR_INFO_KEY if it is null or has a wrong length
     */
    public void delete(String key) throws MPIException {
        hints.delete(key);
    }

    /** Number of keys (MPI_Info_get_nkeys). */
    public int size() throws MPIException {
        return hints.size();
    }

    /**
     * The key at a position (MPI_Info_get_nthkey).
     *
     * @param i from 0 to {@link #size} - 1
     * @throws MPIException ERR_INFO_KEY if there is no such key
     */
    public String getKey(int i) throws MPIException {
        return hints.key(i);
    }

    /** A copy (MPI_Info_dup). */
    public Info dup() throws MPIException {
        return new Info(hints.dup());
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
        hints.free();
    }

    /** As {@link #free}, for try-with-resources; does nothing if it has been freed. Not in MPI's standard. */
    @Override
    public void close() throws MPIException {
        if (!isNull()) {
            free();
        }
    }

    /** Whether this is {@link MPI#INFO_NULL} or has been freed. Never throws. */
    public boolean isNull() {
        return hints.isNull();
    }
}
