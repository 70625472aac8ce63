package org.brigade.transport.staging;

import mpi.spi.DeviceBuffer;
import org.brigade.device.CopyEngine;
import org.brigade.device.CopyQueue;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.op.StagedCombine;
import org.brigade.transport.InboundLink;

/**
 * Moves a stretch of bytes between a caller's memory and a {@link BounceBuffer}, one way. From and to device memory,
 * several copies run beside the processor while the link moves other bytes of the stretch:
 * {@code ended <= started <= bytes}. The memory of bytes whose copy has not ended is not reused. The processor copies
 * host memory, and all memory where there is no copy engine, one piece in each call.
 *
 * <p>
 * If the device fails, bytes whose copy had started and not ended count as not started. The stretch then continues from
 * there, with the same memory or other memory, or is discarded.
 */
public final class Pipeline {
    private static final int GRAIN = 16;

    private final BounceBuffer bounce;
    /** Where each running copy ends, oldest first. */
    private final long[] ends;
    private final int least;
    private final StagedCombine staged = new StagedCombine();
    /** Used by this pipeline alone; null while there is none. */
    private CopyQueue copies;
    private int running;
    private long bytes;
    private long started;
    private long ended;

    /**
     * @param depth copies that may run at once
     * @param least a shorter copy begins only when none runs, or for the last bytes
     */
    public Pipeline(BounceBuffer bounce, int depth, int least) {
        this.bounce = bounce;
        this.ends = new long[depth];
        this.least = least;
    }

    /** Lets copies run beside the processor from now on; null changes nothing. */
    public Pipeline use(CopyEngine engine) {
        return copies != null || engine == null ? this : use(engine.queue());
    }

    /** As {@link #use(CopyEngine)}. */
    public Pipeline use(CopyQueue queue) {
        copies = queue;
        return this;
    }

    /** Begins a stretch of which {@code moved} bytes have been moved already. No copy may be running. */
    public void begin(long stretch, long moved) {
        bytes = stretch;
        started = moved;
        ended = moved;
    }

    /** Bytes of the stretch that have been copied. */
    public long ended() {
        return ended;
    }

    /** Whether all bytes have been copied. */
    public boolean isOver() {
        return ended == bytes;
    }

    /** Whether copies run, as last seen. */
    public boolean isRunning() {
        return running > 0;
    }

    /**
     * Copies as many bytes from a caller's memory as there is room for.
     *
     * @param at where byte 0 of the stretch lies
     * @return bytes that this call brought into host memory
     */
    public long read(Region source, long at) {
        return move(source, at, true);
    }

    /**
     * Copies the bytes that have arrived into a caller's memory.
     *
     * @param at where byte 0 of the stretch is to lie
     * @return bytes that this call brought there
     */
    public long write(Region target, long at) {
        return move(target, at, false);
    }

    private long move(Region caller, long at, boolean out) {
        boolean beside = caller.isDevice() && copies != null;
        while (started < bytes && running < (beside ? ends.length : 1)) {
            int stretch = bounce.stretch(started);
            if (stretch == 0 || running > 0 && stretch < least && started + stretch < bytes) {
                break;
            }
            if (!beside) {
                copy(caller, at + started, stretch, out);
                return pass(stretch);
            }
            begin((DeviceBuffer) caller.buffer(), caller.offset() + at + started, stretch, out);
        }
        return settle();
    }

    private void begin(DeviceBuffer device, long at, int stretch, boolean out) {
        NativeMemory memory = bounce.memory(started);
        int position = bounce.position(started);
        try {
            if (out) {
                copies.read(device, at, memory, position, stretch);
            } else {
                copies.write(memory, position, device, at, stretch);
            }
        } catch (RuntimeException failed) {
            lose();
            throw failed;
        }
        started += stretch;
        ends[running++] = started;
    }

    private void copy(Region caller, long at, int stretch, boolean out) {
        if (out) {
            caller.read(at, bounce.memory(started), bounce.position(started), stretch);
        } else {
            caller.write(at, bounce.memory(started), bounce.position(started), stretch);
        }
    }

    /** As {@link InboundLink#tryRecvReduce}; positions are those of byte 0 of the stretch. */
    public long reduce(Combiner combiner, Region operand, long operandAt, Region target, long targetAt) {
        int stretch = running > 0 || started == bytes ? 0 : bounce.stretch(started);
        if (stretch == 0) {
            return settle();
        }
        staged.combine(combiner, bounce.memory(started), bounce.position(started), stretch, operand,
            operandAt + started, target, targetAt + started);
        return pass(stretch);
    }

    /**
     * Discards up to so many bytes that have arrived: a multiple of 16, except at the end. Waits for running copies and
     * ignores their failure.
     */
    public long discard(long limit) {
        if (running > 0) {
            try {
                return settle();
            } catch (RuntimeException failed) {
                return 0; // nobody needs the bytes that were lost
            }
        }
        long discarded = 0;
        while (started < bytes) {
            int stretch = bounce.stretch(started);
            long left = limit - discarded;
            if (stretch > left) {
                stretch = (int) left & -GRAIN;
            }
            if (stretch == 0) {
                break;
            }
            discarded += pass(stretch);
        }
        return discarded;
    }

    /** Counts bytes that the processor has finished. */
    private long pass(int stretch) {
        started += stretch;
        ended = started;
        bounce.copied(ended);
        return stretch;
    }

    /** Counts the copies that have ended; returns their bytes. */
    private long settle() {
        if (running == 0) {
            return 0;
        }
        int still;
        try {
            still = copies.running();
        } catch (RuntimeException failed) {
            lose();
            throw failed;
        }
        int done = running - still;
        if (done == 0) {
            return 0;
        }
        long before = ended;
        ended = ends[done - 1];
        running = still;
        System.arraycopy(ends, done, ends, 0, running);
        bounce.copied(ended);
        return ended - before;
    }

    /** The device has failed: no copy is running any more. */
    private void lose() {
        running = 0;
        started = ended;
    }

    /** Waits for running copies and releases everything. */
    public void close() {
        if (copies != null) {
            copies.close();
        }
    }
}
