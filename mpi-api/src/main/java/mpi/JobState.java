package mpi;

import java.util.Arrays;
import java.util.Iterator;
import java.util.ServiceLoader;
import mpi.spi.InterCommunicator;
import mpi.spi.Provider;
import mpi.spi.Providers;
import mpi.spi.interpose.Interposers;

/** This process's membership of its job: the phase of its life, and the provider that all calls go to. */
final class JobState {
    /** Phases: before Init, between Init and Finalize, after Finalize. */
    static final int NEW = 0, RUNNING = 1, OVER = 2;

    // Volatile costs nothing here on x86 and orders the provider's start before other threads' first calls.
    static volatile int phase = NEW;
    /** Finalize has been called, though other threads of the program may still communicate. */
    private static volatile boolean finalizing;
    /** Whether this is a program of MPJ Express: mpjrun has been told so. */
    static volatile boolean mpj;
    static Provider provider;
    private static Thread mainThread;
    /** Null before the first question for it. */
    private static Intercomm parent;

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
    static String[] programArguments(String[] args) {
        boolean led = args != null && args.length >= MPJ_ARGUMENTS && MPJ_CONFIGURATION.equals(args[1])
            && Integer.toString(MPI.COMM_WORLD.handle.rank).equals(args[0]);
        if (!led) {
            return args;
        }
        mpj = true;
        ClassPathLoader.giveTo(Thread.currentThread());
        return Arrays.copyOfRange(args, MPJ_ARGUMENTS, args.length);
    }

    /** Loads the provider, joins the job and opens the two predefined communicators. */
    static synchronized void start(String call) {
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
        MPI.COMM_WORLD.handle.open(Interposers.wrap(found.world()));
        MPI.COMM_SELF.handle.open(Interposers.wrap(found.self()));
        describe();
        phase = RUNNING;
    }

    /** Fills in {@link MPI#INFO_ENV}: those of the standard's keys whose values are known. */
    private static void describe() {
        MPI.INFO_ENV.set("maxprocs", Integer.toString(MPI.COMM_WORLD.handle.size));
        MPI.INFO_ENV.set("soft", Integer.toString(MPI.COMM_WORLD.handle.size));
        MPI.INFO_ENV.set("thread_level", "MPI_THREAD_MULTIPLE");
        MPI.INFO_ENV.set("command", "java");
        describe("argv", System.getProperty("sun.java.command"));
        describe("host", provider.processorName());
        describe("wdir", System.getProperty("user.dir"));
        describe("arch", System.getProperty("os.arch"));
    }

    private static void describe(String key, String value) {
        if (value != null && value.length() <= MPI.MAX_INFO_VAL) {
            MPI.INFO_ENV.set(key, value);
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
    static synchronized void end(String call) {
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

    /** Whether Finalize has been called. */
    static boolean isFinalized() {
        return phase == OVER || finalizing;
    }

    /** Whether this is a program of MPJ Express. */
    static boolean isMpj() {
        return mpj;
    }

    /** The inter-communicator to the processes that have spawned this job: always the same object. */
    static synchronized Intercomm parent(String call) {
        InterCommunicator lower = provider(call).parent();
        if (parent == null) {
            parent = new Intercomm(Handle.of(Interposers.wrap(lower)));
        }
        return parent;
    }

    /** The provider, if MPI is initialized and not finalized. */
    static Provider provider(String call) {
        if (phase != RUNNING) {
            throw notRunning(call);
        }
        return provider;
    }

    static boolean isMainThread(String call) {
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
