package mpi;

/**
 * The error of an MPI call. The message names the error class, the call, the rank, the argument and the cure.
 * Unchecked, so that programs compile whether or not their bindings' exception was checked.
 */
public class MPIException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** {@link MPI#ERR_OTHER}. */
    private static final int OTHER = 16;

    private final int errorClass;
    private final int errorCode;

    public MPIException() {
        this(OTHER, OTHER, null);
    }

    public MPIException(String message) {
        this(OTHER, OTHER, message);
    }

    public MPIException(Throwable cause) {
        super(cause);
        errorClass = OTHER;
        errorCode = OTHER;
    }

    /**
     * An error with a class, one of the {@code MPI.ERR_} constants, and a code: a finer number, or the class again.
     */
    public MPIException(int errorClass, int errorCode, String message) {
        super(message);
        this.errorClass = errorClass;
        this.errorCode = errorCode;
    }

    /** The error class: one of the {@code MPI.ERR_} constants (MPI_Error_class). */
    public int getErrorClass() {
        return errorClass;
    }

    /** The error code; the class unless a layer below knows more. */
    public int getErrorCode() {
        return errorCode;
    }
}
