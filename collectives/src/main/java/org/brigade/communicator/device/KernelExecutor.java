package org.brigade.communicator.device;

import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Call;
import mpi.spi.DeviceBuffer;
import mpi.spi.Operation;
import mpi.spi.PersistentOperation;
import org.brigade.algorithm.Execution;
import org.brigade.algorithm.Placement;
import org.brigade.communicator.call.CallCheck;
import org.brigade.communicator.call.CallSequence;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.communicator.execution.CallShapes;
import org.brigade.communicator.execution.Executor;
import org.brigade.device.CallLine;
import org.brigade.device.DeviceCall;
import org.brigade.device.DeviceGroup;
import org.brigade.device.Devices;
import org.brigade.device.StartBoard;
import org.brigade.device.WholeFold;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.pattern.Wires;
import org.brigade.select.Choice;
import org.brigade.select.Ladder;
import org.brigade.select.Selector;

/**
 * Runs calls on devices, with one kernel on each member. It chooses from the device table, by how all members' buffers
 * are placed. Blocking calls run here, nonblocking ones in the communicator's {@link DeviceLane}.
 *
 * <p>
 * If this rank knows that its call cannot run on devices (mixed buffers, memory that others cannot map, a user's
 * operation), it does not announce the call. The others see that it runs on the host and do the same. Otherwise this
 * rank announces the call. It runs on the devices if all members have announced it; see {@link CallLine}.
 */
public final class KernelExecutor implements Executor {
    private final Progress progress;
    private final Devices devices;
    private final CallSequence calls;
    private final DeviceMembers members;
    /** Null if no call of this communicator runs on devices. */
    private final DeviceAgreement agreement;
    private final CallShapes shapes;
    private final Membership party;
    private final int rank;
    private final int ranks;
    /** The call under way. */
    private final DeviceCall onDevice;
    /** The call's number in the recorder; it ends with the call, also if the host runs it. */
    private int noted;
    private final CallLine line;
    private final DeviceLane lane;
    private final StartLane starts;
    private final LaneThread laneThread;
    private final HostCalls host;
    /** Whether the call under way has been announced. */
    private boolean announced;
    private long sendExport;
    private long recvExport;

    /**
     * @param selector for calls on device memory
     * @param calls how the communicator's calls are counted
     * @param forStarts the group of persistent calls
     * @param board where this rank tells of these; null if it has none
     * @param line null if no call of this communicator runs on devices
     * @param host starts nonblocking calls that do not run on devices
     */
    KernelExecutor(Progress progress, Devices devices, Selector selector, CallSequence calls, CallLine line,
        Membership party, DeviceMembers members, DeviceMembers forStarts, StartBoard board, LaneThread laneThread,
        HostCalls host) {
        this.progress = progress;
        this.devices = devices;
        this.calls = calls;
        this.agreement = line == null ? null : new DeviceAgreement(progress, calls, line, party);
        this.members = members;
        this.party = party;
        this.rank = party.rank;
        this.ranks = party.members.length;
        this.shapes = new CallShapes(selector, Wires.NONE, rank, ranks, calls.name());
        this.onDevice = new DeviceCall(ranks);
        onDevice.met = true;
        this.line = line;
        this.laneThread = laneThread;
        this.host = host;
        LaneChoices choices = line == null ? null : new LaneChoices(selector, rank, ranks, calls.name());
        lane = line == null ? null : new DeviceLane(progress, calls, line, party, members, choices);
        starts = line == null ? null
            : new StartLane(progress, devices, party, forStarts, board, choices, laneThread, calls.name());
    }

    /**
     * Runs a blocking call on devices if all members can. Returns false, with nothing done, if the call goes through
     * the host.
     */
    public boolean runs(Call call) {
        progress.lock.lock();
        try {
            if (agreement == null || members.isHopeless() || !onDevice.take(call)
                || call.bytes() == 0 || call.op != null && !KernelFit.reduces(devices, onDevice)) {
                return false;
            }
            onDevice.placement = KernelFit.placement(onDevice);
            Choice choice = choose(onDevice.placement);
            if (serves(call, choice) == Service.NO || !agree(call, choice)) {
                return false;
            }
            calls.count();
            Diagnostics.ran(onDevice.choice);
            run(call, onDevice.choice, calls.key());
            return true;
        } finally {
            onDevice.release();
            progress.recorder.ended(noted);
            if (announced) {
                announced = false;
                line.end();
            }
            progress.lock.unlock();
        }
    }

    /**
     * Begins a nonblocking call whose data here are in device memory: announces it, and leaves it to the
     * {@link DeviceLane}. Returns null, with nothing done, if this rank knows that the call goes through the host.
     */
    public Operation begin(Call call) {
        progress.lock.lock();
        try {
            DeviceCall device = new DeviceCall(ranks);
            if (!fitsLane(call, device) || lane.isHopeless()
                || members.group() != null && members.group().isShared()) {
                return null;
            }
            sendExport = export(device.send);
            recvExport = export(device.recv);
            if (isUnreachable(device)) {
                return null;
            }
            String name = call.collective.key();
            MPIException gone = progress.lostAlready(name, party);
            if (gone != null) {
                calls.count();
                throw gone;
            }
            String refusal = members.group() == null ? null : members.group().refuses(device);
            if (refusal != null) {
                throw refused(name, refusal);
            }
            HostCalls.Way onHost = host.way(call);
            long number = calls.number();
            if (!line.announceLater(number, CallCheck.what(call), call.bytes(), KernelFit.placement(device), sendExport,
                begin(device.send, device.sendOffset), recvExport, begin(device.recv, device.recvOffset))) {
                return null;
            }
            LaneCall begun = new LaneCall(progress, call, device, onHost, number, calls.key());
            lane.add(begun);
            laneThread.serve(lane);
            try {
                calls.begin(call);
            } catch (RuntimeException different) {
                begun.end(different);
                throw different;
            }
            progress.poll();
            return begun;
        } finally {
            progress.lock.unlock();
        }
    }

    /** Whether a call beside others can run on the devices, as far as this rank knows; reads its operands. */
    private boolean fitsLane(Call call, DeviceCall device) {
        return agreement != null && !members.isHopeless() && agreement.isPossible() && device.take(call)
            && call.bytes() != 0 && LaneChoices.serves(device)
            && (call.op == null || KernelFit.reduces(devices, device));
    }

    /**
     * Makes a persistent call whose data here are in device memory, together with all members. Returns null if its
     * starts go through the host; the call has not been counted then, or by all members alike.
     */
    public PersistentOperation prepare(Call call) {
        progress.lock.lock();
        try {
            DeviceCall device = new DeviceCall(ranks);
            if (!fitsLane(call, device) || starts.isHopeless() || !line.share()) {
                return null;
            }
            sendExport = export(device.send);
            recvExport = export(device.recv);
            if (isUnreachable(device)) {
                return null;
            }
            String name = call.collective.key();
            MPIException gone = progress.lostAlready(name, party);
            if (gone != null) {
                calls.count();
                throw gone;
            }
            long what = CallCheck.prepared(call);
            agreement.announce(what, call.bytes(), KernelFit.placement(device), sendExport,
                begin(device.send, device.sendOffset), recvExport, begin(device.recv, device.recvOffset));
            if (!agreement.allAnnounce(name)) {
                return null;
            }
            int different = agreement.compare(what, call.bytes(), device);
            calls.count();
            if (different >= 0) {
                throw CallCheck.mismatch(call, what, calls.name(), different, agreement.what(different),
                    agreement.bytes(different));
            }
            device.placement = agreement.placement();
            return starts.make(call, device);
        } finally {
            progress.lock.unlock();
        }
    }

    private boolean isUnreachable(DeviceCall call) {
        return call.send != null && sendExport == Devices.UNREACHABLE
            || call.recv != null && recvExport == Devices.UNREACHABLE;
    }

    /** Waits until no call of the lane is under way: who meets in a blocking call has ended all before. */
    private void settle(String name) {
        if (lane != null && !lane.isIdle()) {
            DeviceGroup.Waiting settling = agreement.beginWait(name);
            try {
                while (!lane.isIdle()) {
                    settling.turn();
                }
            } finally {
                agreement.endWait();
            }
        }
    }

    /** Does this when no call is under way but those that wait, and none can be started. Under the progress lock. */
    void whenIdle(Runnable action) {
        if (lane == null) {
            action.run();
        } else {
            lane.whenIdle(() -> starts.atEnd(action));
        }
    }

    /**
     * Looks at this rank's buffers only. If they rule out all kernels, the call need not be announced. Exporting them
     * here also does the slow part before other members wait.
     */
    @Override
    public Service serves(Call call, Choice choice) {
        if (choice.algorithm().execution() != Execution.KERNEL || !agreement.isPossible()) {
            return Service.NO;
        }
        sendExport = export(onDevice.send);
        recvExport = export(onDevice.recv);
        return isUnreachable(onDevice) ? Service.NO : Service.ASK;
    }

    /** Announces the call and waits for the members. An error on all members if their calls differ. */
    @Override
    public boolean agree(Call call, Choice choice) {
        noted = progress.recorder.begins(call.collective, true, calls.key(), call.root, call.bytes());
        String name = call.collective.key();
        MPIException gone = progress.lostAlready(name, party);
        if (gone != null) {
            calls.count();
            throw gone;
        }
        settle(name);
        if (members.group() != null) {
            onDevice.choice = choice;
            String refusal = members.group().refuses(onDevice);
            if (refusal != null) {
                throw refused(name, refusal);
            }
            DeviceGroup.Waiting settling = agreement.beginWait(name);
            try {
                members.group().settle(settling);
            } finally {
                agreement.endWait();
            }
        }
        long what = CallCheck.what(call);
        long bytes = call.bytes();
        line.begin();
        announced = true;
        agreement.announce(what, bytes, onDevice.placement, sendExport,
            begin(onDevice.send, onDevice.sendOffset), recvExport, begin(onDevice.recv, onDevice.recvOffset));
        if (!agreement.allAnnounce(name)) {
            return false;
        }
        int different = agreement.compare(what, bytes, onDevice);
        if (different >= 0) {
            calls.count();
            throw CallCheck.mismatch(call, calls.name(), different, agreement.what(different),
                agreement.bytes(different));
        }
        onDevice.placement = agreement.placement();
        onDevice.choice = choose(onDevice.placement);
        return onDevice.choice.algorithm().execution() == Execution.KERNEL
            && (members.group() != null || open());
    }

    @Override
    public Operation run(Call call, Choice choice, long key) {
        DeviceGroup.Waiting waiting = agreement.beginWait(call.collective.key());
        try {
            members.group().run(onDevice, waiting);
        } finally {
            agreement.endWait();
        }
        return null;
    }

    private long begin(DeviceBuffer buffer, long offset) {
        return buffer == null ? 0 : devices.offset(buffer) + offset;
    }

    private Choice choose(Placement placement) {
        Ladder ladder = shapes.ladder(onDevice.collective, onDevice.op == null || onDevice.op.commutative, placement);
        return shapes.required(onDevice.collective,
            WholeFold.of(onDevice, ladder.choice(ladder.step(onDevice.bytes))));
    }

    private long export(DeviceBuffer buffer) {
        return buffer == null ? Devices.UNREACHABLE : devices.export(progress.endpoint, buffer);
    }

    private MPIException refused(String name, String refusal) {
        return ErrorClass.BUFFER.in(name, rank, ranks, calls.name(), refusal);
    }

    /**
     * Opens the group for the call that all members have announced. Returns false on all members if it cannot be
     * opened. An error on all members if the group is open but cannot serve this call.
     */
    private boolean open() {
        String refusal;
        int refusing;
        try {
            DeviceGroup group = members.open(onDevice.send != null ? onDevice.send : onDevice.recv);
            if (group == null) {
                return false;
            }
            refusal = group.refuses(onDevice);
            refusing = members.firstWithout(refusal == null);
        } catch (RuntimeException lost) {
            calls.count(); // the call was announced, so it counts
            throw lost;
        }
        if (refusing >= 0) {
            calls.count();
            throw refused(onDevice.collective.key(), refusal != null ? refusal
                : "rank " + refusing + " cannot do its part of this call; its own error says why");
        }
        return true;
    }

    /**
     * The group; opens it together with all members if needed. Null if there is none. See
     * {@link org.brigade.device.DeviceCommunicator#deviceGroup}.
     */
    public DeviceGroup group(DeviceBuffer buffer) {
        progress.lock.lock();
        try {
            settle("StreamCommunicator.open");
            return openedFor(buffer);
        } finally {
            progress.lock.unlock();
        }
    }

    private DeviceGroup openedFor(DeviceBuffer buffer) {
        if (members.group() == null && !members.isHopeless()) {
            boolean reachable = agreement != null && agreement.isPossible() && export(buffer) != Devices.UNREACHABLE;
            if (members.firstWithout(reachable) >= 0) {
                return null;
            }
            members.open(buffer);
        }
        return members.group();
    }

    /** See {@link org.brigade.device.DeviceCommunicator#exchange}. */
    public byte[][] exchange(byte[] mine) {
        progress.lock.lock();
        try {
            settle("an exchange");
            return members.allgather(mine);
        } finally {
            progress.lock.unlock();
        }
    }

    /** Closes the group. Under the progress lock. */
    void close() {
        members.close();
        if (starts != null) {
            starts.close();
        }
    }
}
