package org.brigade.communicator.device;

import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Counts;
import org.brigade.algorithm.DeviceAlgorithm;
import org.brigade.algorithm.Placement;
import org.brigade.algorithm.Registration;
import org.brigade.algorithm.catalogue.DeviceCatalogue;
import org.brigade.algorithm.catalogue.StreamCatalogue;
import org.brigade.communicator.route.Ladders;
import org.brigade.device.DeviceCall;
import org.brigade.device.Devices;
import org.brigade.device.UnroundedKernel;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.select.Choice;
import org.brigade.select.Selector;
import org.brigade.select.SizeThresholds;

/**
 * Chooses algorithms for calls that nobody waits for: by the table's rules for streams, as no host knows whether the
 * members' earlier calls have ended. All members' buffers can be reached, as if they were registered.
 */
final class KernelChoices {
    private final Ladders apart;
    private final Ladders overwriting;

    KernelChoices(Selector selector, int rank, int ranks, String communicator) {
        apart = ladders(selector, Registration.BOTH, rank, ranks, communicator);
        overwriting = ladders(selector, Registration.OVERWRITTEN, rank, ranks, communicator);
    }

    private static Ladders ladders(Selector selector, int registered, int rank, int ranks, String communicator) {
        return new Ladders(selector.onStreams(registered), CommunicatorTopology.NONE, rank, ranks, communicator);
    }

    /**
     * Whether a call beside others can run on the devices, as far as this rank knows.
     *
     * @param device takes the call's operands
     */
    static boolean fits(Call call, DeviceCall device, Devices devices, DeviceMembers members,
        DeviceAgreement agreement) {
        return !members.isHopeless() && agreement.isPossible() && device.take(call) && call.bytes() != 0
            && serves(device) && KernelFit.lists(device)
            && (call.op == null || KernelFit.reduces(devices, device));
    }

    /** Whether calls of the collective ever run in queues. */
    private static boolean serves(DeviceCall call) {
        if (straight(call.collective) != null) {
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
     * The algorithm by which blocks go straight to where the receivers' start words say; null where another one is
     * chosen. All sends and receives of such a call are one launch, whatever each rank knows of the others' counts.
     */
    private static DeviceAlgorithm straight(Collective collective) {
        return switch (collective) {
            case ALLGATHERV, GATHER, SCATTER -> DeviceCatalogue.find(collective, "push");
            default -> collective.counts == Counts.LOCAL ? DeviceCatalogue.find(collective, "pairwise") : null;
        };
    }

    /**
     * The choice for a call whose {@link DeviceCall#placement} is that of all members together; null if it has to run
     * on the host. The same on all members.
     *
     * @param most thread blocks that there is room for
     */
    Choice of(DeviceCall call, int most) {
        DeviceAlgorithm straight = straight(call.collective);
        if (straight != null) {
            return straight.restrictions().violatedBy(call.placement) == null
                ? new Choice(straight, 0, 2, 0, 0, "wherever blocks lie") : null;
        }
        boolean overwrites = call.placement.inPlace && call.collective.overwrites;
        SizeThresholds ladder = (overwrites ? overwriting : apart).of(call.collective, true, StreamCatalogue.PLACEMENT);
        Choice choice = UnroundedKernel.of(call, ladder.choice(ladder.step(call.bytes)));
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
