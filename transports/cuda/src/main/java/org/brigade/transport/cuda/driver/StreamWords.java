package org.brigade.transport.cuda.driver;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/** The {@link StreamWord}s of one GPU, in pages of page-locked memory. */
final class StreamWords {
    private static final int PAGE = 4096;
    private static final int LINE = 64;

    private final Supplier<CUstream> newStream;
    /** For messages. */
    private final String gpu;
    private final List<PinnedMemory> pages = new ArrayList<>();
    private final ArrayDeque<StreamWord> free = new ArrayDeque<>();
    private boolean unknown;

    /**
     * @param newStream makes a stream of the GPU
     * @param gpu its name
     */
    StreamWords(Supplier<CUstream> newStream, String gpu) {
        this.newStream = newStream;
        this.gpu = gpu;
    }

    /** A word of value 0; null if the driver cannot write such. Needs the context current. */
    synchronized StreamWord take() {
        if (free.isEmpty() && !unknown) {
            PinnedMemory page = new PinnedMemory(PAGE);
            pages.add(page);
            for (int at = 0; at < PAGE; at += LINE) {
                free.add(new StreamWord(page, at));
            }
            unknown = !works(free.peek());
        }
        if (unknown) {
            return null;
        }
        StreamWord word = free.remove();
        word.clear();
        return word;
    }

    private boolean works(StreamWord word) {
        CUstream stream = newStream.get();
        try {
            int result = word.write(stream, 1);
            if (StreamWord.isUnknown(result)) {
                return false;
            }
            CudaResult.check(result, "cuStreamWriteValue64 on " + gpu);
            CudaResult.check(JCudaDriver.cuStreamSynchronize(stream), "cuStreamSynchronize on " + gpu);
            return word.value() == 1;
        } finally {
            JCudaDriver.cuStreamDestroy(stream);
        }
    }

    /** No stream writes it any more. */
    synchronized void give(StreamWord word) {
        free.add(word);
    }

    /** Frees the pages, if nobody has a word. Needs the context current. */
    synchronized void end() {
        if (free.size() == pages.size() * (PAGE / LINE)) {
            for (PinnedMemory page : pages) {
                page.free();
            }
            pages.clear();
            free.clear();
        }
    }
}
