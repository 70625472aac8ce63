package org.brigade.communicator.device;

import mpi.spi.Collective;
import org.brigade.algorithm.DeviceAlgorithm;
import org.brigade.algorithm.Placement;
import org.brigade.algorithm.Registration;
import org.brigade.algorithm.catalogue.DeviceCatalogue;
import org.brigade.algorithm.catalogue.StreamCatalogue;
import org.brigade.communicator.execution.CallShapes;
import org.brigade.device.DeviceCall;
import org.brigade.device.WholeFold;
import org.brigade.pattern.Wires;
import org.brigade.select.Choice;
import org.brigade.select.Ladder;
import org.brigade.select.Selector;

/**
 * Chooses algorithms for calls that nobody waits for: by the table's rules for streams, as no host knows whether the
 * members' earlier calls have ended. All members' buffers can be reached, as if they were registered.
 */
final class LaneChoices {
    private final CallShapes apart;
    private final CallShapes overwriting;

    LaneChoices(Selector selector, int rank, int ranks, String communicator) {
        apart = shapes(selector, Registration.BOTH, rank, ranks, communicator);
        overwriting = shapes(selector, Registration.OVERWRITTEN, rank, ranks, communicator);
    }

    private static CallShapes shapes(Selector selector, int registered, int rank, int ranks, String communicator) {
        return new CallShapes(selector.onStreams(registered), Wires.NONE, rank, ranks, communicator);
    }

    /** Whether calls of the collective ever run in lanes. */
    static boolean serves(DeviceCall call) {
        if (goesByPush(call.collective)) {
            return true;
        }
        if (!StreamCatalogue.serves(call.collective)) {
            return false;
        }
        for (int peer = 1; call.collective == Collective.REDUCE_SCATTER && peer < call.sendBytes.length; peer++) {
            if (call.sendBytes[peer] != call.sendBytes[0]) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether blocks go straight to where the receivers' start words say. All sends and receives of such a call are one
     * launch, whatever each rank knows of the others' counts.
     */
    private static boolean goesByPush(Collective collective) {
        return switch (collective) {
            case ALLGATHERV, ALLTOALLV, GATHER, GATHERV, SCATTER, SCATTERV -> true;
            default -> false;
        };
    }

    /**
     * The choice for a call whose {@link DeviceCall#placement} is that of all members together; null if it has to run
     * on the host. The same on all members.
     *
     * @param most thread blocks that there is room for
     */
    Choice of(DeviceCall call, int most) {
        if (goesByPush(call.collective)) {
            DeviceAlgorithm push = DeviceCatalogue.find(call.collective, "push");
            return push.restrictions().violatedBy(call.placement) == null
                ? new Choice(push, 0, 2, 0, 0, "wherever blocks lie") : null;
        }
        boolean overwrites = call.placement.inPlace && call.collective.overwrites;
        Ladder ladder = (overwrites ? overwriting : apart).ladder(call.collective, true, StreamCatalogue.PLACEMENT);
        Choice choice = WholeFold.of(call, ladder.choice(ladder.step(call.bytes)));
        if (choice.served() && !choice.staged() && fits((DeviceAlgorithm) choice.algorithm(), call.placement, most)) {
            return new Choice(choice.algorithm(), choice.chunkBytes(), choice.radix(), choice.blocks(), 0,
                choice.rule());
        }
        DeviceAlgorithm anywhere = StreamCatalogue.inPieces(call.collective);
        return choice.served() && call.bytes <= anywhere.restrictions().maximumBytes() ? new Choice(anywhere, 0, 2, 0,
            0, "wherever buffers lie") : null;
    }

    private static boolean fits(DeviceAlgorithm algorithm, Placement placement, int most) {
        return algorithm.kernel().fewestBlocks() <= most
            && DeviceCatalogue.find(algorithm.collective(), algorithm.name()).restrictions()
                .violatedBy(Placement.of(placement.aligned, false)) == null;
    }
}
