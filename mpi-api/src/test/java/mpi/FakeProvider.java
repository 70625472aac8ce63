package mpi;

import java.nio.ByteBuffer;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import mpi.front.job.Handle;
import mpi.front.job.JobState;
import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.Envelope;
import mpi.spi.InterCommunicator;
import mpi.spi.MatchedMessage;
import mpi.spi.Operation;
import mpi.spi.PersistentOperation;
import mpi.spi.Provider;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import mpi.spi.window.WindowEnd;
import mpi.spi.window.WindowMaker;

/** A provider without a job: it records what comes down. */
public final class FakeProvider implements Provider {
    private final FakePorts ports = new FakePorts();

    /** What came down last: the method's name, then its arguments. */
    static final List<Object> last = new ArrayList<>();

    /** The collective call that came down last. */
    static Started started;

    /** Whether communicators remember calls that are made again; whether the last call was one that they remembered. */
    static boolean remembers;
    static boolean repeated;

    private static void remember(Call call) {
        repeated = call.memo != null;
        if (remembers && call.repeats) {
            call.memo = again -> false;
        }
    }

    /** What a collective call said when it came down; the call itself lets go of its buffers. */
    record Started(Collective collective, Object send, long sendOffset, long sendBytes, Object recv, long recvOffset,
        long recvBytes, boolean inPlace,
        int root, TypeLayout type, Reduction op, boolean blocking) {
        static Started of(Call call) {
            return new Started(call.collective, call.send.buffer, call.send.offset, call.send.blocks.total(),
                call.recv.buffer, call.recv.offset,
                call.recv.blocks.total(), call.inPlace, call.root, call.type, call.op, call.blocking);
        }
    }

    /** A communicator of this rank and size that records its calls; nonblocking ones are complete at once. */
    public static Communicator communicator(String name, int rank, int size) {
        return communicator(name, rank, size, 0);
    }

    /** The same; an inter-communicator if there are others. */
    private static Communicator communicator(String name, int rank, int size, int others) {
        int[] members = new int[size];
        Arrays.setAll(members, i -> i);
        String[] current = {name};
        return (Communicator) Proxy.newProxyInstance(FakeProvider.class.getClassLoader(),
            others == 0 ? new Class<?>[] {Communicator.class, WindowMaker.class}
                : new Class<?>[] {InterCommunicator.class},
            (self, method, args) -> {
                switch (method.getName()) {
                    case "rank" :
                        return rank;
                    case "size" :
                        return size;
                    case "members" :
                        return members;
                    case "threw" :
                        return null; // a note, and nothing that came down
                    case "name" :
                        return current[0];
                    case "equals" :
                        return self == args[0];
                    case "hashCode" :
                        return System.identityHashCode(self);
                    case "rename" :
                        current[0] = (String) args[0];
                        return null;
                    case "refused" :
                        return null;
                    case "window" :
                        if (args[6] != null) {
                            throw (RuntimeException) args[6];
                        }
                        last.clear();
                        last.addAll(Arrays.asList("window", args[1], args[2], args[3]));
                        return window();
                    case "split" :
                        last.clear();
                        last.addAll(List.of("split", args[0], args[1]));
                        return (int) args[0] < 0 ? null : communicator("split", 0, 1);
                    case "duplicate" :
                        return communicator(name + "-copy", rank, size, others);
                    case "remoteMembers" :
                        return Arrays.copyOf(new int[] {7, 9, 8, 6}, others);
                    case "merge" :
                        return communicator("merged", rank, size + others);
                    case "connect" :
                        if (args[5] != null) {
                            throw (MPIException) args[5];
                        }
                        return communicator("joined", rank, size, 3);
                    case "create" :
                    case "createGroup" :
                        return Arrays.stream((int[]) args[0]).anyMatch(r -> r == rank)
                            ? communicator("created", 0, ((int[]) args[0]).length) : null;
                    case "levels" :
                        return new int[0][];
                    case "core" :
                        return self;
                    case "failed" :
                        return new int[0];
                    case "acknowledge" :
                        return 0;
                    case "shrink" :
                        return communicator("shrunk", rank, size);
                    case "start" :
                        started = Started.of((Call) args[0]);
                        remember((Call) args[0]);
                        return started.blocking() ? null : new Finished();
                    case "prepare" :
                        started = Started.of((Call) args[0]);
                        return new Finished();
                    case "improbe" :
                    case "mprobe" :
                        last.clear();
                        last.addAll(List.of(method.getName(), args[0], args[1]));
                        ((Envelope) args[2]).fill(1, 7, 8, false);
                        return (MatchedMessage) (buffer, offset, count, type, call) -> {
                            last.clear();
                            last.addAll(List.of("receive", buffer, offset, count, type));
                            return new Finished();
                        };
                    default :
                        last.clear();
                        last.add(method.getName());
                        last.addAll(Arrays.asList(args == null ? new Object[0] : args));
                        if (method.getReturnType() == boolean.class) {
                            return false;
                        }
                        return Operation.class.isAssignableFrom(method.getReturnType()) ? new Finished() : null;
                }
            });
    }

    static Intracomm intracomm(int rank, int size) {
        return new Intracomm(Handle.of(communicator("TEST", rank, size)));
    }

    /** Between a group of this size and one of three ranks. */
    static Intercomm intercomm(int rank, int size) {
        return new Intercomm(Handle.of(communicator("BETWEEN", rank, size, 3)));
    }

    /** Starts the fake job unless it runs. */
    public static void run() {
        if (JobState.isNew()) {
            MPI.Init(new String[0]);
        }
    }

    /** A window whose calls are complete at once, without any memory. */
    private static WindowEnd window() {
        return (WindowEnd) Proxy.newProxyInstance(FakeProvider.class.getClassLoader(), new Class<?>[] {WindowEnd.class},
            (self, method, args) -> {
                Class<?> result = method.getReturnType();
                return result == boolean.class ? (Object) true : result == long.class ? 0L : null;
            });
    }

    /** A persistent operation, complete at every start, whose wait does something first. */
    static PersistentOperation persistent(Runnable atWait) {
        return new Finished() {
            @Override
            public void await() {
                atWait.run();
            }
        };
    }

    private static class Finished implements PersistentOperation.InPartitions {
        @Override
        public void start() {
            last.clear();
            last.add("started");
        }

        @Override
        public void free() {
            last.clear();
            last.add("freed");
        }

        @Override
        public boolean test() {
            return true;
        }

        @Override
        public void await() {
            // Complete from the beginning.
        }

        @Override
        public void cancel() {
            // Too late.
        }

        @Override
        public void describe(Envelope envelope) {
            envelope.fill(MPI.ANY_SOURCE, MPI.ANY_TAG, 0, false);
        }

        @Override
        public void ready(int first, int last, String call) {
            // Complete from the beginning.
        }

        @Override
        public boolean arrived(int partition) {
            return true;
        }
    }

    /** Ports of this process, without any file. */
    private static final class FakePorts implements mpi.spi.PortNames {
        private final Map<String, String> names = new HashMap<>();

        @Override
        public String open(String call) {
            return "a port";
        }

        @Override
        public void close(String call, String port) {
            requirePort(call, port);
        }

        @Override
        public void publish(String call, String service, String port) {
            requirePort(call, port);
            if (names.putIfAbsent(service, port) != null) {
                throw ErrorClass.SERVICE.in(call, "name '" + service + "' is published already; choose another");
            }
        }

        @Override
        public void unpublish(String call, String service, String port) {
            if (!names.remove(service, port)) {
                throw ErrorClass.SERVICE.in(call, "name '" + service + "' is not published; publish it first");
            }
        }

        @Override
        public String lookup(String call, String service) {
            String port = names.get(service);
            if (port == null) {
                throw ErrorClass.NAME.in(call, "nobody has published name '" + service + "'; publish it first");
            }
            return port;
        }

        private static void requirePort(String call, String port) {
            if (!"a port".equals(port)) {
                throw ErrorClass.PORT.in(call, "'" + port + "' is not a port; pass what openPort has returned");
            }
        }
    }

    @Override
    public void init() {
        last.clear();
    }

    @Override
    public void finish() {
        last.clear();
        last.add("finish");
    }

    @Override
    public void abort(int code, String why) {
        last.clear();
        last.addAll(List.of("abort", code, why));
    }

    @Override
    public Communicator world() {
        return communicator("MPI_COMM_WORLD", 2, 4);
    }

    @Override
    public Communicator self() {
        return communicator("MPI_COMM_SELF", 0, 1);
    }

    @Override
    public void attachBuffer(long bytes) {
        last.clear();
        last.addAll(List.of("attachBuffer", bytes));
    }

    @Override
    public void detachBuffer() {
        last.clear();
        last.add("detachBuffer");
    }

    @Override
    public int awaitAny(Operation[] operations, int n) {
        for (boolean active = true; active;) {
            active = false;
            for (int i = 0; i < n; i++) {
                active |= operations[i] != null;
                try {
                    if (operations[i] != null && operations[i].test()) {
                        return i;
                    }
                } catch (MPIException failed) {
                    operations[i] = null;
                    throw failed;
                }
            }
        }
        return -1;
    }

    @Override
    public void reduceLocal(Object in, long inOffset, Object inout, long inoutOffset, int count, TypeLayout type,
        Reduction op) {
        last.clear();
        last.addAll(Arrays.asList("reduceLocal", in, inOffset, inout, inoutOffset, count, type, op));
    }

    @Override
    public Object underlying(Object buffer) {
        return FakeDevice.underlying(buffer);
    }

    @Override
    public ByteBuffer mappable(int bytes) {
        return null;
    }

    @Override
    public String setting(String name) {
        return null;
    }

    @Override
    public long limit(String name) {
        return name.equals("object.depth") ? 100 : 1000;
    }

    @Override
    public String processorName() {
        return "here";
    }

    @Override
    public mpi.spi.PortNames ports() {
        return ports;
    }

    @Override
    public mpi.spi.InterCommunicator parent() {
        return null;
    }

    @Override
    public int applicationNumber() {
        return 0;
    }

    @Override
    public int universeSize() {
        return world().size();
    }
}
