package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import mpi.front.requests.PersistentState;
import mpi.spi.PersistentOperation.Completed;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Calls the whole public API by reflection, with nulls, extremes and objects that do not fit together. A call does what
 * it says or throws an MPIException; no internal exception comes out.
 */
@Tag("once")
class ApiFuzzTest {
    private static final int CALLS_EACH = 250;
    private static final int ALL_CALLS = 100_000;
    /** What begins and ends jobs, allocates what it is told, is for users to override, or is Java's own. */
    private static final Set<String> LEFT_OUT =
        Set.of("Init", "InitThread", "initThread", "Finalize", "finalize", "wait", "notify", "notifyAll", "getClass",
            "newByteBuffer", "newCharBuffer", "newShortBuffer", "newIntBuffer", "newLongBuffer", "newFloatBuffer",
            "newDoubleBuffer", "setStackTrace",
            "printStackTrace", "initCause", "addSuppressed");

    private final Random random = new Random(20_15);
    private final Map<Class<?>, List<Object>> pools = new LinkedHashMap<>();

    /** A struct of this program's, with fields of every kind. */
    private static final class Mixed extends Struct {
        Mixed() {
            addInt();
            addDouble(3);
            addStruct(MPI.doubleInt);
        }

        @Override
        protected Data newData() {
            return new Data();
        }

        private final class Data extends Struct.Data {
        }
    }

    private static final class Empty extends Struct {
        @Override
        protected Data newData() {
            return null;
        }
    }

    @BeforeEach
    void fillAll() {
        fill();
        files();
    }

    private void fill() {
        FakeProvider.run();
        Intracomm comm = FakeProvider.intracomm(2, 4);
        Op freed = new Op(new UserFunction() {}, true);
        freed.free();
        Group freedGroup = comm.getGroup();
        freedGroup.free();
        Intracomm freedComm = FakeProvider.intracomm(0, 1);
        freedComm.free();
        Info freedInfo = new Info();
        freedInfo.free();
        pool(int.class, Integer.MIN_VALUE, -32766, -2, -1, 0, 0, 1, 1, 2, 2, 3, 4, 5, 7, 16, 17, 100,
            Integer.MAX_VALUE - 1, Integer.MAX_VALUE);
        pool(long.class, Long.MIN_VALUE, -1L, 0L, 1L, 4L, Long.MAX_VALUE);
        pool(boolean.class, true, false);
        pool(double.class, 0.0, Double.NaN);
        pool(float.class, 0f, Float.NaN);
        pool(short.class, (short) 1);
        pool(byte.class, (byte) 1);
        pool(char.class, 'x');
        ByteBuffer narrow = ByteBuffer.allocateDirect(32).limit(3);
        pool(Object.class, null, new byte[0], new byte[16], new byte[64], new boolean[16], new char[16], new short[16],
            new int[16], new int[3], new long[16],
            new float[16], new double[16], ByteBuffer.allocate(16), ByteBuffer.allocateDirect(64),
            ByteBuffer.allocateDirect(64).asReadOnlyBuffer(),
            ByteBuffer.allocate(16).asReadOnlyBuffer(), ByteBuffer.allocateDirect(64).slice(), narrow,
            IntBuffer.allocate(16), MPI.newIntBuffer(16),
            MPI.newDoubleBuffer(16), MPI.newFloatBuffer(16), MPI.newCharBuffer(16), MPI.newShortBuffer(16),
            LongBuffer.allocate(4).asReadOnlyBuffer(),
            ByteBuffer.allocate(16).asIntBuffer(), ByteBuffer.allocate(16).asDoubleBuffer(), "text", new Object(),
            new Object[4], new Integer[4], new int[4][4]);
        pool(int[].class, null, new int[0], new int[4], new int[] {1, 1, 1, 1}, new int[] {0, 1, 2, 3},
            new int[] {3, 3, 3, 3}, new int[] {-1, 0, 1, 2},
            new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE, 1, 1}, new int[] {Integer.MIN_VALUE, 0, 0, 0}, new int[3],
            new int[9]);
        pool(int[][].class, null, new int[0][], new int[][] {null}, new int[][] {{0}}, new int[][] {{0, 3, 1}},
            new int[][] {{3, 0, -1}}, new int[][] {{0, 3, 0}},
            new int[][] {{0, Integer.MAX_VALUE - 1, 1}}, new int[][] {{Integer.MIN_VALUE, Integer.MAX_VALUE, 1}},
            new int[][] {{0, Integer.MIN_VALUE, -1}},
            new int[][] {{1, 1, Integer.MIN_VALUE}, {0, 0, 1}});
        List<Datatype> types = new ArrayList<>(Arrays.asList(null, MPI.DATATYPE_NULL, MPI.INT, MPI.INT, MPI.BYTE,
            MPI.BOOLEAN, MPI.CHAR, MPI.DOUBLE, MPI.INT2, MPI.LONG2,
            MPI.DOUBLE_INT, MPI.SHORT_INT, MPI.FLOAT_COMPLEX, MPI.PACKED, MPI.BFLOAT16, new Mixed().getType(),
            new Empty().getType()));
        types.replaceAll(type -> type == null ? null : type.clone()); // calls rename them
        pool(Datatype.class, types.toArray());
        pool(Datatype[].class, null, new Datatype[0], new Datatype[4],
            new Datatype[] {MPI.INT, MPI.INT, MPI.BYTE, MPI.DOUBLE}, new Datatype[] {MPI.INT, null, MPI.INT, MPI.INT},
            new Datatype[] {MPI.BYTE, MPI.BYTE, MPI.BYTE, new Empty().getType()});
        pool(Op.class, null, MPI.SUM, MPI.MAX, MPI.MAXLOC, MPI.BAND, MPI.LOR, freed,
            new Op(new UserFunction() {}, false));
        pool(Request.class, new Request((mpi.spi.Operation) null), MPI.REQUEST_NULL, new Request(Completed.SENT),
            new Request(Completed.RECEIVED_FROM_NOBODY, MPI.INT, 0));
        pool(Request[].class, null, new Request[0], new Request[2], new Request[] {MPI.REQUEST_NULL, null},
            new Request[] {new Request(Completed.SENT), null});
        Prequest freedPrequest = comm.recvInit(new int[4], 4, MPI.INT, 0, 0);
        freedPrequest.free();
        Prequest active = comm.bcastInit(new int[4], 4, MPI.INT, 0, null);
        active.start();
        pool(Prequest.class, freedPrequest, active, comm.sendInit(new int[4], 4, MPI.INT, 0, 0),
            new Prequest(new PersistentState(comm.handle, Completed.SENT, null, 0)));
        pool(Prequest[].class, null, new Prequest[0], new Prequest[2], new Prequest[] {active, freedPrequest});
        Message probed = new Message();
        probed.mProbe(1, 7, comm);
        pool(Message.class, null, new Message(), probed);
        pool(Group.class, null, MPI.GROUP_EMPTY, freedGroup, comm.getGroup(), comm.getGroup().incl(new int[] {2, 0}));
        Intercomm between = FakeProvider.intercomm(1, 2);
        Intercomm freedBetween = FakeProvider.intercomm(0, 1);
        freedBetween.free();
        pool(Intercomm.class, between, between, freedBetween, Intercomm.getParent());
        pool(Comm.class, null, between, comm, comm, MPI.COMM_WORLD, MPI.COMM_SELF, freedComm,
            comm.split(MPI.UNDEFINED, 0));
        pool(Intracomm.class, comm, comm, MPI.COMM_WORLD, MPI.COMM_SELF, freedComm, comm.split(MPI.UNDEFINED, 0));
        pool(Info.class, null, MPI.INFO_NULL, MPI.INFO_ENV, new Info(), freedInfo);
        pool(String.class, null, "", "key", "native", "x".repeat(10_000));
        pool(String[].class, null, new String[0], new String[] {null});
        pool(Errhandler.class, null, MPI.ERRORS_RETURN, MPI.ERRORS_ARE_FATAL);
        pool(Count.class, null, new Count(-1), new Count(3), new Count(Long.MAX_VALUE));
        pool(Class.class, null, String.class, mpi.spi.Communicator.class);
        pool(UserFunction.class, null, new UserFunction() {});
        pool(User_function.class, new Object[] {null});
        pool(Throwable.class, null, new Error("x"));
        pool(Struct.class, null, new Mixed(), new Empty(), MPI.doubleInt, MPI.int2);
        Status odd = new Status();
        odd.fill(1, 2, 5, false);
        pool(Status.class, new Status(), odd);
        pool(DoubleComplex.class, DoubleComplex.get(new double[4], 1));
        pool(FloatComplex.class, FloatComplex.get(new float[4], 1));
        pool(boolean[].class, null, new boolean[0], new boolean[2], new boolean[] {true, false, true});
        topologies(comm);
        pool(Version.class, MPI.getVersion());
        pool(MPIException.class, new MPIException());
    }

    private void topologies(Intracomm comm) {
        int[] dims = {2, 2};
        int[] index = {1, 2, 4};
        int[] edges = {1, 0, 0, 1};
        CartComm cart = comm.createCart(dims, new boolean[] {true, false}, true);
        Cartcomm capitalCart = comm.Create_cart(dims, new boolean[] {true, false}, false);
        GraphComm graph = comm.createGraph(index, edges, true);
        Graphcomm capitalGraph = comm.Create_graph(index, edges, false);
        GraphComm distributed = comm.createDistGraphAdjacent(new int[] {1, 3}, new int[] {0, 1}, null, false);
        pool(CartComm.class, cart, comm.createCart(new int[0], new boolean[0], false));
        pool(Cartcomm.class, capitalCart);
        pool(GraphComm.class, graph, distributed);
        pool(Graphcomm.class, capitalGraph);
        pool(CartParms.class, cart.getTopo());
        pool(GraphParms.class, graph.getDims(), new GraphParms());
        pool(ShiftParms.class, cart.shift(0, 1));
        pool(DistGraphNeighbors.class, distributed.getDistGraphNeighbors());
    }

    @TempDir
    Path directory;

    /** One open file and a closed one, which calls may close too. Closing waits for the disk. */
    private void files() {
        for (Object old : pools.getOrDefault(mpi.File.class, List.of())) {
            if (((mpi.File) old).getView() != null) {
                ((mpi.File) old).close();
            }
        }
        int mode = MPI.MODE_CREATE | MPI.MODE_RDWR;
        mpi.File closed = new mpi.File(MPI.COMM_SELF, directory.resolve("closed").toString(), mode);
        closed.close();
        mpi.File open = new mpi.File(MPI.COMM_SELF, directory.resolve("open").toString(), mode);
        pool(mpi.File.class, open, open, open, closed);
        pool(FileView.class, open.getView(), new FileView(0, null, null, null));
    }

    /** Calls may have made files of these names in the pool of strings. */
    @AfterEach
    void deleteFiles() throws IOException {
        Files.deleteIfExists(Path.of("key"));
        Files.deleteIfExists(Path.of("native"));
    }

    /** Other tests of this JVM find the communicators and the job as they were. */
    @AfterEach
    void leaveNothingBehind() {
        for (Intracomm each : new Intracomm[] {MPI.COMM_WORLD, MPI.COMM_SELF}) {
            each.setErrhandler(MPI.ERRORS_ARE_FATAL);
            each.setInfo(null);
        }
        MPI.COMM_WORLD.setName("MPI_COMM_WORLD");
        MPI.COMM_SELF.setName("MPI_COMM_SELF");
        MPI.Buffer_detach();
    }

    private void pool(Class<?> type, Object... values) {
        pools.put(type, new ArrayList<>(Arrays.asList(values)));
    }

    /** A value of a type: from its own pool, else from those of the objects that fit it. */
    private Object any(Class<?> type) {
        List<Object> pool = pools.computeIfAbsent(type, missing -> {
            List<Object> fitting = new ArrayList<>(Collections.singletonList(null));
            for (List<Object> each : List.copyOf(pools.values())) {
                for (Object value : each) {
                    if (missing.isInstance(value)) {
                        fitting.add(value);
                    }
                }
            }
            return fitting;
        });
        return pool.get(random.nextInt(pool.size()));
    }

    private static List<Class<?>> publicClasses() throws URISyntaxException, ClassNotFoundException {
        File folder = new File(new File(MPI.class.getProtectionDomain().getCodeSource().getLocation().toURI()), "mpi");
        List<Class<?>> classes = new ArrayList<>();
        for (String file : new java.util.TreeSet<>(Arrays.asList(folder.list()))) {
            if (file.endsWith(".class")) {
                Class<?> each = Class.forName("mpi." + file.substring(0, file.length() - 6));
                if (Modifier.isPublic(each.getModifiers()) && !each.getSimpleName().endsWith("Test")) {
                    classes.add(each);
                }
            }
        }
        return classes;
    }

    private Object[] arguments(Executable code) {
        Object[] arguments = new Object[code.getParameterCount()];
        Arrays.setAll(arguments, i -> any(code.getParameterTypes()[i]));
        return arguments;
    }

    private static String shown(Object[] arguments) {
        List<String> shown = new ArrayList<>();
        for (Object each : arguments) {
            shown.add(each == null || each instanceof Number || each instanceof Datatype || each instanceof Op
                ? "" + each
                : each instanceof int[] ? Arrays.toString((int[]) each)
                    : each instanceof int[][] ? Arrays.deepToString((int[][]) each) : each.getClass().getSimpleName());
        }
        return shown.toString();
    }

    /** The internal exceptions that came out, by call. */
    private final Map<String, String> wrong = new TreeMap<>();

    private void invoke(String name, Object[] arguments, java.util.concurrent.Callable<Object> call) throws Exception {
        try {
            Object result = call.call();
            if (result instanceof Struct.Data || result instanceof DoubleComplex || result instanceof FloatComplex) {
                for (Method each : result.getClass().getMethods()) {
                    if (each.getDeclaringClass().getName().startsWith("mpi.") && !Modifier.isStatic(each.getModifiers())
                        && Modifier.isPublic(each.getDeclaringClass().getModifiers())) {
                        Object[] values = arguments(each);
                        invoke(name + "." + each.getName(), values, () -> each.invoke(result, values));
                    }
                }
            }
        } catch (InvocationTargetException e) {
            if (!(e.getCause() instanceof MPIException) && !(e.getCause() instanceof ReadOnlyBufferException)) {
                StackTraceElement[] trace = e.getCause().getStackTrace();
                wrong.putIfAbsent(name, e.getCause() + " of " + shown(arguments)
                    + Arrays.asList(trace).subList(0, Math.min(4, trace.length)));
            } else if (e.getCause().getMessage() == null && !(e.getCause() instanceof ReadOnlyBufferException)) {
                wrong.putIfAbsent(name, "an exception without a message");
            }
        }
    }

    /**
     * In a thread of its own, whose stack is short: most calls throw, and an exception costs what the stack is deep.
     */
    @Test
    void noInternalExceptionComesOutOfAnyCall() throws Exception {
        FutureTask<Integer> fuzz = new FutureTask<>(this::callAll);
        new Thread(fuzz, "fuzz").start();
        int calls = fuzz.get();
        StringBuilder all = new StringBuilder();
        wrong.forEach((call, what) -> all.append(call).append(": ").append(what).append('\n'));
        assertEquals("", all.toString());
        assertTrue(calls > ALL_CALLS, calls + " calls");
    }

    /** Returns how many calls it has made. */
    private int callAll() throws Exception {
        int calls = 0;
        for (Class<?> type : publicClasses()) {
            for (Method method : type.getMethods()) {
                boolean own = method.getDeclaringClass().getName().startsWith("mpi.")
                    && !method.getDeclaringClass().getName().startsWith("mpi.spi");
                if (!own || LEFT_OUT.contains(method.getName())
                    || Set.of(UserFunction.class, User_function.class, FakeProvider.class).contains(type)
                    || Struct.Data.class.isAssignableFrom(type) || type.isEnum()) {
                    continue; // an enum's own methods are the JDK's
                }
                for (int i = 0; i < CALLS_EACH; i++) {
                    Object[] arguments = arguments(method);
                    Object target = Modifier.isStatic(method.getModifiers()) ? null : any(type);
                    if (target != null || Modifier.isStatic(method.getModifiers())) {
                        calls++;
                        invoke(type.getSimpleName() + "." + method.getName(), arguments,
                            () -> method.invoke(target, arguments));
                    }
                }
                fill();
                if (type == mpi.File.class) {
                    files();
                }
            }
            boolean made = !Modifier.isAbstract(type.getModifiers()) && type != FakeProvider.class
                && type.getEnclosingClass() == null;
            for (Constructor<?> constructor : made ? type.getConstructors() : new Constructor<?>[0]) {
                for (int i = 0; i < 20; i++) {
                    Object[] arguments = arguments(constructor);
                    calls++;
                    invoke("new " + type.getSimpleName(), arguments, () -> constructor.newInstance(arguments));
                }
            }
        }
        return calls;
    }

    @Test
    void everyPublicCallCanBeMadeByReflection() throws IOException, ReflectiveOperationException, URISyntaxException {
        List<String> hidden = new ArrayList<>();
        for (Class<?> type : publicClasses()) {
            for (Method method : type.getMethods()) {
                if (!Modifier.isPublic(method.getDeclaringClass().getModifiers())) {
                    hidden.add(method.toString());
                }
            }
        }
        assertEquals(List.of(), hidden,
            "methods that Method.invoke refuses, as a class that is not public declares them");
    }
}
