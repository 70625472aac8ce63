package org.brigade.transport.staging;

import org.brigade.device.CopyEngine;
import org.brigade.memory.NativeMemory;

/** One end of a {@link StagingArea}: the sender's, which fills its chunks, or the receiver's, which frees them. */
public final class StagingEnd implements BounceBuffer {
    private final StagingArea area;
    private final boolean fills;
    private final Pipeline pipeline;
    /** Which has pinned the area; null if none has. */
    private CopyEngine engine;

    /** Chunks that this end had finished before this stretch, and the other end's count as last seen. */
    private long before;
    private long theirs;
    private long bytes;
    private int piece = 1;

    /** @param fills whether this is the sender's end */
    public StagingEnd(StagingArea area, boolean fills) {
        this.area = area;
        this.fills = fills;
        pipeline = new Pipeline(this, area.chunks, 0);
    }

    /** Lets copies from or to device memory run beside the processor from now on; null changes nothing. */
    public StagingEnd use(CopyEngine copies) {
        if (engine == null && copies != null) {
            engine = copies;
            engine.pin(area.memory);
            pipeline.use(engine);
        }
        return this;
    }

    /** Frees what the driver keeps of this end. */
    public void close() {
        pipeline.close();
        if (engine != null) {
            engine.unpin(area.memory);
        }
    }

    /** Begins a stretch of so many bytes. The previous one must be over. */
    public void begin(long stretch) {
        before += chunks(bytes);
        bytes = stretch;
        piece = area.piece(stretch);
        pipeline.begin(stretch, 0);
    }

    /** The pipeline that moves the stretch. */
    public Pipeline pipeline() {
        return pipeline;
    }

    @Override
    public int stretch(long from) {
        long chunk = before + from / piece;
        if (!isOurs(chunk)) {
            theirs = fills ? area.freed() : area.filled();
            if (!isOurs(chunk)) {
                return 0;
            }
        }
        return (int) Math.min(bytes - from, piece - from % piece);
    }

    private boolean isOurs(long chunk) {
        return chunk < theirs + (fills ? area.chunks : 0);
    }

    @Override
    public NativeMemory memory(long from) {
        return area.memory;
    }

    @Override
    public int position(long from) {
        return area.position(before + from / piece) + (int) (from % piece);
    }

    @Override
    public void copied(long end) {
        long done = before + (end == bytes ? chunks(bytes) : end / piece);
        if (fills) {
            area.fill(done);
        } else {
            area.free(done);
        }
    }

    private long chunks(long stretch) {
        return (stretch + piece - 1) / piece;
    }
}
