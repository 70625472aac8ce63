package org.brigade.communicator.device;

import java.util.ArrayList;
import java.util.List;
import mpi.ErrorClass;
import org.brigade.assembly.Parts;
import org.brigade.communicator.call.CallSequence;
import org.brigade.communicator.call.CombinerCache;
import org.brigade.communicator.route.Routes;
import org.brigade.communicator.wires.WireSource;
import org.brigade.device.AnnouncementBoard;
import org.brigade.device.DeviceCallAnnouncements;
import org.brigade.device.Devices;
import org.brigade.device.LocalDevices;
import org.brigade.device.StartBoard;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.report.DeviceReport;
import org.brigade.report.JobReport;
import org.brigade.select.Selector;
import org.brigade.select.Settings;
import org.brigade.select.TuningException;
import org.brigade.tuned.MeasuredWays;

/** The devices of this process, and what its communicators hold on them. */
public final class ProcessDevices {
    private final Progress progress;
    /** Null: use this process's devices, found when first asked for. */
    private final Devices given;
    /** Null if this rank has none. */
    private final AnnouncementBoard board;
    /** Null if this rank has none. */
    private final StartBoard starts;
    private final DeviceQueueThread queues;
    private final MeasuredWays measured = new MeasuredWays();
    private Selector selector;
    /** Null if this rank tells nothing, or nobody has asked for it yet. */
    private DeviceReport report;
    /** The routes on devices of communicators that have not been freed. */
    private final List<DeviceRoutes> opened = new ArrayList<>();

    /** @param given null: use this process's devices, found when first asked for */
    public ProcessDevices(Progress progress, Devices given) {
        this.progress = progress;
        this.given = given;
        board = AnnouncementBoard.of(progress.endpoint);
        starts = StartBoard.of(progress.endpoint);
        queues = new DeviceQueueThread(progress);
    }

    /** The devices of this process; null if there are none. */
    public Devices devices() {
        return given != null ? given : Parts.devices();
    }

    /** As {@link #devices}, but null if nobody has asked for them yet. */
    public Devices devicesSoFar() {
        return given != null ? given : LocalDevices.foundSoFar();
    }

    /** Claims a new communicator's line on the board; null if its collectives never run on devices. */
    public DeviceCallAnnouncements line(long context, int rank, int[] members) {
        if (board == null || context == Progress.FINALIZE_CONTEXT) {
            return null;
        }
        progress.lock.lock();
        try {
            return board.claim(context, rank, members);
        } finally {
            progress.lock.unlock();
        }
    }

    /**
     * Makes the routes of a communicator's calls on devices.
     *
     * @param calls counts the communicator's calls
     * @param aside keys for the library's own messages
     * @param line null if none of its calls run on devices
     * @param host starts nonblocking calls that do not
     */
    public DeviceRoutes routes(Membership membership, CallSequence calls, CallSequence aside,
        DeviceCallAnnouncements line,
        CombinerCache combiners, WireSource wires, Routes host) {
        CallTrials trials = line != null && "on".equals(Settings.ofThisProcess().get("device.measure"))
            ? new CallTrials(measured, selector(), membership.rank, membership.members.length) : null;
        DeviceRoutes routes = new DeviceRoutes(progress, devices(), selector(), calls, line, membership,
            new DeviceMembers(progress, devices(), membership, combiners, aside, wires, trials, report()),
            new DeviceMembers(progress, devices(), membership, combiners, aside, wires, null, report()), starts, queues,
            host);
        progress.lock.lock();
        try {
            opened.add(routes);
        } finally {
            progress.lock.unlock();
        }
        return routes;
    }

    private DeviceReport report() {
        Settings settings = Settings.ofThisProcess();
        String level = settings.get(JobReport.SETTING);
        if (report == null && progress.endpoint.rank() == 0 && level != null && !level.equals("off")) {
            report = new DeviceReport(selector(), settings);
        }
        return report;
    }

    private Selector selector() {
        if (selector == null) {
            try {
                selector = Selector.ofThisProcessForDevices();
            } catch (TuningException e) {
                throw ErrorClass.OTHER.in("device memory", e.getMessage());
            }
        }
        return selector;
    }

    /**
     * Releases a communicator's line and its routes on devices, when its last call has ended on the devices; either may
     * be null.
     */
    public void forget(DeviceCallAnnouncements line, DeviceRoutes routes) {
        if (line == null && routes == null) {
            return;
        }
        progress.lock.lock();
        try {
            if (routes != null) {
                routes.whenIdle(() -> release(line, routes));
            } else {
                line.retire();
            }
        } finally {
            progress.lock.unlock();
        }
    }

    private void release(DeviceCallAnnouncements line, DeviceRoutes routes) {
        if (opened.remove(routes)) { // else Finalize came first
            routes.close();
        }
        if (line != null) {
            line.retire();
        }
    }

    /**
     * Closes the groups of communicators that the program has not freed: they hold this rank's device memory and map
     * the peers'. Call it before the last barrier: no rank may free memory that a peer still has mapped.
     */
    public void leave() {
        Devices used = devicesSoFar();
        progress.lock.lock();
        try {
            for (DeviceRoutes each : opened) {
                each.close();
            }
            opened.clear();
            if (used != null) {
                used.leave(progress.endpoint);
            }
        } finally {
            progress.lock.unlock();
        }
    }
}
