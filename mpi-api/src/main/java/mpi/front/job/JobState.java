package mpi.front.job;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Iterator;
import java.util.ServiceLoader;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Communicator;
import mpi.spi.Provider;
import mpi.spi.Providers;
import mpi.spi.interpose.Interposers;

/** This process's membership of its job: the phase of its life, and the provider that all calls go to. */
public final class JobState {
    /** Phases: before Init, between Init and Finalize, after Finalize. */
    public static final int NEW = 0, RUNNING = 1, OVER = 2;

    // Volatile costs nothing here on x86 and orders the provider's start before other threads' first calls.
    private static volatile int phase = NEW;
    /** Finalize has been called, though other threads of the program may still communicate. */
    private static volatile boolean finalizing;
    /** Whether this is a program of MPJ Express: mpjrun has been told so. */
    private static volatile boolean mpj;
    private static Provider provider;
    private static Thread mainThread;

    /** The word of mpjrun where MPJ Express passes the name of its configuration. */
    private static final String MPJ_CONFIGURATION = "mpjrun";
    /** Number of MPJ Express's arguments: rank, configuration and device. */
    private static final int MPJ_ARGUMENTS = 3;

    private JobState() {
    }

    /**
     * The arguments without those that mpjrun puts before them for a program of MPJ Express. Such a program also gets
     * the context class loader that MPJ Express's launcher gives it: a URLClassLoader of its class path.
     */
    public static String[] programArguments(String[] args) {
        boolean led = args != null && args.length >= MPJ_ARGUMENTS && MPJ_CONFIGURATION.equals(args[1])
            && Integer.toString(Handle.WORLD.rank).equals(args[0]);
        if (!led) {
            return args;
        }
        mpj = true;
        ClassPathLoader.giveTo(Thread.currentThread());
        return Arrays.copyOfRange(args, MPJ_ARGUMENTS, args.length);
    }

    /** Loads the provider, joins the job and opens the two predefined communicators. */
    public static synchronized void start(String call) {
        if (phase != NEW) {
            throw ErrorClass.OTHER.in(call, phase == RUNNING
                ? "MPI is initialized already; call it once, and ask MPI.isInitialized() where that is not clear"
                : "MPI has been finalized, and a process joins its job only once");
        }
        Provider found = load(call);
        found.init();
        provider = found;
        mainThread = Thread.currentThread();
        try {
            Interposers.addNamed(found.setting("interpose"));
        } catch (IllegalArgumentException noTool) {
            throw ErrorClass.OTHER.in(call, noTool.getMessage());
        }
        Interposers.joined(found.world());
        Handle.WORLD.open(Interposers.wrap(found.world()));
        Handle.SELF.open(Interposers.wrap(found.self()));
        describe();
        phase = RUNNING;
    }

    /** Fills in {@link Hints#ENVIRONMENT}: those of the standard's keys whose values are known. */
    private static void describe() {
        Hints.ENVIRONMENT.set("maxprocs", Integer.toString(Handle.WORLD.size));
        Hints.ENVIRONMENT.set("soft", Integer.toString(Handle.WORLD.size));
        Hints.ENVIRONMENT.set("thread_level", "MPI_THREAD_MULTIPLE");
        Hints.ENVIRONMENT.set("command", "java");
        describe("argv", System.getProperty("sun.java.command"));
        describe("host", provider.processorName());
        describe("wdir", System.getProperty("user.dir"));
        describe("arch", System.getProperty("os.arch"));
    }

    private static void describe(String key, String value) {
        if (value != null && value.length() <= Constants.MAX_INFO_VAL) {
            Hints.ENVIRONMENT.set(key, value);
        }
    }

    private static Provider load(String call) {
        Provider usual = Providers.usual();
        if (usual != null) {
            return usual;
        }
        Iterator<Provider> providers = ServiceLoader.load(Provider.class, JobState.class.getClassLoader()).iterator();
        if (!providers.hasNext()) {
            throw ErrorClass.OTHER.in(call,
                "nothing on the class path implements mpi.spi.Provider; put brigade.jar on it (java -cp"
                    + " brigade.jar:app.jar App)");
        }
        return providers.next();
    }

    /** Leaves the job. */
    public static synchronized void end(String call) {
        provider(call);
        if (finalizing) {
            throw ErrorClass.OTHER.in(call, "MPI has been finalized; call it once");
        }
        finalizing = true;
        if (!mpj || !LateFinalize.isPutOff()) {
            finish();
        }
    }

    static synchronized void finish() {
        Interposers.leaving();
        provider.finish();
        phase = OVER;
    }

    /** For tests: acts as in this phase of a job, which is none of MPJ Express's programs. */
    public static void pretend(int its) {
        phase = its;
        mpj = false;
    }

    /** For tests: the provider that calls go to; null for none. */
    public static void pretend(Provider its) {
        provider = its;
    }

    /** Whether this process has not been in Init. */
    public static boolean isNew() {
        return phase == NEW;
    }

    /** Whether this process is between Init and Finalize. */
    public static boolean isRunning() {
        return phase == RUNNING;
    }

    /** Whether Finalize has been called. */
    public static boolean isFinalized() {
        return phase == OVER || finalizing;
    }

    /** Whether this is a program of MPJ Express. */
    public static boolean isMpj() {
        return mpj;
    }

    /** The communicator to the processes that have spawned this job; null if none have. */
    public static Communicator parent(String call) {
        return Interposers.wrap(provider(call).parent());
    }

    /** The provider, if MPI is initialized and not finalized. */
    public static Provider provider(String call) {
        if (phase != RUNNING) {
            throw notRunning(call);
        }
        return provider;
    }

    /** As {@link Provider#mappable}; null before Init and after Finalize, too. */
    public static ByteBuffer mappable(int bytes) {
        Provider now = phase == RUNNING ? provider : null;
        return now == null ? null : now.mappable(bytes);
    }

    public static boolean isMainThread(String call) {
        provider(call);
        return Thread.currentThread() == mainThread;
    }

    /** The error of a call made too early or too late. */
    static MPIException notRunning(String call) {
        return ErrorClass.OTHER.in(call, phase == NEW
            ? "MPI is not initialized; call MPI.Init(args) first"
            : "MPI has been finalized; make this call before MPI.Finalize()");
    }
}
