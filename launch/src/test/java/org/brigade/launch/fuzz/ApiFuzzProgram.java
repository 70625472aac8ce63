package org.brigade.launch.fuzz;

import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import mpi.CartComm;
import mpi.Datatype;
import mpi.Group;
import mpi.Info;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Message;
import mpi.Op;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;
import mpi.Struct;
import mpi.Win;

/**
 * Makes random calls of the API by reflection: all calls on communicators of one rank, then collective calls on one of
 * all ranks. With brigade.check one rank sometimes passes other arguments than the rest. Every call does what it says
 * or throws an MPIException; nothing is written outside of a buffer, nor by a call that is refused; and a good call
 * works after every few others.
 *
 * <p>
 * Arguments: the seed, and how many calls each rank makes. Exits with code 1 if anything was wrong, and with code 2 if
 * a call does not end.
 */
final class ApiFuzzProgram {
    private static final int CALLS_A_POOL = 400;
    private static final int CALLS_A_CHECK = 40;
    private static final long PATIENCE_MILLIS = 120_000;
    private static final List<Class<?>> CLASSES = List.of(MPI.class, Intracomm.class, CartComm.class, Datatype.class,
        Group.class, Info.class, Message.class, Op.class, Prequest.class, Request.class, Status.class, Struct.class,
        Win.class);
    /** What ends the job, starts processes, waits for others, or allocates what it is told. */
    private static final Pattern LEFT_OUT = Pattern.compile("(?i)init|initthread|finalize|abort|spawn.*|accept|connect"
        + "|.*errhandler|errorhandler_.*|new.+buffer|wait|notify.*|equals|hashcode|tostring|getclass");
    private static final Pattern WAITING =
        Pattern.compile("(?i)recv|s?send|i?m?probe|.*sendrecv.*|mrecv|create_?group");
    private static final Set<String> OF_OTHERS = Set.of("start", "complete", "post", "waitFor", "test");
    private static final Pattern COLLECTIVE = Pattern.compile("(?i)i?(neighbor)?(bcast|barrier|all_?gatherv?|gatherv?"
        + "|scatterv?|all_?to_?all[vw]?|all_?reduce|reduce|reduce_?scatter(_?block)?|ex_?scan|scan)(_?init)?");
    /** Calls that all ranks refuse alike. Where one refuses alone the others may wait, unless calls are compared. */
    private static final Pattern REFUSED_BY_ALL =
        Pattern.compile("(?i)i?(barrier|all_?reduce|reduce_?scatter_?block|scan)(_?init)?");
    private static final Set<Integer> REFUSALS = Set.of(MPI.ERR_COUNT, MPI.ERR_BUFFER, MPI.ERR_TYPE, MPI.ERR_ROOT,
        MPI.ERR_RANK, MPI.ERR_TAG, MPI.ERR_OP);

    private final int rank;
    private final int size;
    private final Random shared;
    private final Random own;
    private final Map<String, String> wrong = new TreeMap<>();
    private FuzzPools pools;
    private long refused;
    /** The call under way and when it began, for the watch. */
    private volatile String under = "";
    /** The last call that failed, and how: another rank may wait for it. */
    private volatile String failed = "";
    private volatile long since = System.currentTimeMillis();

    private ApiFuzzProgram(long seed) {
        rank = MPI.COMM_WORLD.getRank();
        size = MPI.COMM_WORLD.getSize();
        shared = new Random(seed);
        own = new Random(seed + 1 + rank);
    }

    public static void main(String[] arguments) {
        String[] own = MPI.Init(arguments);
        MPI.COMM_WORLD.setErrhandler(MPI.ERRORS_RETURN);
        ApiFuzzProgram fuzz = new ApiFuzzProgram(Long.parseLong(own[0]));
        int calls = Integer.parseInt(own[1]);
        fuzz.watch();
        fuzz.alone(calls / 2);
        fuzz.together(calls / 2);
        fuzz.wrong.forEach((call, what) -> System.out.println("wrong: " + call + ": " + what));
        System.out.println("rank " + fuzz.rank + ": " + calls + " calls, " + fuzz.refused + " refused, "
            + fuzz.wrong.size() + " wrong");
        MPI.Finalize();
        System.exit(fuzz.wrong.isEmpty() ? 0 : 1);
    }

    /** A call that does not end is shown, and ends the job. */
    private void watch() {
        Thread main = Thread.currentThread();
        Thread watch = new Thread(() -> {
            while (System.currentTimeMillis() - since < PATIENCE_MILLIS) {
                try {
                    Thread.sleep(500);
                } catch (InterruptedException e) {
                    return;
                }
            }
            System.out.println("hangs: rank " + rank + " in " + under + ", after " + failed + "\n    "
                + String.join("\n    ", Arrays.stream(main.getStackTrace()).map(Object::toString).toList()));
            Runtime.getRuntime().halt(2);
        });
        watch.setDaemon(true);
        watch.start();
    }

    private static List<Method> methods(Class<?> type) {
        List<Method> found = new ArrayList<>();
        for (Method each : type.getMethods()) {
            if (each.getDeclaringClass().getPackage() == MPI.class.getPackage()
                && !LEFT_OUT.matcher(each.getName()).matches()
                && !(type == Win.class && OF_OTHERS.contains(each.getName()))) {
                found.add(each);
            }
        }
        found.sort(Comparator.comparing(Method::toString)); // the JVM's order differs from rank to rank
        return found;
    }

    // ---- all calls, on communicators of one rank ----

    private void alone(int calls) {
        List<Method> all = new ArrayList<>();
        List<Class<?>> targets = new ArrayList<>();
        for (Class<?> type : CLASSES) {
            for (Method each : methods(type)) {
                all.add(each);
                targets.add(type);
            }
        }
        for (int call = 0; call < calls; call++) {
            if (call % CALLS_A_POOL == 0) {
                renew(MPI.COMM_SELF);
            }
            int which = own.nextInt(all.size());
            Method method = all.get(which);
            Object target = Modifier.isStatic(method.getModifiers()) ? null : pools.any(targets.get(which), own);
            if (target == null && !Modifier.isStatic(method.getModifiers())) {
                continue;
            }
            Object[] arguments = arguments(method, own);
            if (WAITING.matcher(method.getName()).matches()) {
                keepOthersOut(arguments);
            }
            invoke(method, target, arguments);
            if (call % CALLS_A_CHECK == 0) {
                good(MPI.COMM_SELF);
            }
        }
        pools.close();
    }

    private void renew(Intracomm comm) {
        if (pools != null) {
            pools.close();
        }
        pools = new FuzzPools(comm);
    }

    private Object[] arguments(Executable code, Random random) {
        Object[] arguments = new Object[code.getParameterCount()];
        Arrays.setAll(arguments, i -> pools.any(code.getParameterTypes()[i], random));
        return arguments;
    }

    /** No argument names a rank from which, or to which, a message would be waited for. */
    private static void keepOthersOut(Object[] arguments) {
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i] instanceof Integer n && (n == 0 || n == MPI.ANY_SOURCE)) {
                arguments[i] = 3;
            }
        }
    }

    // ---- collective calls, on a communicator of all ranks ----

    private void together(int calls) {
        List<Method> collectives = methods(CartComm.class);
        boolean checked = Boolean.getBoolean("brigade.check");
        Pattern which = checked ? COLLECTIVE : REFUSED_BY_ALL;
        collectives.removeIf(each -> !which.matcher(each.getName()).matches());
        for (int call = 0; call < calls; call++) {
            if (call % CALLS_A_POOL == 0) {
                renew(MPI.COMM_WORLD);
            }
            Method method = collectives.get(shared.nextInt(collectives.size()));
            Intracomm target = pools.comms.get(shared.nextInt(pools.comms.size()));
            boolean odd = checked && shared.nextInt(3) == 0;
            int oddRank = shared.nextInt(size);
            Object[] arguments = arguments(method, shared);
            if (odd && rank == oddRank && arguments.length > 0) {
                int changed = own.nextInt(arguments.length);
                arguments[changed] = pools.any(method.getParameterTypes()[changed], own);
            }
            if (method.getDeclaringClass().isInstance(target)) {
                invoke(method, target, arguments);
            }
            if (call % CALLS_A_CHECK == 0) {
                good(MPI.COMM_WORLD);
            }
        }
        pools.close();
    }

    // ---- a call ----

    private void invoke(Method method, Object target, Object[] arguments) {
        String name = method.getDeclaringClass().getSimpleName() + "." + method.getName();
        int before = pools.contents();
        under = name + shown(arguments);
        since = System.currentTimeMillis();
        try {
            Object result = method.invoke(target, arguments);
            if (result instanceof Prequest prepared && COLLECTIVE.matcher(method.getName()).matches()) {
                prepared.start();
                prepared.waitFor();
                prepared.free();
            } else if (result instanceof Request begun && COLLECTIVE.matcher(method.getName()).matches()) {
                begun.waitFor();
            }
        } catch (MPIException later) {
            refused++;
            failed = under + ": " + later;
        } catch (InvocationTargetException e) {
            judge(name, arguments, e.getCause(), before);
        } catch (IllegalAccessException | RuntimeException e) {
            wrong.putIfAbsent(name, e + " of " + shown(arguments));
        }
        String harm = pools.harm();
        if (harm != null) {
            wrong.putIfAbsent(name, harm + " after " + shown(arguments));
        }
    }

    private void judge(String name, Object[] arguments, Throwable thrown, int before) {
        refused++;
        failed = under + ": " + thrown;
        if (thrown instanceof MPIException mpi) {
            if (mpi.getMessage() == null) {
                wrong.putIfAbsent(name, "an exception without a message");
            } else if (REFUSALS.contains(mpi.getErrorClass()) && !mpi.getMessage().contains("has failed on rank")
                && pools.contents() != before) {
                wrong.putIfAbsent(name, "a refused call has written: " + mpi.getMessage() + " of " + shown(arguments));
            }
        } else if (!(thrown instanceof ReadOnlyBufferException)) {
            StackTraceElement[] trace = thrown.getStackTrace();
            wrong.putIfAbsent(name, thrown + " of " + shown(arguments)
                + Arrays.asList(trace).subList(0, Math.min(6, trace.length)));
        }
    }

    /** A collective call and a message work as if nothing had been. */
    private void good(Intracomm comm) {
        under = "a good call";
        since = System.currentTimeMillis();
        int[] sum = new int[1];
        int ranks = comm.getSize();
        int me = comm.getRank();
        try {
            comm.allReduce(new int[] {me + 1}, sum, 1, MPI.INT, MPI.SUM);
            int[] got = new int[1];
            Request recv = comm.Irecv(got, 0, 1, MPI.INT, (me + 1) % ranks, 999_999);
            comm.Send(new int[] {me}, 0, 1, MPI.INT, (me + ranks - 1) % ranks, 999_999);
            recv.waitFor();
            if (sum[0] != ranks * (ranks + 1) / 2 || got[0] != (me + 1) % ranks) {
                wrong.putIfAbsent("a good call", "sum " + sum[0] + ", message " + got[0]);
            }
        } catch (MPIException e) {
            wrong.putIfAbsent("a good call", e.toString());
        }
    }

    private static String shown(Object[] arguments) {
        List<String> shown = new ArrayList<>();
        for (Object each : arguments) {
            shown.add(each == null || each instanceof Number || each instanceof Datatype || each instanceof Op
                || each instanceof java.nio.Buffer ? "" + each
                    : each instanceof int[] a ? Arrays.toString(a)
                        : each instanceof int[][] b ? Arrays.deepToString(b) : each.getClass().getSimpleName());
        }
        return shown.toString();
    }
}
