package org.brigade.communicator.device;

import mpi.MPIException;
import mpi.spi.Call;
import mpi.spi.Counts;
import mpi.spi.Operation;
import org.brigade.algorithm.Placement;
import org.brigade.communicator.call.CallCheck;
import org.brigade.communicator.call.CallSequence;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.communicator.execution.Runner;
import org.brigade.communicator.route.Ladders;
import org.brigade.device.DeviceCall;
import org.brigade.device.DeviceCallAnnouncements;
import org.brigade.device.DeviceGroup;
import org.brigade.device.Devices;
import org.brigade.device.UnroundedKernel;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.select.Choice;
import org.brigade.select.Selector;
import org.brigade.select.SizeThresholds;
import org.brigade.waiting.FlightRecorder;

/**
 * Runs blocking calls on devices, with one kernel on each member. It chooses from the device table, by how all members'
 * buffers are placed.
 *
 * <p>
 * If this rank knows that its call cannot run on devices (mixed buffers, memory that others cannot map, a user's
 * operation), it does not announce the call. The others see that it runs on the host and do the same. Otherwise this
 * rank announces the call. It runs on the devices if all members have announced it; see
 * {@link DeviceCallAnnouncements}.
 */
public final class KernelRunner implements Runner {
    private final Progress progress;
    private final Devices devices;
    private final CallSequence calls;
    private final DeviceCallAnnouncements line;
    private final Membership membership;
    private final DeviceMembers members;
    private final DeviceAgreement agreement;
    private final NonblockingDeviceQueue queue;
    /** Null if nothing is tried. */
    private final CallTrials trials;
    private final Ladders ladders;
    private final BufferPlaces places;
    /** The call under way, or the last one. */
    private final DeviceCall onDevice;
    /** Counts the descriptions that {@link #onDevice} has had. */
    private int taken;
    /** Whether the call under way is described as the one before, whose group stays ready for it. */
    private boolean repeated;
    // Of the description: what is announced of it, how this rank's buffers lie, and all members' when it was chosen
    // for.
    private long what;
    private long announcedBytes;
    private Placement own;
    private Placement chosenFor;
    /** The algorithm that was recorded last, as the recorder has it. */
    private Choice recorded;
    private long recordedAs;
    /** The call's number in the recorder; it ends with the call, also if the host runs it. */
    private int noted = FlightRecorder.NONE;
    /** Whether the call under way has been announced. */
    private boolean announced;

    /**
     * @param selector for calls on device memory
     * @param calls how the communicator's calls are counted
     * @param queue whose calls end before a blocking one begins
     * @param trials null if nothing is tried
     */
    KernelRunner(Progress progress, Devices devices, Selector selector, CallSequence calls,
        DeviceCallAnnouncements line,
        Membership membership, DeviceMembers members, DeviceAgreement agreement, NonblockingDeviceQueue queue,
        CallTrials trials) {
        this.progress = progress;
        this.devices = devices;
        this.calls = calls;
        this.line = line;
        this.membership = membership;
        this.members = members;
        this.agreement = agreement;
        this.queue = queue;
        this.trials = trials;
        int ranks = membership.members.length;
        ladders = new Ladders(selector, CommunicatorTopology.NONE, membership.rank, ranks, calls.name());
        places = new BufferPlaces(devices, progress.endpoint);
        onDevice = new DeviceCall(ranks);
        onDevice.met = true;
    }

    /**
     * Looks at this rank's buffers only. If they rule out all kernels, the call need not be announced. Exporting them
     * here also does the slow part before other members wait.
     */
    @Override
    public Offer offer(Call call) {
        taken++;
        repeated = false;
        chosenFor = null;
        if (members.isHopeless() || !onDevice.take(call) || call.bytes() == 0 || !KernelFit.lists(onDevice)
            || call.op != null && !KernelFit.reduces(devices, onDevice)) {
            return Offer.NO;
        }
        own = KernelFit.placement(onDevice);
        onDevice.placement = own;
        onDevice.choice = choose(own);
        return onDevice.choice.staged() || !agreement.isPossible() || !places.find(onDevice) ? Offer.NO : Offer.ASK;
    }

    /**
     * In place of {@link #offer}, for a call that is described as one before.
     *
     * @param number of that description
     * @return false, with nothing done, if there has been another since, or the call must be looked at anew
     */
    boolean retake(Call call, int number) {
        if (number != taken || members.group() == null || !members.group().stays()) {
            return false;
        }
        onDevice.retake(call);
        repeated = true;
        if (!places.find(onDevice)) {
            repeated = false;
            onDevice.release();
            return false;
        }
        return true;
    }

    /** The number by which the call that has just run may be {@linkplain #retake taken again}; 0 if it may not. */
    int number() {
        return trials == null && onDevice.collective.counts != Counts.LOCAL && members.group().stays() ? taken : 0;
    }

    private Choice choose(Placement placement) {
        SizeThresholds ladder =
            ladders.of(onDevice.collective, onDevice.op == null || onDevice.op.commutative, placement);
        return ladders.required(onDevice.collective,
            UnroundedKernel.of(onDevice, ladder.choice(ladder.step(onDevice.bytes))));
    }

    /** Announces the call and waits for the members. An error on all members if their calls differ. */
    @Override
    public boolean agree(Call call) {
        noted = progress.recorder.begins(call.collective, true, calls.key(), call.root, call.bytes());
        String name = call.collective.key();
        MPIException gone = progress.losses.lostAlready(name, membership);
        if (gone != null) {
            calls.count();
            throw gone;
        }
        queue.settle(agreement, name);
        if (!repeated) {
            what = CallCheck.what(call);
            announcedBytes = onDevice.announced(call);
        }
        if (members.group() != null && !repeated) {
            members.requireServed(onDevice, calls.name());
            settleGroup(name);
        }
        if (trials != null) {
            line.report(trials.before(onDevice, members.group()));
        }
        line.begin();
        announced = true;
        agreement.announce(what, announcedBytes, own, places);
        if (!agreement.allAnnounce(name)) {
            return false;
        }
        int different = agreement.compare(what, announcedBytes, onDevice);
        if (different >= 0) {
            calls.count();
            throw CallCheck.mismatch(call, calls.name(), different, agreement.what(different),
                agreement.bytes(different));
        }
        if (!onDevice.balanced) {
            agreement.findTheDifference(call);
            return false;
        }
        onDevice.placement = agreement.placement();
        onDevice.again = repeated && onDevice.placement == chosenFor;
        if (!onDevice.again) {
            agreement.findPlaces(onDevice);
            onDevice.choice = choose(onDevice.placement);
            chosenFor = onDevice.placement;
        }
        if (trials != null) {
            trials.agreed(agreement, onDevice);
        }
        return !onDevice.choice.staged() && (members.group() != null || open());
    }

    private void settleGroup(String name) {
        DeviceGroup.Waiting settling = agreement.beginWait(name);
        try {
            members.group().settle(settling);
        } finally {
            agreement.endWait();
        }
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
            throw members.refused(onDevice, calls.name(), refusal != null ? refusal
                : "rank " + refusing + " cannot do its part of this call; its own error says why");
        }
        return true;
    }

    @Override
    public Operation start(Call call, long key) {
        calls.count();
        Diagnostics.ran(onDevice.choice);
        if (recorded != onDevice.choice) {
            recorded = onDevice.choice;
            recordedAs = progress.recorder.algorithm(recorded.algorithm().name());
        }
        progress.recorder.runs(noted, recordedAs);
        DeviceGroup.Waiting waiting = agreement.beginWait(call.collective.key());
        try {
            if (trials != null) {
                trials.begins();
            }
            members.group().run(onDevice, waiting);
            if (trials != null) {
                trials.ended(onDevice.bytes);
            }
        } finally {
            agreement.endWait();
        }
        return null;
    }

    /** A call has been offered, and run if it could be: forgets it. */
    void passed() {
        onDevice.release();
        if (noted != FlightRecorder.NONE) {
            progress.recorder.ended(noted);
            noted = FlightRecorder.NONE;
        }
        if (announced) {
            announced = false;
            line.end();
        }
    }
}
