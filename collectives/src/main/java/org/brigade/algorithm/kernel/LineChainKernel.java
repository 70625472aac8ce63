package org.brigade.algorithm.kernel;

import mpi.spi.Collective;
import org.brigade.algorithm.BlockExchange;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.DeviceKernel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Registration;

/**
 * {@code line-chain}: a reduce along a chain that ends at the root: root + 1, root + 2, and so on. Each rank adds its
 * vector to the lines that come, a flag with each 112 bytes, and sends them on.
 *
 * <p>
 * Kernel: chain.cuh. Flags waited for: n - 1. Bytes: 8/7 of the vector. Restrictions: none. On streams it serves calls
 * whatever is registered.
 */
public final class LineChainKernel extends DeviceKernel {
    private static final int THREADS = 512;
    /** Each block then has room for four steps of lines. */
    private static final int MOST_BLOCKS = 128;
    private static final long BYTES_A_BLOCK = 16 << 10;

    public LineChainKernel() {
        super("line-chain", "line_chain", THREADS);
    }

    @Override
    public boolean runsOnStreams(Collective collective, int registered) {
        return registered != Registration.OVERWRITTEN;
    }

    @Override
    public int blocks(BlockExchange call) {
        return (int) Math.max(1, Math.min(MOST_BLOCKS, call.bytes / BYTES_A_BLOCK));
    }

    @Override
    public int mostBlocks(BlockExchange call) {
        return MOST_BLOCKS;
    }

    @Override
    public boolean stepwise() {
        return true;
    }

    @Override
    public double cost(CostModel model, Collective collective, PredictedCall call) {
        return model.start() + others(call) * FLAG
            + model.transfer(call.bytes()) * LinesKernel.LINE_BYTES / LinesKernel.LINE_DATA;
    }
}
