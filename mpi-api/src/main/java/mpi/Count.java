package mpi;

/** A count that may exceed an {@code int}. */
public final class Count implements Comparable<Object> {
    private long count;

    /** A count with this value. */
    public Count(long count) {
        this.count = count;
    }

    /** The value. */
    public long getCount() {
        return count;
    }

    /** Sets the value. */
    public void setCount(long count) {
        this.count = count;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Count && ((Count) other).count == count;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(count);
    }

    /** Orders counts by value, after all objects that are no counts. */
    @Override
    public int compareTo(Object other) {
        return other instanceof Count ? Long.compare(count, ((Count) other).count) : -1;
    }
}
