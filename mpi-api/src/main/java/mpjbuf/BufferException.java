package mpjbuf;

/**
 * By name what the buffers of MPJ Express throw. Brigade never throws it: the class is here so that programs with an
 * unused {@code import mpjbuf.*} compile. The rest of this package is internal to MPJ Express and not here.
 */
public class BufferException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public BufferException(String message) {
        super(message);
    }
}
