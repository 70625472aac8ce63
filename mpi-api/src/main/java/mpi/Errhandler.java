package mpi;

/**
 * An error handler. Errors are always thrown as {@link MPIException}, and one that nobody catches ends the job, so the
 * handler of a communicator only decides what {@link Comm#callErrhandler} does.
 */
public class Errhandler {
    private final String name;

    Errhandler(String name) {
        this.name = name;
    }

    @Override
    public String toString() {
        return name;
    }
}
