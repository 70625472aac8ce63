package org.brigade.transport.staging;

import mpi.spi.DeviceBuffer;
import org.brigade.device.CopyEngine;
import org.brigade.device.CopyQueue;
import org.brigade.memory.Region;

/**
 * The sending end of a {@link StagingArea}: keeps as many copies out of device memory under way as there are free
 * chunks.
 */
public final class StagingSender {
    private final StagingArea area;
    private final CopyQueue copies;

    /** Chunks that a copy into has begun, and those that the receiver was told of, ever. */
    private long begun;
    private long filled;
    private long freed;

    // The stretch under way.
    private long bytes;
    private int piece;
    private long started;
    private long gone;

    public StagingSender(StagingArea area, CopyEngine engine) {
        this.area = area;
        this.copies = engine.queue();
        engine.pin(area.memory);
    }

    /** Begins a stretch of so many bytes; the last one has gone. */
    public void begin(long stretch) {
        bytes = stretch;
        piece = area.piece(stretch);
        started = 0;
        gone = 0;
    }

    /** Bytes of the stretch that have left the source. */
    public long gone() {
        return gone;
    }

    public boolean ended() {
        return gone == bytes;
    }

    /**
     * Does what can be done now; whether anything was.
     *
     * @param at where byte 0 of the stretch lies in the source
     */
    public boolean step(Region source, long at) {
        boolean moved = false;
        while (started < bytes && mayBegin(source)) {
            int length = (int) Math.min(piece, bytes - started);
            if (source.isDevice()) {
                copies.read((DeviceBuffer) source.buffer(), source.offset() + at + started, area.memory,
                    area.position(begun), length);
            } else {
                source.read(at + started, area.memory, area.position(begun), length);
            }
            begun++;
            started += length;
            moved = true;
        }
        long done = begun - (filled < begun ? copies.running() : 0);
        if (done > filled) {
            filled = done;
            area.fill(filled);
            gone = filled == begun ? started : started - length(begun - filled);
            moved = true;
        }
        return moved;
    }

    /** Bytes of the last few chunks begun. */
    private long length(long chunks) {
        long last = started == bytes && bytes % piece != 0 ? bytes % piece : piece;
        return (chunks - 1) * piece + last;
    }

    private boolean mayBegin(Region source) {
        if (begun - freed == area.chunks) {
            freed = area.freed();
            if (begun - freed == area.chunks) {
                return false;
            }
        }
        // What the processor copies itself ends at once: it must not pass what still runs.
        return source.isDevice() || copies.running() == 0;
    }

    /** Waits for what runs and gives everything back. */
    public void close() {
        copies.close();
    }
}
