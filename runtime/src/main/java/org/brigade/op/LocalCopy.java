package org.brigade.op;

import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.memory.RegionCopy;

/** Copies and reductions between two regions of this process. */
public final class LocalCopy {
    private NativeMemory staging = NativeMemory.allocate(16 << 10);
    private final StagedCombine staged = new StagedCombine();

    /** {@code target[targetAt + i] = source[sourceAt + i]}; does nothing if both are the same bytes. */
    public void copy(Region target, long targetAt, Region source, long sourceAt, long bytes) {
        if (RegionCopy.copy(target, targetAt, source, sourceAt, bytes)) {
            return;
        }
        if (bytes > staging.capacity() && (target.isDevice() || source.isDevice())) {
            staging = NativeMemory.allocate(StagedCombine.PIECE_BYTES);
        }
        for (long done = 0; done < bytes;) {
            int piece = (int) Math.min(staging.capacity(), bytes - done);
            source.read(sourceAt + done, staging, 0, piece);
            target.write(targetAt + done, staging, 0, piece);
            done += piece;
        }
    }

    /**
     * {@code target = source op target} or the other way round, depending on the combiner: the source is its incoming
     * side.
     */
    public void reduce(Combiner combiner, Region target, long targetAt, Region source, long sourceAt, long bytes) {
        boolean onDevice = target.isDevice() || source.isDevice();
        int item = combiner.itemBytes();
        int wish = onDevice ? (int) Math.min(StagedCombine.PIECE_BYTES, bytes) : 0;
        if (Math.max(item, wish) > staging.capacity()) {
            staging = NativeMemory.allocate(Math.max(item, wish));
        }
        int whole = staging.capacity() / item * item;
        for (long done = 0; done < bytes;) {
            int piece = (int) Math.min(whole, bytes - done);
            source.read(sourceAt + done, staging, 0, piece);
            staged.combine(combiner, staging, 0, piece, target, targetAt + done, target, targetAt + done);
            done += piece;
        }
    }
}
