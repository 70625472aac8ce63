package org.brigade.communicator;

import java.util.ArrayList;
import java.util.List;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Communicator;
import mpi.spi.Operation;
import mpi.spi.Provider;
import mpi.spi.Providers;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.assembly.Parts;
import org.brigade.bootstrap.Job;
import org.brigade.bootstrap.Nodes;
import org.brigade.device.CallBoard;
import org.brigade.device.CallLine;
import org.brigade.device.Devices;
import org.brigade.engine.FusedFlat;
import org.brigade.engine.Idle;
import org.brigade.engine.JobEnd;
import org.brigade.engine.LocalCopy;
import org.brigade.engine.Party;
import org.brigade.engine.Progress;
import org.brigade.matching.PointToPoint;
import org.brigade.memory.Region;
import org.brigade.select.Selector;
import org.brigade.select.Settings;
import org.brigade.select.TuningException;
import org.brigade.topology.Place;
import org.brigade.transport.Endpoint;
import org.brigade.transport.nodes.NodesOpening;

/** Brigade below package {@code mpi}: finds the job, opens the transport, makes the first communicators. */
public final class BrigadeProvider implements Provider {
    private static final int WORLD_CONTEXT = 1;
    private static final int SELF_CONTEXT = 2;
    private static final int SETTINGS_CONTEXT = 4;
    private static final int FIRST_FREE_CONTEXT = 5;
    private static final int CONTEXTS_PER_RANK = 1 << 18;
    private static final int MOST_RANKS = 1 << 13;

    private Endpoint endpoint;
    private Progress progress;
    private Selector selector;
    private final CombinerCache combiners = new CombinerCache();
    private PointToPoint messages;
    private IntraCommunicator world;
    private IntraCommunicator self;
    private int contexts;
    private WireSource wires;
    private boolean checks;
    /** Null: this process's, found when they are first asked for. */
    private Devices devices;
    /** Null if this rank has none. */
    private CallBoard board;
    private Selector deviceSelector;
    /** Of communicators that have not been freed. */
    private final List<DeviceCalls> opened = new ArrayList<>();

    static {
        Providers.register(new BrigadeProvider());
    }

    @Override
    public void init() {
        Parts parts = Parts.load();
        Job job = parts.bootstrap().job();
        Settings settings = Settings.ofThisProcess();
        Endpoint opened = job.onOneNode() ? parts.transport(job).open(job) : openNodes(parts, job, settings);
        validate(settings, job);
        String unknown = job.rank() == 0 ? settings.unknownVariables() : null;
        if (unknown != null) {
            System.err.println("brigade: " + unknown);
        }
        start(opened, job.onThisMachine(), settings.isOn("check"));
        if (job.onOneNode()) {
            compareSettings(settings);
        }
        EndOnUncaught.install(opened);
    }

    private static void validate(Settings settings, Job job) {
        try {
            settings.validate();
        } catch (TuningException e) {
            throw ErrorClass.OTHER.in("Init on rank " + job.rank() + " of " + job.size(), e.getMessage());
        }
    }

    /** A job on several nodes compares what its ranks were told where they find each other: not every two of them need ever be connected. */
    private static Endpoint openNodes(Parts parts, Job job, Settings settings) {
        validate(settings, job);
        try {
            return NodesOpening.open(parts, job, settings.get("fabric"), settings.fingerprint(), Selector.ofThisProcess().table().fingerprint());
        } catch (TuningException e) {
            throw ErrorClass.OTHER.in("Init on rank " + job.rank() + " of " + job.size(), e.getMessage());
        }
    }

    /**
     * Begins on an endpoint that is open; tests with ranks as threads begin here.
     *
     * @param localRanks how many ranks share this machine's processors
     * @param checks whether every collective call is compared with those of the other ranks first
     */
    public void start(Endpoint opened, int localRanks, boolean checks) {
        start(opened, localRanks, checks, null);
    }

    /** As above, with other devices than this process's. */
    public void start(Endpoint opened, int localRanks, boolean checks, Devices given) {
        start(opened, localRanks, checks, given, null);
    }

    /** As above, running at another place than this process's. */
    public void start(Endpoint opened, int localRanks, boolean checks, Devices given, Place place) {
        if (opened.size() > MOST_RANKS) {
            throw ErrorClass.OTHER.in("Init", "this version serves at most " + MOST_RANKS + " ranks, and the job has " + opened.size());
        }
        this.checks = checks;
        devices = given;
        endpoint = opened;
        board = CallBoard.of(endpoint);
        progress = new Progress(endpoint, localRanks);
        wires = new WireSource(Settings.ofThisProcess(), place, opened.nodes(), opened.fabric(), opened.multicasts() != null);
        try {
            selector = Selector.ofThisProcess();
        } catch (TuningException e) {
            throw ErrorClass.OTHER.in("Init on rank " + opened.rank() + " of " + opened.size(), e.getMessage());
        }
        int[] all = new int[endpoint.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = i;
        }
        world = new IntraCommunicator(this, WORLD_CONTEXT, endpoint.rank(), all, "MPI_COMM_WORLD", false);
        self = new IntraCommunicator(this, SELF_CONTEXT, 0, new int[] {endpoint.rank()}, "MPI_COMM_SELF", false);
    }

    /** All ranks must choose alike, so they must have been told alike. */
    private void compareSettings(Settings settings) {
        long[] theirs = new long[2];
        long mine = settings.fingerprint();
        long table = selector.table().fingerprint();
        int different;
        progress.lock.lock();
        try {
            different = new FusedFlat(progress, new Party(endpoint.rank(), world.members(), "MPI_COMM_WORLD", false)).compare((long) SETTINGS_CONTEXT << 32, mine, table, theirs);
        } finally {
            progress.lock.unlock();
        }
        if (different >= 0) {
            throw ErrorClass.OTHER.in("Init on rank " + endpoint.rank() + " of " + endpoint.size(), "rank " + different + " was given "
                + (theirs[0] != mine ? "other settings (brigade.check, or a forced algorithm, chunk or radix)" : "another tuning table")
                + " than this rank, so the two would not understand each other; give all ranks the same -Dbrigade.* and BRIGADE_*");
        }
    }

    // ---- what communicators need ----

    Progress progress() {
        return progress;
    }

    Selector selector() {
        return selector;
    }

    boolean checks() {
        return checks;
    }

    /** Where communicators ask for what is known of the wires. */
    WireSource wires() {
        return wires;
    }

    /** A new communicator's line on the board; null if its collectives never run on devices. */
    CallLine line(int context, int rank, int[] members) {
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

    /** Ends what a communicator has beside messages under way; either may be null. */
    void forget(CallLine line, DeviceCalls deviceCalls) {
        if (line == null && deviceCalls == null) {
            return;
        }
        progress.lock.lock();
        try {
            if (deviceCalls != null) {
                deviceCalls.close();
                opened.remove(deviceCalls);
            }
            if (line != null) {
                line.retire();
            }
        } finally {
            progress.lock.unlock();
        }
    }

    /** A communicator may have a group on devices from now on. */
    void opened(DeviceCalls deviceCalls) {
        progress.lock.lock();
        opened.add(deviceCalls);
        progress.lock.unlock();
    }

    /** The groups of communicators that the program has not freed hold memory of the devices, and of the peers'. Before the last barrier, as no memory is to be freed while a peer has it mapped. */
    private void leaveDevices(Devices used) {
        progress.lock.lock();
        try {
            for (DeviceCalls each : opened) {
                each.close();
            }
            opened.clear();
            if (used != null) {
                used.leave(endpoint);
            }
        } finally {
            progress.lock.unlock();
        }
    }

    /** Which ranks are on which node; null if all are on this one. */
    Nodes nodes() {
        return endpoint.nodes();
    }

    /** The devices whose memory the program has passed; null if there are none. */
    Devices devices() {
        return devices != null ? devices : Parts.devices();
    }

    /** Chooses for calls on device memory. */
    Selector deviceSelector() {
        if (deviceSelector == null) {
            deviceSelector = Selector.ofThisProcessForDevices();
        }
        return deviceSelector;
    }

    CombinerCache combiners() {
        return combiners;
    }

    PointToPoint messages(int context, Party party, String name) {
        if (messages == null) {
            messages = PointToPoint.first(progress, context, party, name);
            return messages;
        }
        return messages.another(context, party, name);
    }

    /** A context that no rank of the job has used or will use: this rank's number and a count. */
    int newContext() {
        progress.lock.lock();
        try {
            if (++contexts == CONTEXTS_PER_RANK) {
                throw ErrorClass.OTHER.in("making a communicator", "this rank has led " + CONTEXTS_PER_RANK + " communicators, the most there can be in one job; use them again instead of making new ones");
            }
            return endpoint.rank() * CONTEXTS_PER_RANK + contexts + FIRST_FREE_CONTEXT;
        } finally {
            progress.lock.unlock();
        }
    }

    // ---- Provider ----

    @Override
    public void finish() {
        messages.detachBuffer();
        Devices used = devices != null ? devices : Parts.devicesSoFar();
        try {
            world.checkFinalize();
            leaveDevices(used);
            endpoint.leaving();
            new IntraCommunicator(this, Progress.FINALIZE_CONTEXT, endpoint.rank(), world.members(), "MPI_COMM_WORLD", world.returnsErrors()).barrier(true);
        } catch (MPIException lost) {
            if (lost.getErrorClass() != ErrorClass.PROC_ABORTED.code) {
                throw lost;
            }
            // Who is left finalizes without waiting for the others: what they still want of this rank is in their memory or has failed.
            leaveDevices(used);
            endpoint.leaving();
        }
        if (used != null) {
            used.end(endpoint);
        }
        world.free();
        endpoint.finished();
        endpoint.close();
    }

    @Override
    public void abort(int code, String why) {
        JobEnd.abort(endpoint, code, why);
    }

    @Override
    public Communicator world() {
        return world;
    }

    @Override
    public Communicator self() {
        return self;
    }

    @Override
    public void attachBuffer(long bytes) {
        messages.attachBuffer(bytes);
    }

    @Override
    public void detachBuffer() {
        messages.detachBuffer();
    }

    @Override
    public int awaitAny(Operation[] operations, int n) {
        boolean any = false;
        for (int i = 0; i < n; i++) {
            any |= operations[i] != null;
        }
        if (!any) {
            return -1;
        }
        Idle idle = null;
        while (true) {
            for (int i = 0; i < n; i++) {
                if (operations[i] != null && operations[i].test()) {
                    giveBack(idle);
                    return i;
                }
            }
            progress.lock.lock();
            try {
                idle = progress.relax(idle, "Waitany", null);
            } finally {
                progress.lock.unlock();
            }
        }
    }

    private void giveBack(Idle idle) {
        if (idle != null) {
            progress.lock.lock();
            progress.release(idle);
            progress.lock.unlock();
        }
    }

    @Override
    public void reduceLocal(Object in, long inOffset, Object inout, long inoutOffset, int count, TypeLayout type, Reduction op) {
        progress.lock.lock();
        try {
            new LocalCopy().reduce(combiners.of(type, op).incomingFirst(), new Region().wrap(inout, inoutOffset), 0,
                new Region().wrap(in, inOffset), 0, (long) count * type.extent);
        } finally {
            progress.lock.unlock();
        }
    }

    @Override
    public Object underlying(Object buffer) {
        Devices ours = devices();
        return ours == null ? null : ours.underlying(buffer);
    }

    @Override
    public String processorName() {
        return HostName.get();
    }
}
