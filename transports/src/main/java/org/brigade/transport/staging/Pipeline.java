package org.brigade.transport.staging;

import mpi.spi.DeviceBuffer;
import org.brigade.device.CopyQueue;
import org.brigade.memory.NativeMemory;

/** The copies into device memory that are under way for one stretch of bytes, and how far it has come. */
public final class Pipeline {
    private final CopyQueue copies;
    /** Where the copies end that run, oldest first. */
    private final long[] ends;
    private int running;

    /**
     * @param copies of this pipeline alone
     * @param depth copies that may be under way at once
     */
    public Pipeline(CopyQueue copies, int depth) {
        this.copies = copies;
        this.ends = new long[depth];
    }

    public boolean isFull() {
        return running == ends.length;
    }

    public boolean isEmpty() {
        return running == 0;
    }

    /**
     * Begins the next copy.
     *
     * @param end of the stretch, the byte behind the copy's last
     */
    public void write(NativeMemory source, int sourceAt, DeviceBuffer target, long at, int bytes, long end) {
        copies.write(source, sourceAt, target, at, bytes);
        ends[running++] = end;
    }

    /** How far the stretch has come, by the copies that have ended since the last call; -1 if none has. */
    public long advance() {
        if (running == 0) {
            return -1;
        }
        int still;
        try {
            still = copies.running();
        } catch (RuntimeException lost) {
            running = 0;
            throw lost;
        }
        int done = running - still;
        if (done <= 0) {
            return -1;
        }
        long end = ends[done - 1];
        running = still;
        System.arraycopy(ends, done, ends, 0, running);
        return end;
    }

    /**
     * As {@link #advance}, where nobody needs the bytes any more: a failure of the device is no one's concern. -1 too
     * if the copies have failed; then none runs.
     */
    public long drop() {
        try {
            return advance();
        } catch (RuntimeException lost) {
            return -1;
        }
    }

    /** Waits for what runs and gives everything back. */
    public void close() {
        copies.close();
    }
}
