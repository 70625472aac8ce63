package mpi;

import mpi.front.job.Constants;
import mpi.front.types.ItemType;
import mpi.spi.Envelope;
import mpi.spi.TypeMap;

/**
 * The result of a receive, a probe or a completed request. {@link #source}, {@link #tag}, {@link #index} and
 * {@link #count} are public, as in the mpiJava bindings.
 */
public class Status extends Envelope implements Freeable {
    /** Index of the request, from calls that complete any or some of an array; {@link MPI#UNDEFINED} otherwise. */
    public int index;
    /**
     * Received items of the receive's type, {@link MPI#UNDEFINED} if they are not whole. After a probe, what was sent:
     * basic elements, objects of {@link MPI#OBJECT}, bytes of a struct of several kinds. As in MPJ Express.
     */
    public int count;
    /** Objects of a message of {@link MPI#OBJECT}; else -1. */
    private int objects = -1;

    /** The empty status: any source, any tag, nothing received. */
    public Status() {
        fill(Constants.ANY_SOURCE, Constants.ANY_TAG, 0, false);
    }

    static Status withIndex(int index) {
        Status status = new Status();
        status.index = index;
        return status;
    }

    /**
     * Sets {@link #count} to the items of a receive's type.
     *
     * @param capacity the receive's count
     */
    final Status counted(ItemType type, int capacity) {
        if (type == null) {
            return this; // of an operation that receives nothing
        }
        if (type.size == 0) {
            count = capacity;
            return this;
        }
        long arrived = type.holdsObjects ? objects : bytes;
        count = arrived % type.size == 0 ? (int) Math.min(arrived / type.size, Integer.MAX_VALUE) : Constants.UNDEFINED;
        return this;
    }

    @Override
    public final void fillSent(long elements, boolean areObjects) {
        count = (int) Math.min(elements, Integer.MAX_VALUE);
        objects = areObjects ? count : -1;
    }

    /** Rank of the sender; {@link MPI#PROC_NULL} for a receive from nobody. */
    public int getSource() {
        return source;
    }

    /** Tag of the message. */
    public int getTag() {
        return tag;
    }

    /** Always {@link MPI#SUCCESS}: errors are thrown. */
    public int getError() {
        return Constants.SUCCESS;
    }

    /** See {@link #index}. */
    public int getIndex() {
        return index;
    }

    /**
     * Number of items received (MPI_Get_count).
     *
     * @param type type of one item
     * @return {@link MPI#UNDEFINED} if the bytes are not a whole number of items, or the number exceeds an int
     * @throws MPIException ERR_TYPE if {@code type} is null
     */
    public int getCount(Datatype type) throws MPIException {
        ItemType.check("Status.getCount", Datatype.items(type));
        if (type.items.size == 0) {
            return 0;
        }
        if (type.items.holdsObjects) {
            return objects < 0 || objects % type.items.size != 0 ? Constants.UNDEFINED : objects / type.items.size;
        }
        long items = bytes / type.items.size;
        return bytes % type.items.size != 0 || items > Integer.MAX_VALUE ? Constants.UNDEFINED : (int) items;
    }

    /**
     * Number of basic elements received; a pair has two (MPI_Get_elements).
     *
     * @param type type of one item
     * @return {@link MPI#UNDEFINED} as for {@link #getCount}
     * @throws MPIException ERR_TYPE if {@code type} is null
     */
    public int getElements(Datatype type) throws MPIException {
        long elements = elements("Status.getElements", type);
        return elements < 0 || elements > Integer.MAX_VALUE ? Constants.UNDEFINED : (int) elements;
    }

    /** As {@link #getElements}, for numbers beyond an int (MPI_Get_elements_x). */
    public Count getElementsX(Datatype type) throws MPIException {
        long elements = elements("Status.getElementsX", type);
        return new Count(elements < 0 ? Constants.UNDEFINED : elements);
    }

    private long elements(String call, Datatype type) {
        ItemType.check(call, Datatype.items(type));
        if (type.items.size == 0) {
            return 0;
        }
        if (type.items.holdsObjects) {
            return objects;
        }
        long rest = type.items.shape.map.elementsIn(bytes % type.items.size);
        return rest < 0 ? -1 : bytes / type.items.size * type.items.shape.map.elements + rest;
    }

    /**
     * Sets the result of {@link #getElements} (MPI_Status_set_elements).
     *
     * @param type type of one item
     * @param elements basic elements, 0 or more
     * @throws MPIException ERR_TYPE if {@code type} is null; ERR_COUNT if {@code elements} is negative or too large
     */
    public void setElements(Datatype type, int elements) throws MPIException {
        setElements("Status.setElements", type, elements);
    }

    /**
     * As {@link #setElements}, for numbers beyond an int (MPI_Status_set_elements_x).
     *
     * @param type type of one item
     * @param elements basic elements, 0 or more
     * @throws MPIException as {@link #setElements}; ERR_ARG if {@code elements} is null
     */
    public void setElementsX(Datatype type, Count elements) throws MPIException {
        if (elements == null) {
            throw ErrorClass.ARG.in("Status.setElementsX", "the count is null; pass a new Count(n)");
        }
        setElements("Status.setElementsX", type, elements.getCount());
    }

    private void setElements(String call, Datatype type, long elements) {
        ItemType.check(call, Datatype.items(type));
        if (elements < 0) {
            throw ErrorClass.COUNT.in(call, "count " + elements + " is negative; pass 0 or more elements");
        }
        TypeMap map = type.items.shape.map;
        if (map.elements == 0) {
            bytes = 0;
            return;
        }
        if (elements / map.elements > (Long.MAX_VALUE - type.items.size) / Math.max(1, type.items.size)) {
            throw ErrorClass.COUNT.in(call,
                "count " + elements + " of " + type + " is more bytes than a long holds; pass fewer elements");
        }
        bytes = elements / map.elements * type.items.size + map.bytesOf(elements % map.elements);
    }

    /** Whether the operation was cancelled; then the rest of the status is undefined (MPI_Test_cancelled). */
    public boolean isCancelled() throws MPIException {
        return cancelled;
    }

    /** Sets the result of {@link #isCancelled} (MPI_Status_set_cancelled). */
    public void setCancelled(boolean flag) throws MPIException {
        cancelled = flag;
    }

    /** As {@link #getCount}, but {@link #count} if an item has no bytes, as in MPJ Express (MPI_Get_count). */
    public int Get_count(Datatype type) throws MPIException {
        ItemType.check("Status.Get_count", Datatype.items(type));
        return type.items.size == 0 ? count : getCount(type);
    }

    /**
     * As {@link #getElements}, but {@link MPI#UNDEFINED} if an item has no bytes, as in MPJ Express (MPI_Get_elements).
     */
    public int Get_elements(Datatype type) throws MPIException {
        ItemType.check("Status.Get_elements", Datatype.items(type));
        return type.items.size == 0 ? Constants.UNDEFINED : getElements(type);
    }

    /** As {@link #isCancelled} (MPI_Test_cancelled). */
    public boolean Test_cancelled() throws MPIException {
        return isCancelled();
    }

    /** Does nothing: a status holds no resource. */
    @Override
    public void free() {
        // Nothing to free.
    }
}
