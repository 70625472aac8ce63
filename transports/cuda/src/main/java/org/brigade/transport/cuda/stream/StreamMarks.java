package org.brigade.transport.cuda.stream;

import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import org.brigade.transport.cuda.driver.Addresses;
import org.brigade.transport.cuda.driver.CudaResult;
import org.brigade.transport.cuda.kernel.CallArguments;

/**
 * Numbers the launches of one communicator on streams, and decides which of them tell the host of their end. A kernel
 * whose last act is a store to host memory delays the next one on its stream by 2 us, since it ends only when the store
 * has arrived. So few launches tell: one in 64, and those that come seldom. The host learns the end of the others from
 * a later launch, or by asking: the stream of the last launch then writes the word itself ({@link #ask}).
 *
 * <pre>
 * launched   1  2  3  4  ...  65  66  67          the last one's number
 * told       x                x        ask: x     marked: the value that the word will reach by itself
 * </pre>
 *
 * Not thread-safe except for {@link #launched}, which the watchdog reads.
 */
final class StreamMarks {
    private static final int EVERY = 64;
    /** Launches that come so long after the previous one tell. */
    private static final long SELDOM_NANOS = 1_000_000;

    private final CUdeviceptr word;
    private final long wordAddress;
    private volatile long launched;
    private long marked;
    private long before = System.nanoTime() - SELDOM_NANOS;

    /** @param word address on the device of page-locked memory */
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
     * @param mustTell its stream cannot be asked later
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

    /** Whether the last launch's end is told only on request. */
    boolean isSilent() {
        return marked < launched;
    }

    /** Makes the stream of the last launch tell its end. Needs the context current; only if {@link #isSilent}. */
    void ask(CUstream last) {
        CudaResult.check(JCudaDriver.cuStreamWriteValue64(last, word, launched, 0),
            "cuStreamWriteValue64 " + StreamOrder.ON_THE_LAST);
        marked = launched;
    }

    /** No stream may be asked any more. */
    void close() {
        marked = launched;
    }
}
