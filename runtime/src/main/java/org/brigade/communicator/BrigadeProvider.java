package org.brigade.communicator;

import java.nio.ByteBuffer;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Communicator;
import mpi.spi.InterCommunicator;
import mpi.spi.Operation;
import mpi.spi.Provider;
import mpi.spi.Providers;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import mpi.spi.interpose.Interposers;
import org.brigade.assembly.Parts;
import org.brigade.bootstrap.Bootstrap;
import org.brigade.bootstrap.CoreShare;
import org.brigade.bootstrap.Job;
import org.brigade.bootstrap.Nodes;
import org.brigade.bootstrap.OtherThreads;
import org.brigade.bootstrap.Ports;
import org.brigade.bootstrap.Processors;
import org.brigade.communicator.call.CombinerCache;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.communicator.device.ProcessDevices;
import org.brigade.communicator.network.NetworkReduction;
import org.brigade.communicator.wires.WireSource;
import org.brigade.device.Devices;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.engine.job.EndOnUncaught;
import org.brigade.engine.job.JobEnd;
import org.brigade.engine.job.LauncherWatch;
import org.brigade.engine.job.StallWatch;
import org.brigade.failure.Failures;
import org.brigade.interrupt.LingerWatch;
import org.brigade.matching.CommunicatorMessages;
import org.brigade.memory.Region;
import org.brigade.op.LocalCopy;
import org.brigade.recording.CallRecording;
import org.brigade.select.Selector;
import org.brigade.select.Settings;
import org.brigade.select.TuningException;
import org.brigade.select.TuningSource;
import org.brigade.select.TuningTable;
import org.brigade.topology.Place;
import org.brigade.transport.Endpoint;
import org.brigade.waiting.FlightRecorder;
import org.brigade.window.WindowService;

/**
 * Brigade below package {@code mpi}: finds the job, opens the transport, makes the first communicators. One object is
 * this process's own job ({@link #home}). Each union with other jobs ({@link JoinedJobs}) is another one.
 */
public final class BrigadeProvider implements Provider {
    private static final String UNION = ".u";
    private static final int WORLD_CONTEXT = 1;
    private static final int SELF_CONTEXT = 2;
    private static final int FIRST_FREE_CONTEXT = 6;
    private static final int CONTEXTS_PER_RANK = 1 << 18;

    private Endpoint endpoint;
    private Progress progress;
    private Selector selector;
    /** The rules that brigade tune made for such jobs on this machine or cluster; null if there are none. */
    private TuningTable tuned;
    /** Of the table without that one: processes of other jobs must have the same. */
    private long tablePrint;
    private final CombinerCache combiners = new CombinerCache();
    private CommunicatorMessages messages;
    private IntraCommunicator world;
    private IntraCommunicator self;
    /** Tests replace it with one that has fewer contexts. */
    Contexts contexts;
    private FreedContexts freed;
    private Failures failures;
    private WireSource wires;
    private boolean checks;
    private ProcessDevices devices;
    /** Null until a window is made. */
    private WindowService windows;
    /** Of a union: this process's own job, and the number of each rank's process. Null in that job itself. */
    private final BrigadeProvider own;
    private final int[] numbers;
    /** Of a union: its key. */
    private final String key;
    /** Of a union: how many communicators this process has there. */
    private int used;
    /** Of the own job. Null before the first call that joins jobs. */
    private Job job;
    private Bootstrap bootstrap;
    private Ports ports;
    private Processes processes;
    private JoinedJobs joined;
    private InterCommunicator parent;

    static {
        Providers.register(new BrigadeProvider());
    }

    /** The own job. */
    public BrigadeProvider() {
        this(null, null, null);
    }

    /** A union with other jobs. */
    BrigadeProvider(BrigadeProvider home, String key, int[] numbers) {
        own = home;
        this.key = key;
        this.numbers = numbers;
    }

    @Override
    public void init() {
        try {
            join();
        } catch (LinkageError missing) {
            MPIException error = ErrorClass.OTHER.in("Init", "a class cannot be loaded (" + missing
                + "); let the process open more files (ulimit -n), or check that the jars on its class path are whole");
            error.initCause(missing);
            throw error;
        }
    }

    private void join() {
        Settings settings = Settings.ofThisProcess();
        JobOpening opening = new JobOpening(settings);
        bootstrap = opening.bootstrap;
        job = opening.job;
        tuned = opening.tuned;
        Endpoint opened = opening.endpoint;
        start(opened, opening.cores, settings.isOn("check"));
        if (job.onOneNode()) {
            JobOpening.compareSettings(settings, progress, world.ranks(), selector.table().fingerprint());
        }
        if (CallRecording.ON) {
            Interposers.add(CallRecorder.of(this, job.key(), job.rank(), job.size()));
        }
        EndOnUncaught.install(opened);
        LauncherWatch.start(opened);
        StallWatch.start(opened, progress.recorder, "rank of this job");
        reportWaiting("");
        String port = bootstrap.parentPort();
        if (port != null) {
            parent = world.meet("Init", port, false, 0, null);
            parent.rename("MPI_COMM_PARENT");
        }
    }

    /** Says how this rank waits if {@code brigade.waiting.report} asks for it. */
    void reportWaiting(String since) {
        if (job != null && Settings.ofThisProcess().isOn("waiting.report")) {
            System.err.println("brigade: rank " + job.rank() + " of " + job.size() + since + ", on processors "
                + Processors.ofThisThread() + OtherThreads.words() + ": " + progress.waiting());
        }
    }

    /**
     * Starts on an open endpoint. Tests that run ranks as threads start here.
     *
     * @param cores whether this rank has a processor to itself
     * @param checks whether each collective call is first compared with the other ranks' calls
     */
    public void start(Endpoint opened, CoreShare cores, boolean checks) {
        start(opened, cores, checks, null);
    }

    /** As above, with the given devices in place of this process's. */
    public void start(Endpoint opened, CoreShare cores, boolean checks, Devices given) {
        start(opened, cores, checks, given, null);
    }

    /** As above, with the given place in place of where this process runs. */
    public void start(Endpoint opened, CoreShare cores, boolean checks, Devices given, Place place) {
        JobOpening.requireServed(opened.size());
        this.checks = checks;
        endpoint = opened;
        progress = new Progress(endpoint, cores);
        failures = new Failures(progress);
        devices = new ProcessDevices(progress, given);
        contexts = new Contexts(endpoint.rank() * CONTEXTS_PER_RANK + FIRST_FREE_CONTEXT,
            CONTEXTS_PER_RANK - FIRST_FREE_CONTEXT);
        freed = new FreedContexts(this);
        Settings settings = Settings.ofThisProcess();
        if (endpoint.rank() == 0 && endpoint.size() > 1) {
            NetworkReduction.tellIfNoneIsNamed(settings);
        }
        Diagnostics.joinedBy(opened.nodes() == null ? "" : opened.fabric());
        wires = new WireSource(settings, place, opened.nodes(), opened.fabric(),
            opened.multicasts() != null, opened.speed());
        try {
            TuningTable table = TuningSource.load(settings);
            tablePrint = table.fingerprint();
            selector = Selector.of(table, tuned, settings);
        } catch (TuningException e) {
            throw ErrorClass.OTHER.in("Init on rank " + opened.rank() + " of " + opened.size(), e.getMessage());
        }
        int[] all = new int[endpoint.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = i;
        }
        world = new IntraCommunicator(this, WORLD_CONTEXT, endpoint.rank(), all, "MPI_COMM_WORLD", false);
        self = new IntraCommunicator(this, SELF_CONTEXT, 0, new int[] {endpoint.rank()}, "MPI_COMM_SELF", false);
        used = 0; // these two are not made by calls
    }

    // ---- what communicators need ----

    Progress progress() {
        return progress;
    }

    Failures failures() {
        return failures;
    }

    Selector selector() {
        return selector;
    }

    Endpoint endpoint() {
        return endpoint;
    }

    boolean checks() {
        return checks;
    }

    /** Tells communicators what is known about the wires between their ranks. */
    WireSource wires() {
        return wires;
    }

    ProcessDevices devices() {
        return devices;
    }

    /** Which ranks are on which node; null if all ranks are on this node. */
    Nodes nodes() {
        return endpoint.nodes();
    }

    synchronized WindowService windows() {
        if (windows == null) {
            windows = new WindowService(progress);
        }
        return windows;
    }

    /** Gives up the locks that this rank holds; in Finalize. */
    void leaveWindows() {
        WindowService made = windows;
        if (made != null) {
            made.leave();
        }
    }

    /** Ends the thread that serves windows. */
    void stopWindows() {
        WindowService made = windows;
        if (made != null) {
            made.stop();
        }
    }

    CombinerCache combiners() {
        return combiners;
    }

    CommunicatorMessages messages(int context, Membership membership) {
        if (messages == null) {
            messages = CommunicatorMessages.first(progress, context, membership);
            return messages;
        }
        return messages.another(context, membership);
    }

    /** A context that no communicator of the job uses and no message in flight carries; see {@link Contexts#take}. */
    long newContext() {
        freed.hear();
        return contexts.take();
    }

    /** This rank has freed a communicator: tells the communicator's rank 0; see {@link Contexts#ended}. */
    void ended(int context, int[] members, long unreceived, long calls, boolean clean) {
        if (Integer.compareUnsigned(context, FIRST_FREE_CONTEXT) < 0) {
            return;
        }
        freed.ended(context, members, unreceived, calls, clean);
    }

    // ---- joined jobs ----

    /** The own job. */
    BrigadeProvider home() {
        return own == null ? this : own;
    }

    /** The same number on all ranks that these links join, and another one where other links join the ranks. */
    long links() {
        return (key == null ? processes().ownJob() : key).hashCode();
    }

    /** A key for a union, which nobody else uses; rank 0 of the union opens it by this key. */
    String newUnion() {
        return processes().ownJob() + UNION + Long.toHexString(System.currentTimeMillis()) + "-"
            + ProcessHandle.current().pid() + "-" + Long.toHexString(System.nanoTime());
    }

    /** Notes that a call has thrown before it began. */
    void threw(int context) {
        progress.lock.lock();
        try {
            progress.recorder.made(FlightRecorder.REFUSED, (long) context << Integer.SIZE, FlightRecorder.NOBODY, -1);
        } finally {
            progress.lock.unlock();
        }
    }

    /** Whether a key is that of a union of jobs. */
    public static boolean isUnion(String key) {
        return key.contains(UNION);
    }

    /** The rank here of a process; -1 if it is not one of these. */
    int rankOf(int number) {
        return numbers == null ? processes().isOwn(number) ? number : -1
            : IntraCommunicator.indexOf(numbers, number);
    }

    /** The numbers of these ranks' processes. */
    int[] numbers(int[] ranks) {
        if (numbers == null) {
            return ranks;
        }
        int[] all = new int[ranks.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = numbers[ranks[i]];
        }
        return all;
    }

    /** What all ranks must have alike that are in one job or a union. */
    long fingerprint() {
        return 31 * Settings.ofThisProcess().fingerprint() + tablePrint;
    }

    /** This process has made a communicator. */
    synchronized void opened() {
        used++;
    }

    /** This process has freed a communicator. A union without any is left. */
    void closed() {
        boolean last;
        synchronized (this) {
            last = --used == 0;
        }
        if (last && own != null) {
            own.joined().endIfUnused(this);
        }
    }

    synchronized boolean isUsed() {
        return used > 0;
    }

    @Override
    public synchronized Ports ports() {
        if (ports == null) {
            ports = (bootstrap == null ? Parts.load().bootstrap() : bootstrap).ports();
            JobEnd.beforeEnd(ports::closeAll);
        }
        return ports;
    }

    synchronized Processes processes() {
        if (processes == null) {
            long pid = ProcessHandle.current().pid();
            boolean alone = job == null ? endpoint.size() == 1 : job.launcher().equals("none");
            String name = alone ? "single-" + pid + "-" + System.nanoTime()
                : job == null ? "threads-" + pid : job.key();
            processes = new Processes(name, endpoint.size());
        }
        return processes;
    }

    synchronized JoinedJobs joined() {
        if (joined == null) {
            joined = new JoinedJobs(this, job == null ? new Job("none", endpoint.rank(), endpoint.size(),
                endpoint.rank(), endpoint.size(), processes().ownJob()) : job);
        }
        return joined;
    }

    @Override
    public InterCommunicator parent() {
        return parent;
    }

    @Override
    public int applicationNumber() {
        return bootstrap == null ? 0 : bootstrap.applicationNumber();
    }

    @Override
    public int universeSize() {
        return bootstrap != null ? Math.max(endpoint.size(), Runtime.getRuntime().availableProcessors())
            : endpoint.size();
    }

    // ---- Provider ----

    @Override
    public void finish() {
        progress.lock.lock();
        progress.recorder.begins(FlightRecorder.FINALIZE, 0, FlightRecorder.NOBODY, 0);
        progress.lock.unlock();
        detachBuffer();
        new JobFinish(this, windows, joined, ports).run();
        if (job != null) {
            LingerWatch.start(endpoint.rank(), endpoint.size());
        }
    }

    @Override
    public void abort(int code, String why) {
        JobEnd.abort(endpoint, code, why);
    }

    @Override
    public IntraCommunicator world() {
        return world;
    }

    @Override
    public Communicator self() {
        return self;
    }

    @Override
    public void attachBuffer(long bytes) {
        messages.attachBuffer(bytes);
        if (joined != null) {
            joined.attachBuffer(bytes);
        }
    }

    @Override
    public void detachBuffer() {
        messages.detachBuffer();
        if (joined != null) {
            joined.detachBuffer();
        }
    }

    @Override
    public int awaitAny(Operation[] operations, int n) {
        return WaitAny.of(progress, operations, n);
    }

    @Override
    public void reduceLocal(Object in, long inOffset, Object inout, long inoutOffset, int count, TypeLayout type,
        Reduction op) {
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
        Devices ours = devices.devices();
        if (ours == null && buffer != null && buffer.getClass().getName().startsWith("jcuda.")) {
            throw new IllegalArgumentException("is a " + buffer.getClass().getName()
                + ", but brigade-cuda.jar is not on the class path; put it beside brigade.jar (Maven: org.brigade:brigade-cuda)");
        }
        return ours == null ? null : ours.underlying(buffer);
    }

    @Override
    public ByteBuffer mappable(int bytes) {
        return progress.mappable.make(bytes);
    }

    @Override
    public String setting(String name) {
        return Settings.ofThisProcess().get(name);
    }

    @Override
    public long limit(String name) {
        return Settings.ofThisProcess().number(name);
    }

    @Override
    public String processorName() {
        return HostName.get();
    }
}
