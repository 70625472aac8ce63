package org.brigade.communicator.job;

import mpi.ErrorClass;
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
import org.brigade.engine.job.JobEnd;
import org.brigade.failure.Failures;
import org.brigade.matching.CommunicatorMessages;
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
 * A job whose ranks are joined by links, as one of them sees it: what its communicators share. One object is this
 * process's own job ({@link #home}). Each union with other jobs ({@link JoinedJobs}) is another one.
 */
public final class LinkedJob {
    private static final String UNION = ".u";
    private static final int FIRST_FREE_CONTEXT = 6;
    private static final int CONTEXTS_PER_RANK = 1 << 18;

    private final Endpoint endpoint;
    private final Progress progress;
    private final Failures failures;
    private final ProcessDevices devices;
    private final WireSource wires;
    private final Selector selector;
    /** Of the table without that of this machine: processes of other jobs must have the same. */
    private final long tablePrint;
    private final boolean checks;
    private final CombinerCache combiners = new CombinerCache();
    private Contexts contexts;
    private final FreedContexts freed;
    /** Null until a window is made. */
    private WindowService windows;
    /** How many communicators this process has here. */
    private int used = -1; // that of all ranks is not made by a call

    /** Of a union: this process's own job, the number of each rank's process, the union's key. Else null. */
    private final LinkedJob own;
    private final int[] numbers;
    private final String key;

    /** Of the own job, both null where ranks are threads. The others are null until jobs are joined. */
    private final Bootstrap bootstrap;
    private final Job job;
    private Ports ports;
    private Processes processes;
    private JoinedJobs joined;

    /**
     * The own job, on an open endpoint.
     *
     * @param bootstrap what found the job; null where ranks are threads, as the job is
     * @param cores whether this rank has a processor to itself
     * @param checks whether each collective call is first compared with the other ranks' calls
     * @param given devices in place of this process's, or null
     * @param place in place of where this process runs, or null
     * @param tuned the rules that brigade tune made for such jobs here; null if there are none
     */
    public LinkedJob(Bootstrap bootstrap, Job job, Endpoint endpoint, CoreShare cores, boolean checks, Devices given,
        Place place, TuningTable tuned) {
        this(bootstrap, job, null, null, null, endpoint, cores, checks, given, place, tuned);
    }

    /** A union with other jobs. */
    LinkedJob(LinkedJob home, String key, int[] numbers, Endpoint endpoint) {
        this(null, null, home, key, numbers, endpoint, endpoint.cores(), home.checks, null, null, null);
    }

    private LinkedJob(Bootstrap bootstrap, Job job, LinkedJob own, String key, int[] numbers, Endpoint endpoint,
        CoreShare cores, boolean checks, Devices given, Place place, TuningTable tuned) {
        if (endpoint.size() > Job.MOST_RANKS) {
            throw ErrorClass.OTHER.in("Init", Job.tooMany(endpoint.size()));
        }
        this.bootstrap = bootstrap;
        this.job = job;
        this.own = own;
        this.key = key;
        this.numbers = numbers;
        this.endpoint = endpoint;
        this.checks = checks;
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
        Diagnostics.joinedBy(endpoint.nodes() == null ? "" : endpoint.fabric());
        wires = new WireSource(settings, place, endpoint.nodes(), endpoint.fabric(),
            endpoint.multicasts() != null, endpoint.speed());
        try {
            TuningTable table = TuningSource.load(settings);
            tablePrint = table.fingerprint();
            selector = Selector.of(table, tuned, settings);
        } catch (TuningException e) {
            throw ErrorClass.OTHER.in("Init on rank " + endpoint.rank() + " of " + endpoint.size(), e.getMessage());
        }
    }

    public Endpoint endpoint() {
        return endpoint;
    }

    public Progress progress() {
        return progress;
    }

    public Failures failures() {
        return failures;
    }

    public Selector selector() {
        return selector;
    }

    public boolean checks() {
        return checks;
    }

    /** Tells communicators what is known about the wires between their ranks. */
    public WireSource wires() {
        return wires;
    }

    public ProcessDevices devices() {
        return devices;
    }

    public CombinerCache combiners() {
        return combiners;
    }

    /** Which ranks are on which node; null if all ranks are on this node. */
    public Nodes nodes() {
        return endpoint.nodes();
    }

    /** All ranks. */
    public int[] ranks() {
        int[] all = new int[endpoint.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = i;
        }
        return all;
    }

    /** The point-to-point side of a communicator. */
    public CommunicatorMessages messages(int context, Membership membership) {
        return freed.messages().another(context, membership);
    }

    public void attachBuffer(long bytes) {
        freed.messages().attachBuffer(bytes);
    }

    public void detachBuffer() {
        freed.messages().detachBuffer();
    }

    /** Notes that a call has thrown before it began. */
    public void threw(int context) {
        progress.lock.lock();
        try {
            progress.recorder.made(FlightRecorder.REFUSED, (long) context << Integer.SIZE, FlightRecorder.NOBODY, -1);
        } finally {
            progress.lock.unlock();
        }
    }

    /** Says how this rank waits if {@code brigade.waiting.report} asks for it. */
    public void reportWaiting(String since) {
        if (job != null && Settings.ofThisProcess().isOn("waiting.report")) {
            System.err.println("brigade: rank " + job.rank() + " of " + job.size() + since + ", on processors "
                + Processors.ofThisThread() + OtherThreads.words() + ": " + progress.waiting());
        }
    }

    // ---- windows ----

    /** Serves windows; made when it is first asked for. */
    public synchronized WindowService windows() {
        if (windows == null) {
            windows = new WindowService(progress);
        }
        return windows;
    }

    /** Gives up the locks that this rank holds; in Finalize. */
    public void leaveWindows() {
        WindowService made = windows;
        if (made != null) {
            made.leave();
        }
    }

    /** Ends the thread that serves windows. */
    public void stopWindows() {
        WindowService made = windows;
        if (made != null) {
            made.stop();
        }
    }

    // ---- contexts ----

    public Contexts contexts() {
        return contexts;
    }

    /** For tests: others, which are fewer. */
    public void use(Contexts others) {
        contexts = others;
    }

    /**
     * A context that no communicator of the job uses and that no message in flight carries; see {@link Contexts#take}.
     */
    public long newContext() {
        freed.hear();
        return contexts.take();
    }

    /** This rank has freed a communicator: tells the communicator's rank 0; see {@link Contexts#ended}. */
    public void ended(int context, int[] members, long unreceived, long calls, boolean clean) {
        if (Integer.compareUnsigned(context, FIRST_FREE_CONTEXT) < 0) {
            return;
        }
        freed.ended(context, members, unreceived, calls, clean);
    }

    /** This process has made a communicator. */
    public synchronized void opened() {
        used++;
    }

    /** This process has freed a communicator. A union without any is left. */
    public void closed() {
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

    // ---- joined jobs ----

    /** The own job. */
    public LinkedJob home() {
        return own == null ? this : own;
    }

    /** Whether it is a union of jobs. */
    public boolean isUnion() {
        return own != null;
    }

    /** Whether a key is that of a union of jobs. */
    public static boolean isUnion(String key) {
        return key.contains(UNION);
    }

    /** The same number on all ranks that these links join, and another one where other links join the ranks. */
    public long links() {
        return (key == null ? processes().ownJob() : key).hashCode();
    }

    /** A key for a union, which nobody else uses; rank 0 of the union opens it by this key. */
    public String newUnion() {
        return processes().ownJob() + UNION + Long.toHexString(System.currentTimeMillis()) + "-"
            + ProcessHandle.current().pid() + "-" + Long.toHexString(System.nanoTime());
    }

    /** The rank here of a process; -1 if it is not one of these. */
    int rankOf(int number) {
        return numbers == null ? processes().isOwn(number) ? number : -1 : Processes.indexOf(numbers, number);
    }

    /** The numbers of these ranks' processes. */
    public int[] numbers(int[] ranks) {
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
    public long fingerprint() {
        return 31 * Settings.ofThisProcess().fingerprint() + tablePrint;
    }

    /** Where processes of other jobs are met. */
    public synchronized Ports ports() {
        if (ports == null) {
            ports = (bootstrap == null ? Parts.load().bootstrap() : bootstrap).ports();
            JobEnd.beforeEnd(ports::closeAll);
        }
        return ports;
    }

    /** As {@link #ports}; null if nobody has asked for them yet. */
    public synchronized Ports portsSoFar() {
        return ports;
    }

    public synchronized Processes processes() {
        if (processes == null) {
            long pid = ProcessHandle.current().pid();
            boolean alone = job == null ? endpoint.size() == 1 : job.launcher().equals("none");
            String name = alone ? "single-" + pid + "-" + System.nanoTime()
                : job == null ? "threads-" + pid : job.key();
            processes = new Processes(name, endpoint.size());
        }
        return processes;
    }

    /** The unions that this process is in. */
    public synchronized JoinedJobs joined() {
        if (joined == null) {
            joined = new JoinedJobs(this, job == null ? new Job("none", endpoint.rank(), endpoint.size(),
                endpoint.rank(), endpoint.size(), processes().ownJob()) : job);
        }
        return joined;
    }

    /** As {@link #joined}; null if it has never been in one. */
    public synchronized JoinedJobs joinedSoFar() {
        return joined;
    }
}
