package org.brigade.transport.cuda.copy;

import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import org.brigade.transport.cuda.driver.CudaResult;
import org.brigade.transport.cuda.driver.Gpu;
import org.brigade.transport.cuda.driver.StreamWord;

/**
 * Marks are numbered, and the stream writes the number of the last one that it has reached. If that takes long, the
 * driver is asked for errors now and then.
 */
final class WordMarks implements CopyMarks {
    private static final int LOOKS_A_QUERY = 512;

    private final Gpu gpu;
    private final CUstream stream;
    private final StreamWord word;
    private long put;
    /** Marks up to this one do not count any more. */
    private long forgotten;
    private int looks;

    WordMarks(Gpu gpu, CUstream stream, StreamWord word) {
        this.gpu = gpu;
        this.stream = stream;
        this.word = word;
    }

    @Override
    public void put() {
        CudaResult.check(word.write(stream, put + 1), "cuStreamWriteValue64 on " + gpu);
        put++;
    }

    @Override
    public int running() {
        int running = (int) (put - Math.max(word.value(), forgotten));
        if (running > 0 && ++looks % LOOKS_A_QUERY == 0) {
            int result = CudaResult.query(stream);
            if (result != CUresult.CUDA_SUCCESS && result != CUresult.CUDA_ERROR_NOT_READY) {
                forget();
                throw CudaResult.failure(result, "a copy between ranks on " + gpu);
            }
        }
        return running;
    }

    @Override
    public void forget() {
        forgotten = put;
    }

    @Override
    public void close() {
        gpu.giveWord(word);
    }
}
