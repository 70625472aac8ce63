package org.brigade.communicator.device;

import mpi.MPIException;
import mpi.spi.Call;
import mpi.spi.PersistentOperation;
import org.brigade.communicator.call.CallCheck;
import org.brigade.communicator.call.CallSequence;
import org.brigade.device.DeviceCall;
import org.brigade.device.DeviceCallAnnouncements;
import org.brigade.device.Devices;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;

/**
 * Makes the persistent calls of one communicator on devices: all members announce a call, then
 * {@link PersistentDeviceQueue}.
 */
final class PersistentPreparation {
    private final Progress progress;
    private final Devices devices;
    private final CallSequence calls;
    private final DeviceCallAnnouncements line;
    private final Membership membership;
    private final DeviceMembers members;
    private final DeviceAgreement agreement;
    private final PersistentDeviceQueue starts;
    private final BufferPlaces places;

    PersistentPreparation(Progress progress, Devices devices, CallSequence calls, DeviceCallAnnouncements line,
        Membership membership,
        DeviceMembers members, DeviceAgreement agreement, PersistentDeviceQueue starts) {
        this.progress = progress;
        this.devices = devices;
        this.calls = calls;
        this.line = line;
        this.membership = membership;
        this.members = members;
        this.agreement = agreement;
        this.starts = starts;
        places = new BufferPlaces(devices, progress.endpoint);
    }

    /** See {@link DeviceRoutes#prepare}. */
    PersistentOperation prepare(Call call) {
        DeviceCall device = new DeviceCall(membership.members.length);
        if (!KernelChoices.fits(call, device, devices, members, agreement) || starts.isHopeless() || !line.share()
            || !places.find(device)) {
            return null;
        }
        String name = call.collective.key();
        MPIException gone = progress.losses.lostAlready(name, membership);
        if (gone != null) {
            calls.count();
            throw gone;
        }
        long what = CallCheck.prepared(call);
        long bytes = device.announced(call);
        agreement.announce(what, bytes, KernelFit.placement(device), places);
        if (!agreement.allAnnounce(name)) {
            return null;
        }
        int different = agreement.compare(what, bytes, device);
        if (different < 0 && !device.balanced) {
            agreement.findTheDifference(call);
            return null;
        }
        calls.count();
        if (different >= 0) {
            throw CallCheck.mismatch(call, what, calls.name(), different, agreement.what(different),
                agreement.bytes(different));
        }
        agreement.findPlaces(device);
        device.placement = agreement.placement();
        return starts.make(call, device);
    }
}
