package mpi;

/** An object that holds a resource until it is freed. */
public interface Freeable {
    /** Gives the resource back; the object is null afterwards. */
    void free() throws MPIException;
}
