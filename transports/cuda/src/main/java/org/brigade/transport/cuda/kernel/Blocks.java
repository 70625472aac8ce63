package org.brigade.transport.cuda.kernel;

import java.util.Arrays;
import mpi.spi.Collective;
import mpi.spi.Extent;
import org.brigade.algorithm.BlockExchange;
import org.brigade.device.DeviceCall;

/** A call as kernels see it. One object a group, filled in anew for each call. */
public final class Blocks extends BlockExchange {
    private static final int WORD = 4;

    public Blocks(int ranks, int rank) {
        super(ranks, rank);
    }

    public void fill(DeviceCall call) {
        collective = call.collective;
        root = call.root;
        bytes = call.bytes;
        inPlace = call.inPlace;
        someInPlace = call.placement != null && call.placement.inPlace;
        unequal = false;
        out = call.out;
        in = call.in;
        if (call.collective.recv == Extent.VECTOR) {
            Arrays.fill(sendAt, 0);
            Arrays.fill(recvAt, 0);
            for (int peer = 0; peer < ranks; peer++) {
                sendBytes[peer] = goes(call.collective, call.root, rank, peer) ? call.bytes : 0;
                recvBytes[peer] = goes(call.collective, call.root, peer, rank) ? call.bytes : 0;
            }
            return;
        }
        System.arraycopy(call.sendAt, 0, sendAt, 0, ranks);
        System.arraycopy(call.sendBytes, 0, sendBytes, 0, ranks);
        System.arraycopy(call.recvAt, 0, recvAt, 0, ranks);
        System.arraycopy(call.recvBytes, 0, recvBytes, 0, ranks);
        if (call.collective == Collective.REDUCE_SCATTER) {
            for (int peer = 1; peer < ranks; peer++) {
                unequal |= sendBytes[peer] != sendBytes[0];
            }
        }
    }

    /**
     * The length of all blocks if this is an even exchange, as kernels know it (call.cuh): every rank has a block of
     * one length for every rank, itself too, and both all that it sends and all that it gets are one block for all or
     * lie side by side. Else 0.
     */
    public long even() {
        long length = sendBytes[0];
        if (length == 0 || length % WORD != 0 || length > Integer.MAX_VALUE / ranks || inPlace && unequal) {
            return 0;
        }
        long sends = sendStep();
        long receives = recvStep();
        boolean even = (sends == 0 || sends == length) && (receives == 0 || receives == length);
        for (int peer = 0; peer < ranks && even; peer++) {
            even = sendBytes[peer] == length && recvBytes[peer] == length && sendAt[peer] == peer * sends
                && recvAt[peer] == peer * receives;
        }
        return even ? length : 0;
    }

    /** The distance between the blocks of an even exchange. */
    public long sendStep() {
        return ranks > 1 ? sendAt[1] : 0;
    }

    public long recvStep() {
        return ranks > 1 ? recvAt[1] : 0;
    }

    /** Whether one rank's vector is part of another's result. */
    private static boolean goes(Collective collective, int root, int from, int to) {
        return switch (collective) {
            case BCAST -> from == root && to != root;
            case REDUCE -> to == root;
            case SCAN -> from <= to;
            case EXSCAN -> from < to;
            default -> true;
        };
    }
}
