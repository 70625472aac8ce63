package mpi;

/**
 * An error handler. Errors are always thrown as {@link MPIException}, and an uncaught one ends the job. So a
 * communicator's handler decides only two things: what {@link Comm#callErrhandler} does, and what happens to waiting
 * calls when a rank has died. With {@link MPI#ERRORS_RETURN} they end with an exception of class
 * {@link MPI#ERR_PROC_FAILED}, which names the rank, and the other ranks may go on with a new communicator
 * ({@link Intracomm#shrink}). With the other handlers the job ends. A communicator begins with the handler of the one
 * that it is made from.
 */
public class Errhandler {
    static final Errhandler ARE_FATAL = new Errhandler("MPI.ERRORS_ARE_FATAL");
    static final Errhandler ABORT = new Errhandler("MPI.ERRORS_ABORT");
    static final Errhandler RETURN = new Errhandler("MPI.ERRORS_RETURN");

    private final String name;

    private Errhandler(String name) {
        this.name = name;
    }

    @Override
    public String toString() {
        return name;
    }
}
