package org.brigade.communicator;

import java.lang.reflect.Array;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.DeviceBuffer;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.algorithm.Placement;
import org.brigade.algorithm.catalogue.DeviceCatalogue;
import org.brigade.device.CallLine;
import org.brigade.device.DeviceCall;
import org.brigade.device.DeviceGroup;
import org.brigade.device.Devices;
import org.brigade.engine.Party;
import org.brigade.engine.Progress;
import org.brigade.pattern.Wires;
import org.brigade.schedule.Collective;
import org.brigade.select.Choice;
import org.brigade.select.Ladder;

/**
 * How a call of one communicator comes to run on devices: its buffers are taken ({@link #begin}), the caller says what lies where in them ({@link #call}), and {@link #run} has the members agree and their
 * group carry it out. Under the progress lock, from begin to {@link #end}.
 *
 * <p>A call that cannot run on devices for reasons that this rank knows (nonblocking, mixed buffers, memory that nobody else can map, a user's operation) is not announced; the others see it pass
 * with host memory, and move theirs through the host too. One that can is announced, and runs on the devices if all members have announced it; see {@link CallLine}.
 */
final class DeviceAttempt {
    /** The call under way. */
    final DeviceCall call;
    final DeviceMembers members;
    private final BrigadeProvider provider;
    private final Progress progress;
    private final CallSequence calls;
    /** Null if no call of this communicator runs on devices. */
    private final DeviceAgreement agreement;
    private final CallShapes shapes;
    private final Party party;
    private final int rank;
    private final int ranks;

    /** As {@link DeviceCalls#DeviceCalls}. */
    DeviceAttempt(BrigadeProvider provider, CallSequence calls, CollectiveCalls aside, CallLine line, Party party) {
        this.provider = provider;
        this.progress = provider.progress();
        this.calls = calls;
        this.agreement = line == null ? null : new DeviceAgreement(progress, calls, line, party);
        this.members = new DeviceMembers(progress, aside, party.rank, party.members, provider.wires());
        this.party = party;
        this.rank = party.rank;
        this.ranks = party.members.length;
        this.shapes = new CallShapes(provider.deviceSelector(), Wires.NONE, rank, ranks, calls.name());
        this.call = new DeviceCall(ranks);
        call.met = true;
    }

    /** Takes the buffers; false if this rank can tell already that the call goes through the host. */
    boolean begin(Object send, long sendOffset, Object recv, long recvOffset, boolean inPlace) {
        Object out = isEmpty(send) ? null : send;
        Object in = isEmpty(recv) ? null : recv;
        if (agreement == null || members.isHopeless() || out != null && !(out instanceof DeviceBuffer) || in != null && !(in instanceof DeviceBuffer)) {
            return false;
        }
        call.send = (DeviceBuffer) out;
        call.sendOffset = sendOffset;
        call.recv = (DeviceBuffer) in;
        call.recvOffset = recvOffset;
        call.inPlace = inPlace;
        return true;
    }

    /** An array without elements stands for any buffer of no items: it lies nowhere. */
    private static boolean isEmpty(Object buffer) {
        return buffer != null && buffer.getClass().isArray() && Array.getLength(buffer) == 0;
    }

    /** Forgets the call. */
    void end() {
        call.send = null;
        call.recv = null;
        call.type = null;
        call.op = null;
    }

    /**
     * The rest of the call: runs it on the devices; false if it goes through the host.
     *
     * @param bytes    what the members must agree on; -1 where they need not
     * @param measured bytes as the ladder measures calls
     */
    boolean run(Collective collective, int root, long bytes, long measured, TypeLayout type, Reduction op) {
        if (bytes == 0 || op != null && !KernelFit.reduces(call, type, op)) {
            return false;
        }
        // By this rank's buffers first: if they alone exclude all kernels, nobody has to hear of them. And so that what the call will need is loaded by the time the others wait.
        boolean commutes = op == null || op.commutative;
        Placement placement = KernelFit.placement(call, collective);
        call.choice = choose(collective, measured, commutes, placement);
        if (isStaged(call.choice) || !agreement.isPossible()) {
            return false;
        }
        Devices devices = provider.devices();
        long sendExport = export(devices, call.send);
        long recvExport = export(devices, call.recv);
        if (call.send != null && sendExport == Devices.UNREACHABLE || call.recv != null && recvExport == Devices.UNREACHABLE) {
            return false;
        }
        call.collective = collective;
        call.root = collective.rooted ? root : -1;
        call.bytes = measured;
        call.type = type;
        call.op = op;
        MPIException lost = progress.lostAlready(collective.key(), party);
        if (lost != null) {
            calls.count();
            throw lost;
        }
        if (members.group() != null) {
            String refusal = members.group().refuses(call);
            if (refusal != null) {
                throw refused(refusal);
            }
            DeviceGroup.Waiting settling = agreement.beginWait(collective.key());
            try {
                members.group().settle(settling);
            } finally {
                agreement.endWait();
            }
        }
        long what = CallCheck.what(collective, root, type, op);
        agreement.announce(what, bytes, placement, sendExport, call.send == null ? 0 : devices.offset(call.send) + call.sendOffset,
            recvExport, call.recv == null ? 0 : devices.offset(call.recv) + call.recvOffset);
        if (!agreement.allAnnounce(collective.key())) {
            return false;
        }
        int different = agreement.compare(what, bytes, call);
        if (different >= 0) {
            calls.count();
            throw CallCheck.mismatch(rank, ranks, calls.name(), what, bytes, different, agreement.what(different), agreement.bytes(different));
        }
        call.placement = agreement.placement();
        call.choice = choose(collective, measured, commutes, call.placement);
        if (isStaged(call.choice) || members.group() == null && !open(devices)) {
            return false;
        }
        calls.count();
        Diagnostics.ran(call.choice.algorithm());
        DeviceGroup.Waiting waiting = agreement.beginWait(collective.key());
        try {
            members.group().run(call, waiting);
        } finally {
            agreement.endWait();
        }
        return true;
    }

    private static boolean isStaged(Choice choice) {
        return choice.algorithm().name().equals(DeviceCatalogue.STAGED);
    }

    private Choice choose(Collective collective, long bytes, boolean commutes, Placement placement) {
        Ladder ladder = shapes.ladder(collective, commutes, placement);
        return shapes.choice(collective, ladder, ladder.step(bytes));
    }

    private long export(Devices devices, DeviceBuffer buffer) {
        return buffer == null ? Devices.UNREACHABLE : devices.export(progress.endpoint, buffer);
    }

    private MPIException refused(String refusal) {
        return ErrorClass.BUFFER.in(call.collective.key(), rank, ranks, calls.name(), refusal);
    }

    /** Opens the group for the call that all members have announced; false, on all, if it cannot be. An error, on all, if it is open and cannot serve this call. */
    private boolean open(Devices devices) {
        String refusal;
        int refusing;
        try {
            DeviceGroup group = members.open(devices, call.send != null ? call.send : call.recv);
            if (group == null) {
                return false;
            }
            refusal = group.refuses(call);
            refusing = members.firstWithout(refusal == null);
        } catch (RuntimeException lost) {
            calls.count(); // it has been announced
            throw lost;
        }
        if (refusing >= 0) {
            calls.count();
            throw refused(refusal != null ? refusal : "rank " + refusing + " cannot do its part of this call; its own error says why");
        }
        return true;
    }

    /** The group, opened together with all members if need be; null if there is none. As {@link org.brigade.device.DeviceCommunicator#deviceGroup}. */
    DeviceGroup group(DeviceBuffer buffer) {
        if (members.group() == null && !members.isHopeless()) {
            boolean reachable = agreement != null && agreement.isPossible() && export(provider.devices(), buffer) != Devices.UNREACHABLE;
            if (members.firstWithout(reachable) >= 0) {
                return null;
            }
            members.open(provider.devices(), buffer);
        }
        return members.group();
    }
}
