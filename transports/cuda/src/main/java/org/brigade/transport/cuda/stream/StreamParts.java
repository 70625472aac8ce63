package org.brigade.transport.cuda.stream;

import java.util.Arrays;
import jcuda.driver.CUstream;

/**
 * Short vectors that are reduced as one: copied side by side into the staging memory before the call, and back behind
 * it. Copies within a GPU cost less than launches that wait for other GPUs. Reused from call to call.
 */
final class StreamParts {
    private long[] places = new long[16];
    private long[] lengths = new long[16];
    private int count;
    private long bytes;

    void clear() {
        count = 0;
        bytes = 0;
    }

    void add(long place, long length) {
        if (count == places.length) {
            places = Arrays.copyOf(places, 2 * count);
            lengths = Arrays.copyOf(lengths, 2 * count);
        }
        places[count] = place;
        lengths[count++] = length;
        bytes += length;
    }

    int count() {
        return count;
    }

    long bytes() {
        return bytes;
    }

    void gather(long target, CUstream stream) {
        long at = target;
        for (int part = 0; part < count; part++) {
            StreamStaging.copy(at, places[part], lengths[part], stream);
            at += lengths[part];
        }
    }

    void scatter(long source, CUstream stream) {
        long at = source;
        for (int part = 0; part < count; part++) {
            StreamStaging.copy(places[part], at, lengths[part], stream);
            at += lengths[part];
        }
    }
}
