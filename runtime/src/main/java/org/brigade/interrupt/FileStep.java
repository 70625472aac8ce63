package org.brigade.interrupt;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/**
 * A step that opens a FileChannel, uses it and closes it. An interrupt of the thread, before or meanwhile, closes the
 * channel; the step is then made again. So the result does not depend on interrupts, and the thread's flag is kept.
 * Made again, a step must do the same: it cannot create a file that must not exist.
 *
 * <p>
 * Only mapping needs a FileChannel. Streams, the methods of Files and AsynchronousFileChannel are not interruptible.
 */
public abstract class FileStep<T> {
    protected abstract T attempt() throws IOException;

    /** Makes the step until no interrupt has broken it. */
    public final T run() throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return attempt();
                } catch (ClosedByInterruptException e) {
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
