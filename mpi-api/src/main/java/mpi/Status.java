package mpi;

import mpi.spi.Envelope;

/**
 * What a receive, a probe or a completed request found out. {@link #source} and {@link #tag} are public, as in the
 * mpiJava bindings; so are {@link #index} and {@link #count}.
 */
public class Status extends Envelope implements Freeable {
    /** Which request of an array this is of, for the calls that complete any or some; {@link MPI#UNDEFINED} if none. */
    public int index;
    /** Items received of the type of the receive; bytes where no receive says the type. */
    public int count;

    /** The empty status: any source, any tag, nothing received. */
    public Status() {
        fill(MPI.ANY_SOURCE, MPI.ANY_TAG, 0, false);
    }

    static Status withIndex(int index) {
        Status status = new Status();
        status.index = index;
        return status;
    }

    /** Sets {@link #count} to the items of this type, or to bytes for null. */
    final Status counted(Datatype type) {
        long items = type == null || type.extent == 0 ? bytes : bytes / type.extent;
        count = (int) Math.min(items, Integer.MAX_VALUE);
        return this;
    }

    /** Rank of the sender; {@link MPI#PROC_NULL} for a receive from nobody. */
    public int getSource() {
        return source;
    }

    /** Tag of the message. */
    public int getTag() {
        return tag;
    }

    /** {@link MPI#SUCCESS}: errors are thrown. */
    public int getError() {
        return MPI.SUCCESS;
    }

    /** See {@link #index}. */
    public int getIndex() {
        return index;
    }

    /**
     * Items of this type received; {@link MPI#UNDEFINED} if the bytes are not a whole number of them, or more than an
     * int holds.
     */
    public int getCount(Datatype type) throws MPIException {
        Datatype.check("Status.getCount", type);
        if (type.extent == 0) {
            return 0;
        }
        long items = bytes / type.extent;
        return bytes % type.extent != 0 || items > Integer.MAX_VALUE ? MPI.UNDEFINED : (int) items;
    }

    /**
     * Elements received of what this type is made of (a pair is made of two); {@link MPI#UNDEFINED} as for
     * {@link #getCount}.
     */
    public int getElements(Datatype type) throws MPIException {
        long elements = elements("Status.getElements", type);
        return elements < 0 || elements > Integer.MAX_VALUE ? MPI.UNDEFINED : (int) elements;
    }

    /** As {@link #getElements}, without its limit. */
    public Count getElementsX(Datatype type) throws MPIException {
        long elements = elements("Status.getElementsX", type);
        return new Count(elements < 0 ? MPI.UNDEFINED : elements);
    }

    private long elements(String call, Datatype type) {
        Datatype.check(call, type);
        if (type.extent == 0) {
            return 0;
        }
        long whole = bytes / type.extent * type.basicElements;
        int rest = (int) (bytes % type.extent);
        if (rest == 0) {
            return whole;
        }
        // Only a pair can be cut between its elements: behind the value, which with its padding takes half or more.
        return type.basicElements == 2 && rest == type.indexOffset ? whole + 1 : -1;
    }

    /** Makes {@link #getElements} answer this many elements. */
    public void setElements(Datatype type, int elements) throws MPIException {
        setElements("Status.setElements", type, elements);
    }

    /** As {@link #setElements}, for more than an int holds. */
    public void setElementsX(Datatype type, Count elements) throws MPIException {
        if (elements == null) {
            throw ErrorClass.ARG.in("Status.setElementsX", "the count is null; pass a new Count(n)");
        }
        setElements("Status.setElementsX", type, elements.getCount());
    }

    private void setElements(String call, Datatype type, long elements) {
        Datatype.check(call, type);
        if (elements < 0) {
            throw ErrorClass.COUNT.in(call, "count " + elements + " is negative; pass 0 or more elements");
        }
        if (elements / type.basicElements > (Long.MAX_VALUE - type.extent) / Math.max(1, type.extent)) {
            throw ErrorClass.COUNT.in(call,
                "count " + elements + " of " + type + " is more bytes than a long holds; pass fewer elements");
        }
        bytes = elements / type.basicElements * type.extent + elements % type.basicElements * type.indexOffset;
    }

    /** Whether the operation was cancelled, so that the rest of the status says nothing. */
    public boolean isCancelled() throws MPIException {
        return cancelled;
    }

    /** Makes {@link #isCancelled} answer this. */
    public void setCancelled(boolean flag) throws MPIException {
        cancelled = flag;
    }

    /** As {@link #getCount}. */
    public int Get_count(Datatype type) throws MPIException {
        return getCount(type);
    }

    /** As {@link #getElements}. */
    public int Get_elements(Datatype type) throws MPIException {
        return getElements(type);
    }

    /** As {@link #isCancelled}. */
    public boolean Test_cancelled() throws MPIException {
        return isCancelled();
    }

    /** A status holds nothing that needs to be freed. */
    @Override
    public void free() {
        // See above.
    }
}
