package org.brigade.communicator.device;

import mpi.MPIException;
import mpi.spi.Call;
import mpi.spi.Operation;
import org.brigade.communicator.call.CallCheck;
import org.brigade.communicator.call.CallSequence;
import org.brigade.communicator.execution.Runner;
import org.brigade.communicator.route.Routes;
import org.brigade.device.DeviceCall;
import org.brigade.device.DeviceCallAnnouncements;
import org.brigade.device.Devices;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;

/**
 * Runs nonblocking calls whose data here are in device memory: announces a call, and leaves it to the
 * {@link NonblockingDeviceQueue}, which launches it or passes it to the host.
 */
public final class NonblockingKernelRunner implements Runner {
    private final Progress progress;
    private final Devices devices;
    private final CallSequence calls;
    private final DeviceCallAnnouncements line;
    private final Membership membership;
    private final DeviceMembers members;
    private final DeviceAgreement agreement;
    private final NonblockingDeviceQueue queue;
    private final DeviceQueueThread thread;
    private final Routes host;
    private final BufferPlaces places;
    /** The call on offer, which keeps it, and how it would run on the host. */
    private DeviceCall device;
    private Routes.Decided onHost;

    /** @param host starts calls that do not run on devices */
    NonblockingKernelRunner(Progress progress, Devices devices, CallSequence calls, DeviceCallAnnouncements line,
        Membership membership,
        DeviceMembers members, DeviceAgreement agreement, NonblockingDeviceQueue queue, DeviceQueueThread thread,
        Routes host) {
        this.progress = progress;
        this.devices = devices;
        this.calls = calls;
        this.line = line;
        this.membership = membership;
        this.members = members;
        this.agreement = agreement;
        this.queue = queue;
        this.thread = thread;
        this.host = host;
        places = new BufferPlaces(devices, progress.endpoint);
    }

    /** NO if this rank knows that the call goes through the host. */
    @Override
    public Offer offer(Call call) {
        device = new DeviceCall(membership.members.length);
        boolean possible = KernelChoices.fits(call, device, devices, members, agreement) && !queue.isHopeless()
            && !(members.group() != null && members.group().isShared());
        return possible && places.find(device) ? Offer.ASK : Offer.NO;
    }

    /**
     * Announces the call. Whether the others do, the queue finds out: false only if there is no room to announce it.
     */
    @Override
    public boolean agree(Call call) {
        MPIException gone = progress.losses.lostAlready(call.collective.key(), membership);
        if (gone != null) {
            calls.count();
            throw gone;
        }
        if (members.group() != null) {
            members.requireServed(device, calls.name());
        }
        onHost = host.decide(call);
        return line.announceLater(calls.number(), CallCheck.what(call), device.announced(call),
            KernelFit.placement(device),
            places.sendExport, places.sendBegin, places.recvExport, places.recvBegin);
    }

    @Override
    public Operation start(Call call, long key) {
        NonblockingDeviceCall begun = new NonblockingDeviceCall(progress, call, device, onHost, calls.number(), key);
        queue.add(begun);
        thread.serve(queue);
        try {
            calls.begin(call);
        } catch (RuntimeException different) {
            begun.end(different);
            throw different;
        }
        progress.poll();
        return begun;
    }
}
