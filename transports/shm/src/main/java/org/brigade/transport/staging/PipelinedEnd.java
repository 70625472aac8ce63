package org.brigade.transport.staging;

import org.brigade.device.CopyEngine;
import org.brigade.device.CopyQueue;
import org.brigade.memory.Region;
import org.brigade.transport.ReceivingEnd;

/**
 * A receiving end whose bytes are copied on into device memory beside the processor, straight from where they arrive.
 * Bytes count as taken once their copy has ended.
 */
public abstract class PipelinedEnd extends ReceivingEnd implements BounceBuffer {
    private final int depth;
    private final int least;
    /** Null until a message goes to device memory. */
    private Pipeline copies;

    /** For the parameters see {@link Pipeline}. */
    protected PipelinedEnd(int depth, int least) {
        this.depth = depth;
        this.least = least;
    }

    /** As {@link #tryRecv}, into device memory, without waiting for any copy. */
    public final long copyToDevice(CopyEngine engine, Region target, long at) {
        if (copies == null) {
            copies = new Pipeline(this, depth, least).use(queue(engine));
        }
        if (!copies.isRunning()) {
            copies.begin(bytes, taken);
        }
        return copies.write(target, at - taken);
    }

    /** The queue that copies into device memory. */
    protected CopyQueue queue(CopyEngine engine) {
        return engine.queue();
    }

    private boolean isCopying() {
        return copies != null && copies.isRunning();
    }

    @Override
    public boolean isTaken() {
        return taken > 0 || isCopying();
    }

    @Override
    public long tryDiscard(long limit) {
        return isCopying() ? copies.discard(limit) : super.tryDiscard(limit);
    }

    @Override
    public final void copied(long end) {
        take((int) (end - taken));
    }

    /** Waits for running copies, so that their memory may be freed. */
    public final void close() {
        if (copies != null) {
            copies.close();
        }
    }
}
