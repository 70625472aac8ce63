package org.brigade.launch.fuzz;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import mpi.CartComm;
import mpi.Comm;
import mpi.Count;
import mpi.Datatype;
import mpi.DoubleComplex;
import mpi.Errhandler;
import mpi.FloatComplex;
import mpi.GraphComm;
import mpi.Group;
import mpi.Info;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Message;
import mpi.Op;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;
import mpi.Struct;
import mpi.UserFunction;
import mpi.User_function;
import mpi.Win;

/**
 * Arguments for every type that calls take: good ones, nulls, extremes, closed objects, and buffers of all kinds. NIO
 * buffers lie between canaries. The same on all ranks that ask in the same order.
 */
final class FuzzPools {
    private static final byte CANARY = (byte) 0xc5;
    private static final int MARGIN = 64;

    /** The communicators that calls are made on; all their ranks make the same calls. */
    final List<Intracomm> comms = new ArrayList<>();
    private final Map<Class<?>, List<Object>> pools = new LinkedHashMap<>();
    private final List<ByteBuffer> guarded = new ArrayList<>();
    private final List<Object> data = new ArrayList<>();
    private final List<Win> windows = new ArrayList<>();

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

    /** Makes new objects, together with the other ranks of a communicator. */
    FuzzPools(Intracomm all) {
        numbers();
        buffers();
        types();
        communicators(all);
        requests(comms.get(0));
        others();
    }

    /** Closes what calls have left open. */
    void close() {
        for (Win window : windows) {
            closed(window::free);
        }
        for (Intracomm comm : comms) {
            closed(comm::free);
        }
    }

    private static void closed(Runnable closing) {
        try {
            closing.run();
        } catch (mpi.MPIException already) {
            // A call has closed it.
        }
    }

    private void numbers() {
        pool(int.class, Integer.MIN_VALUE, -32766, -2, -1, 0, 0, 0, 1, 1, 1, 2, 3, 4, 5, 7, 16, 17, 100, 1 << 20,
            Integer.MAX_VALUE - 1, Integer.MAX_VALUE);
        pool(long.class, Long.MIN_VALUE, -1L, 0L, 1L, 4L, Long.MAX_VALUE);
        pool(boolean.class, true, false);
        pool(double.class, 0.0, Double.NaN);
        pool(float.class, 0f, Float.NaN);
        pool(short.class, (short) 1);
        pool(byte.class, (byte) 1);
        pool(char.class, 'x');
        pool(int[].class, null, new int[0], new int[4], new int[] {1, 1, 1, 1}, new int[] {0, 1, 2, 3},
            new int[] {3, 3, 3, 3}, new int[] {-1, 0, 1, 2}, new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE, 1, 1},
            new int[] {Integer.MIN_VALUE, 0, 0, 0}, new int[3], new int[9], new int[] {1, 1}, new int[] {0, 1, 7, 7, 7},
            new int[] {1, 1, Integer.MAX_VALUE, -9});
        pool(int[][].class, null, new int[0][], new int[][] {null}, new int[][] {{0}}, new int[][] {{0, 0, 1}},
            new int[][] {{0, Integer.MAX_VALUE - 1, 1}}, new int[][] {{Integer.MIN_VALUE, Integer.MAX_VALUE, 1}},
            new int[][] {{1, 1, Integer.MIN_VALUE}, {0, 0, 1}});
        pool(boolean[].class, null, new boolean[0], new boolean[2], new boolean[] {true, false, true});
    }

    /** A buffer of its own in the middle of a longer one. */
    private ByteBuffer guard(ByteBuffer whole) {
        for (int i = 0; i < whole.capacity(); i++) {
            whole.put(i, i < MARGIN || i >= whole.capacity() - MARGIN ? CANARY : 0);
        }
        guarded.add(whole);
        return whole.slice(MARGIN, whole.capacity() - 2 * MARGIN).order(ByteOrder.nativeOrder());
    }

    private ByteBuffer direct(int bytes) {
        return guard(ByteBuffer.allocateDirect(bytes + 2 * MARGIN));
    }

    private ByteBuffer heap(int bytes) {
        return guard(ByteBuffer.allocate(bytes + 2 * MARGIN));
    }

    /** What was written outside of a buffer; null if nothing was. */
    String harm() {
        for (ByteBuffer whole : guarded) {
            for (int i = 0; i < MARGIN; i++) {
                if (whole.get(i) != CANARY || whole.get(whole.capacity() - 1 - i) != CANARY) {
                    return "the canaries around " + whole + " are dead";
                }
            }
        }
        return null;
    }

    /** A hash of all buffers, to see whether a refused call has written. */
    int contents() {
        int hash = 0;
        for (Object each : data) {
            hash = 31 * hash + (each instanceof byte[] a ? Arrays.hashCode(a)
                : each instanceof int[] b ? Arrays.hashCode(b)
                    : each instanceof double[] c ? Arrays.hashCode(c) : ((ByteBuffer) each).hashCode());
        }
        return hash;
    }

    private void buffers() {
        byte[] bytes = new byte[64];
        int[] ints = new int[16];
        double[] doubles = new double[16];
        pool(Object.class, null, new byte[0], bytes, new boolean[16], new char[16], new short[16], ints, ints.clone(),
            new int[3], new long[16], new float[16], doubles, heap(16), heap(64), direct(64), direct(64), direct(3),
            direct(4096), direct(64).asReadOnlyBuffer(), heap(16).asReadOnlyBuffer(), direct(32).limit(3),
            direct(64).asIntBuffer(), direct(64).asIntBuffer(), direct(64).asDoubleBuffer(), direct(64).asFloatBuffer(),
            direct(64).order(ByteOrder.BIG_ENDIAN).asIntBuffer(), IntBuffer.allocate(16), heap(16).asDoubleBuffer(),
            "text", new Object(), new Object[4], new Integer[4], new int[4][4]);
        data.addAll(List.of(bytes, ints, doubles));
        data.addAll(guarded);
    }

    private void types() {
        Datatype backwards = Datatype.createResized(MPI.INT, 0, -8);
        Datatype apart = Datatype.createVector(2, 1, 3, MPI.INT);
        Datatype overlapping = Datatype.createIndexed(new int[] {2, 2}, new int[] {0, 1}, MPI.INT);
        Datatype uncommitted = Datatype.createContiguous(2, MPI.DOUBLE);
        Datatype freed = Datatype.createContiguous(3, MPI.INT);
        freed.free();
        for (Datatype each : List.of(backwards, apart, overlapping)) {
            each.commit();
        }
        pool(Datatype.class, null, MPI.DATATYPE_NULL, MPI.INT, MPI.INT, MPI.INT, MPI.BYTE, MPI.BYTE, MPI.BOOLEAN,
            MPI.CHAR, MPI.DOUBLE, MPI.DOUBLE, MPI.INT2, MPI.LONG2, MPI.DOUBLE_INT, MPI.SHORT_INT, MPI.FLOAT_COMPLEX,
            MPI.PACKED, MPI.BFLOAT16, MPI.OBJECT, new Mixed().getType(), backwards, apart, overlapping, uncommitted,
            freed);
        pool(Datatype[].class, null, new Datatype[0], new Datatype[4], new Datatype[] {MPI.INT, MPI.INT, MPI.BYTE,
            MPI.DOUBLE}, new Datatype[] {MPI.INT, null, MPI.INT, MPI.INT});
        Op freedOp = new Op(new UserFunction() {
        }, true);
        freedOp.free();
        pool(Op.class, null, MPI.SUM, MPI.SUM, MPI.MAX, MPI.MAXLOC, MPI.BAND, MPI.LOR, freedOp,
            new Op(new UserFunction() {
            }, false));
        pool(UserFunction.class, null, new UserFunction() {
        });
        pool(User_function.class, new Object[] {null});
    }

    private void communicators(Intracomm all) {
        Intracomm comm = all.dup();
        CartComm cart = all.createCart(new int[] {all.getSize()}, new boolean[] {true}, false);
        GraphComm graph = all.createDistGraphAdjacent(new int[] {0}, all.getRank() == 0 ? each(all.getSize())
            : new int[0], null, false);
        Intracomm freed = all.dup();
        freed.free();
        Intracomm none = all.split(MPI.UNDEFINED, 0);
        comms.addAll(List.of(comm, cart, graph));
        pool(Comm.class, null, comm, comm, MPI.COMM_SELF, freed, none, Intercomm.getParent());
        pool(Intracomm.class, comm, comm, comm, cart, freed, none);
        pool(CartComm.class, cart);
        pool(GraphComm.class, graph);
        pool(Intercomm.class, Intercomm.getParent());
        Group freedGroup = comm.getGroup();
        freedGroup.free();
        pool(Group.class, null, MPI.GROUP_EMPTY, freedGroup, comm.getGroup(), comm.getGroup().incl(new int[] {0}));
    }

    private static int[] each(int count) {
        int[] numbers = new int[count];
        Arrays.setAll(numbers, i -> i);
        return numbers;
    }

    private void requests(Intracomm comm) {
        Prequest freed = comm.sendInit(new int[4], 4, MPI.INT, MPI.PROC_NULL, 0);
        freed.free();
        pool(Request.class, MPI.REQUEST_NULL, comm.iSend(MPI.newIntBuffer(1), 1, MPI.INT, MPI.PROC_NULL, 0),
            comm.iRecv(MPI.newIntBuffer(1), 1, MPI.INT, MPI.PROC_NULL, 0));
        pool(Request[].class, null, new Request[0], new Request[2], new Request[] {MPI.REQUEST_NULL, null},
            new Request[] {comm.iSend(MPI.newIntBuffer(1), 1, MPI.INT, MPI.PROC_NULL, 0), null});
        pool(Prequest.class, freed, comm.sendInit(new int[4], 4, MPI.INT, MPI.PROC_NULL, 0));
        pool(Prequest[].class, null, new Prequest[0], new Prequest[2], new Prequest[] {freed});
        pool(Message.class, null, new Message());
    }

    private void others() {
        Win window = new Win(64, 1, MPI.INFO_NULL, MPI.COMM_SELF, direct(64), Win.FLAVOR_PRIVATE);
        Win onBuffer = new Win(direct(64), 64, 1, MPI.INFO_NULL, MPI.COMM_SELF);
        Win freed = new Win(MPI.INFO_NULL, MPI.COMM_SELF);
        freed.free();
        windows.addAll(List.of(window, onBuffer));
        pool(Win.class, window, onBuffer, freed);
        Info freedInfo = new Info();
        freedInfo.free();
        pool(Info.class, null, MPI.INFO_NULL, MPI.INFO_ENV, new Info(), freedInfo);
        pool(String.class, null, "", "key", "x".repeat(10_000));
        pool(String[].class, null, new String[0], new String[] {null});
        pool(Errhandler.class, null, MPI.ERRORS_RETURN);
        pool(Count.class, null, new Count(-1), new Count(3), new Count(Long.MAX_VALUE));
        pool(Class.class, null, String.class);
        pool(Struct.class, null, new Mixed(), MPI.doubleInt);
        pool(Status.class, new Status());
        pool(DoubleComplex.class, DoubleComplex.get(new double[4], 1));
        pool(FloatComplex.class, FloatComplex.get(new float[4], 1));
    }

    private void pool(Class<?> type, Object... values) {
        pools.put(type, new ArrayList<>(Arrays.asList(values)));
    }

    /** A value of a type: from its own pool, else from those of the objects that fit it. */
    Object any(Class<?> type, Random random) {
        List<Object> pool = pools.computeIfAbsent(type, missing -> {
            List<Object> fitting = new ArrayList<>(Collections.singletonList(null));
            for (List<Object> each : List.copyOf(pools.values())) {
                for (Object value : each) {
                    if (missing.isInstance(value) && (!Buffer.class.isAssignableFrom(missing) || value != null)) {
                        fitting.add(value);
                    }
                }
            }
            return fitting;
        });
        return pool.get(random.nextInt(pool.size()));
    }
}
