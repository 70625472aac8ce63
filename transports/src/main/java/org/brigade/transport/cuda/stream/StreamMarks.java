package org.brigade.transport.cuda.stream;

import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import org.brigade.transport.cuda.driver.Addresses;
import org.brigade.transport.cuda.driver.CudaResult;
import org.brigade.transport.cuda.kernel.CallArguments;

/**
 * Numbers the launches of one communicator on streams, and decides which of them tell the host of their end. A kernel
 * whose last act is a store to host memory holds up the next one on its stream for 2 us, since it has not ended before
 * the store has arrived. So few do: one in 64, and those that come seldom. Of the others the host hears when a later
 * launch tells, or when it asks: the stream of the last launch then writes the word itself ({@link #ask}).
 *
 * <pre>
 * launched   1  2  3  4  ...  65  66  67          the last one's number
 * told       x                x        ask: x     marked: up to where the word will come to stand by itself
 * </pre>
 *
 * Not thread-safe but for {@link #launched}, which the watchdog reads.
 */
final class StreamMarks {
    private static final int EVERY = 64;
    /** Launches that come so long after the one before can afford to tell. */
    private static final long SELDOM_NANOS = 1_000_000;

    private final CUdeviceptr word;
    private final long wordAddress;
    private volatile long launched;
    private long marked;
    private long before = System.nanoTime() - SELDOM_NANOS;

    /** @param word page-locked memory, as the device addresses it */
    StreamMarks(long word) {
        wordAddress = word;
        this.word = Addresses.device(word);
    }

    /** The number of the last launch. */
    long launched() {
        return launched;
    }

    /**
     * A launch is about to be made.
     *
     * @param mustTell nobody can ask its stream later
     */
    void begin(CallArguments arguments, boolean mustTell) {
        long number = launched + 1;
        long now = System.nanoTime();
        boolean tells = mustTell || number - marked >= EVERY || now - before >= SELDOM_NANOS;
        before = now;
        if (tells) {
            marked = number;
        }
        arguments.putLong(CallArguments.FINISHED, tells ? wordAddress : 0);
        arguments.putLong(CallArguments.TICKET, number);
        launched = number;
    }

    /** The launch could not be made. */
    void failed() {
        launched--;
        marked = Math.min(marked, launched);
    }

    /** Whether nobody will tell of the last launch's end unless asked to. */
    boolean isSilent() {
        return marked < launched;
    }

    /** Has the stream of the last launch tell when that has ended. With the context current; {@link #isSilent}. */
    void ask(CUstream last) {
        CudaResult.check(JCudaDriver.cuStreamWriteValue64(last, word, launched, 0),
            "cuStreamWriteValue64 " + StreamOrder.ON_THE_LAST);
        marked = launched;
    }

    /** Nobody is to be asked any more. */
    void close() {
        marked = launched;
    }
}
