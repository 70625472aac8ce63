package mpjdev;

/**
 * By name what MPJ Express throws below package mpi. Brigade never throws it: the class is here so that programs with
 * an unused {@code import mpjdev.*} compile. The rest of this package is internal to MPJ Express and not here.
 */
public class MPJDevException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public MPJDevException(String message) {
        super(message);
    }
}
