package org.brigade.algorithm.catalogue;

import java.util.ArrayList;
import java.util.List;
import mpi.spi.Collective;
import org.brigade.algorithm.DeviceAlgorithm;
import org.brigade.algorithm.Placement;
import org.brigade.algorithm.Registration;
import org.brigade.algorithm.Restrictions;

/**
 * The algorithms of device memory as calls on streams have them: those that are one kernel and need no more of the
 * peers' buffers than is registered.
 */
public final class StreamCatalogue {
    /** How selection is to take buffers to lie. */
    public static final Placement PLACEMENT = Placement.UNALIGNED;

    private StreamCatalogue() {
    }

    /** Whether there are such calls of a collective. */
    public static boolean serves(Collective collective) {
        return switch (collective) {
            case BCAST, REDUCE, ALLREDUCE, ALLGATHER, REDUCE_SCATTER, ALLTOALL -> true;
            default -> false;
        };
    }

    /**
     * The catalogue, with what cannot run restricted to buffers that lie in another way than {@link #PLACEMENT}: rules
     * that name it are passed over, and where the user forces it, it gives way. What can run takes all buffers: kernels
     * look at alignment themselves, and which may be in place is the caller's business. {@code staged} stands for: in
     * pieces.
     */
    public static List<DeviceAlgorithm> of(Collective collective, int registered) {
        List<DeviceAlgorithm> list = new ArrayList<>();
        for (DeviceAlgorithm algorithm : DeviceCatalogue.of(collective)) {
            boolean runs = algorithm.staged() || algorithm.kernel().runsOnStreams(collective, registered);
            Restrictions restrictions = new Restrictions(true, false, algorithm.restrictions().maximumRanks(),
                algorithm.restrictions().maximumBytes(), !runs, false);
            list.add(new DeviceAlgorithm(algorithm.kernel(), collective, algorithm.meaning(), restrictions, false));
        }
        return list;
    }

    /** What runs wherever the buffers lie, and longer calls in pieces. */
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
