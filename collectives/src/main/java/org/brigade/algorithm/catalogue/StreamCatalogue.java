package org.brigade.algorithm.catalogue;

import java.util.ArrayList;
import java.util.List;
import mpi.spi.Collective;
import org.brigade.algorithm.DeviceAlgorithm;
import org.brigade.algorithm.Placement;
import org.brigade.algorithm.Registration;
import org.brigade.algorithm.Restrictions;

/**
 * The algorithms of device memory that calls on streams can use: those that are one kernel and need only the registered
 * buffers of the peers.
 */
public final class StreamCatalogue {
    /** The placement that selection assumes. */
    public static final Placement PLACEMENT = Placement.UNALIGNED;

    private StreamCatalogue() {
    }

    /** Whether the collective can be called on streams. */
    public static boolean serves(Collective collective) {
        return switch (collective) {
            case BCAST, REDUCE, ALLREDUCE, ALLGATHER, REDUCE_SCATTER, ALLTOALL, NEIGHBOR_ALLGATHER,
                NEIGHBOR_ALLTOALL ->
                true;
            default -> false;
        };
    }

    /**
     * The catalogue for calls on streams. An algorithm that cannot run gets restrictions that no buffer with
     * {@link #PLACEMENT} meets, so that the selector skips rules that name it, even if the user forces it. An algorithm
     * that can run takes all buffers: kernels check alignment themselves, and the caller decides what may be in place.
     * {@code staged} here means: in pieces.
     */
    public static List<DeviceAlgorithm> of(Collective collective, int registered) {
        List<DeviceAlgorithm> list = new ArrayList<>();
        for (DeviceAlgorithm algorithm : DeviceCatalogue.of(collective)) {
            boolean runs = algorithm.staged() || algorithm.kernel().runsOnStreams(collective, registered);
            Restrictions restrictions = new Restrictions(true, false, algorithm.restrictions().maximumRanks(),
                algorithm.restrictions().maximumBytes(), algorithm.restrictions().divided(), !runs, false);
            list.add(new DeviceAlgorithm(algorithm.kernel(), collective, algorithm.meaning(), restrictions, false));
        }
        return list;
    }

    /** The algorithm that runs wherever the buffers lie; longer calls are cut into pieces. */
    public static DeviceAlgorithm inPieces(Collective collective) {
        for (DeviceAlgorithm algorithm : DeviceCatalogue.of(collective)) {
            if (!algorithm.staged() && algorithm.kernel().runsOnStreams(collective, Registration.OVERWRITTEN)) {
                return algorithm;
            }
        }
        throw new IllegalArgumentException(
            "no kernel serves " + collective.key() + " on streams whatever is registered");
    }
}
