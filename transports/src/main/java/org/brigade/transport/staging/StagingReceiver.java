package org.brigade.transport.staging;

import org.brigade.device.CopyQueue;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;

/**
 * The receiving end of a {@link StagingArea}. Into device memory it keeps a copy of every chunk that has come under way; into host memory, and into reductions, the processor takes a
 * chunk at a time.
 */
public final class StagingReceiver {
    private static final int GRAIN = 16;

    private final StagingArea area;
    private final CopyQueue copies;

    /** Chunks emptied before this stretch. */
    private long before;
    private long bytes;
    private int piece;
    /** Bytes that a copy has begun for, and bytes that are where they belong. */
    private long started;
    private long ended;
    private long filled;
    /** Where copies end that run, oldest first. */
    private final long[] ends;
    private int running;

    /**
     * @param copies of this receiver alone; null if it never takes into device memory
     */
    public StagingReceiver(StagingArea area, CopyQueue copies) {
        this.area = area;
        this.copies = copies;
        this.ends = new long[area.chunks + 1];
    }

    /** Begins to take a stretch of so many bytes; the last one has been taken to its end. */
    public void begin(long stretch) {
        before = filled = before + (bytes == 0 ? 0 : (bytes + piece - 1) / piece);
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
        if (target.isDevice()) {
            return takeToDevice(target, at - ended);
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
            combiner.combine(area.memory, position(), stretch, operand, operandAt, target, targetAt);
        }
        return pass(stretch);
    }

    /** Forgets up to so many bytes, a multiple of 16 but at the end. Waits for copies that run already. */
    public long discard(long limit) {
        if (running > 0) {
            return settle();
        }
        int stretch = stretch();
        return pass(stretch <= limit ? stretch : (int) limit & -GRAIN);
    }

    private long takeToDevice(Region target, long base) {
        while (started < bytes && running < area.chunks) {
            int stretch = stretch();
            if (stretch == 0) {
                break;
            }
            copies.write(area.memory, position(), target.device(), target.offset() + base + started, stretch);
            started += stretch;
            ends[running++] = started;
        }
        return settle();
    }

    /** Counts the copies that have ended. */
    private long settle() {
        int done = running == 0 ? 0 : running - copies.running();
        if (done <= 0) {
            return 0;
        }
        long now = ends[done - 1] - ended;
        ended = ends[done - 1];
        running -= done;
        System.arraycopy(ends, done, ends, 0, running);
        area.free(before + (ended == bytes ? (bytes + piece - 1) / piece : ended / piece));
        return now;
    }

    /** Bytes behind the last one begun that are there, in one piece. */
    private int stretch() {
        long chunk = started / piece;
        if (started == bytes) {
            return 0;
        }
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
        ended = started;
        if (stretch > 0 && (ended == bytes || ended % piece == 0)) {
            area.free(before + (ended + piece - 1) / piece);
        }
        return stretch;
    }
}
