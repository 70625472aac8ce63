package org.brigade.transport.staging;

import mpi.spi.DeviceBuffer;
import org.brigade.device.CopyEngine;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.op.StagedCombine;

/**
 * The receiving end of a {@link StagingArea}. Into device memory it keeps a copy of every chunk that has come under
 * way; into host memory, and into reductions, the processor takes a chunk at a time.
 */
public final class StagingReceiver {
    private static final int GRAIN = 16;

    private final StagingArea area;
    /** Null until the first bytes go to a device, and where there is no copy engine. */
    private Pipeline copies;
    /** Null until a reduction has an operand on a device. */
    private StagedCombine staged;

    /** Chunks emptied before this stretch, and those that were filled when last looked. */
    private long before;
    private long filled;
    private long bytes;
    private int piece;
    /** Bytes that a copy has begun for, and bytes that are where they belong. */
    private long started;
    private long ended;

    public StagingReceiver(StagingArea area) {
        this.area = area;
    }

    /** Lets copies into device memory run beside the processor from now on. */
    public void use(CopyEngine engine) {
        if (copies == null) {
            engine.pin(area.memory);
            copies = new Pipeline(engine.queue(), area.chunks);
        }
    }

    /** Begins to take a stretch of so many bytes; the last one has been taken to its end. */
    public void begin(long stretch) {
        before += chunks(bytes);
        bytes = stretch;
        piece = area.piece(stretch);
        started = 0;
        ended = 0;
    }

    public boolean ended() {
        return ended == bytes;
    }

    /**
     * Takes what there is.
     *
     * @param at where the first byte not yet taken goes
     * @return bytes that are there now and were not before
     */
    public long take(Region target, long at) {
        if (target.isDevice() && copies != null) {
            return takeToDevice((DeviceBuffer) target.buffer(), target.offset() + at - ended);
        }
        int stretch = stretch();
        if (stretch > 0) {
            target.write(at, area.memory, position(), stretch);
        }
        return pass(stretch);
    }

    /** As {@link org.brigade.transport.Link#tryRecvReduce}. */
    public long takeReduce(Combiner combiner, Region operand, long operandAt, Region target, long targetAt) {
        int stretch = stretch();
        if (stretch > 0) {
            reduce(combiner, area.memory, position(), stretch, operand, operandAt, target, targetAt);
        }
        return pass(stretch);
    }

    private void reduce(Combiner combiner, NativeMemory memory, int at, int stretch, Region operand, long operandAt,
        Region target, long targetAt) {
        if (!StagedCombine.isNeeded(operand, target)) {
            combiner.combine(memory, at, stretch, operand, operandAt, target, targetAt);
            return;
        }
        if (staged == null) {
            staged = new StagedCombine();
        }
        staged.combine(combiner, memory, at, stretch, operand, operandAt, target, targetAt);
    }

    /**
     * Forgets up to so many bytes, a multiple of 16 but at the end. Waits for copies that run already, and does not
     * mind if they fail.
     */
    public long discard(long limit) {
        if (copies != null && !copies.isEmpty()) {
            return settle(copies.drop());
        }
        if (ended < started) {
            long lost = started - ended; // their copies failed
            pass(0);
            return lost;
        }
        int stretch = stretch();
        return pass(stretch <= limit ? stretch : (int) limit & -GRAIN);
    }

    private long takeToDevice(DeviceBuffer target, long base) {
        while (!copies.isFull()) {
            int stretch = stretch();
            if (stretch == 0) {
                break;
            }
            copies.write(area.memory, position(), target, base + started, stretch, started + stretch);
            started += stretch;
        }
        return settle(copies.advance());
    }

    /** Counts the copies that have ended. */
    private long settle(long end) {
        if (end < 0) {
            return 0;
        }
        long now = end - ended;
        ended = end;
        area.free(before + (ended == bytes ? chunks(bytes) : ended / piece));
        return now;
    }

    private long chunks(long stretch) {
        return stretch == 0 ? 0 : (stretch + piece - 1) / piece;
    }

    /** Bytes behind the last one begun that are there, in one piece. */
    private int stretch() {
        if (started == bytes) {
            return 0;
        }
        long chunk = started / piece;
        if (filled <= before + chunk) {
            filled = area.filled();
            if (filled <= before + chunk) {
                return 0;
            }
        }
        return (int) (Math.min(bytes, (chunk + 1) * piece) - started);
    }

    private int position() {
        return area.position(before + started / piece) + (int) (started % piece);
    }

    /** Bytes that the processor is done with. */
    private long pass(int stretch) {
        started += stretch;
        boolean moved = ended < started;
        ended = started;
        if (moved && (ended == bytes || ended % piece == 0)) {
            area.free(before + chunks(ended));
        }
        return stretch;
    }

    /** Waits for what runs and gives everything back. */
    public void close() {
        if (copies != null) {
            copies.close();
        }
    }
}
