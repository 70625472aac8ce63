package mpi;

/**
 * An error handler. Errors are always thrown as {@link MPIException}, and one that nobody catches ends the job, so the
 * handler of a communicator decides two things only: what {@link Comm#callErrhandler} does, and what becomes of calls
 * that wait there when one of its ranks has died. With {@link MPI#ERRORS_RETURN} they end with an exception of class
 * {@link MPI#ERR_PROC_ABORTED}, which names the rank, and the others may go on with a communicator of their own
 * ({@link Intracomm#createGroup}); with the other handlers it is the end of the job. Communicators begin with the
 * handler of the one that they are made from.
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
