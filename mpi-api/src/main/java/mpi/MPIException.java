package mpi;

/**
 * Every error of an MPI call. The message names the error class, the call, the rank, the argument and the cure.
 * Unchecked, so that programs compile whether they were written for bindings that check it or not.
 */
public class MPIException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int errorClass;
    private final int errorCode;

    public MPIException() {
        this(MPI.ERR_OTHER, MPI.ERR_OTHER, null);
    }

    public MPIException(String message) {
        this(MPI.ERR_OTHER, MPI.ERR_OTHER, message);
    }

    public MPIException(Throwable cause) {
        super(cause);
        errorClass = MPI.ERR_OTHER;
        errorCode = MPI.ERR_OTHER;
    }

    /**
     * An error of this class, one of the {@code MPI.ERR_} constants; the code is a finer number, or the class again.
     */
    public MPIException(int errorClass, int errorCode, String message) {
        super(message);
        this.errorClass = errorClass;
        this.errorCode = errorCode;
    }

    /** The error class: one of the {@code MPI.ERR_} constants. */
    public int getErrorClass() {
        return errorClass;
    }

    /** The error code; equal to the class unless a layer below knows better. */
    public int getErrorCode() {
        return errorCode;
    }
}
