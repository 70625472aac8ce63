package mpi.front.objects;

import java.io.ObjectInputFilter;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Objects;
import mpi.MPIException;
import mpi.front.job.JobState;
import mpi.spi.Provider;

/**
 * Which objects a rank accepts in messages of {@code MPI.OBJECT}: those whose classes are the program's, lambdas
 * included, or among {@link JdkClasses}, or named in {@code brigade.object.also}. All others are refused, as some run
 * code that the message chooses when they are read; {@link KnownGadgets} even if they are named.
 * {@code brigade.object.classes} replaces all this by a list of the user's, in the form of
 * {@link java.io.ObjectInputFilter.Config#createFilter}.
 *
 * <p>
 * The class path is trusted: a class of the program may do anything when it is read. What a message may cost is bounded
 * by its length as far as the filter sees it. An array cannot be longer than its message can fill, nor all of them
 * together. Sets and maps inside each other are counted, as each of them may double the hashing.
 */
public final class ObjectFilter implements ObjectInputFilter {
    private static final String[] OURS = {"mpi.", "org.brigade.", "com.sun.jna.", "jcuda."};
    /** What the arrays are called by which the tables of sets and maps announce themselves. */
    private static final String MAP = "[Ljava.util.Map$Entry;";
    private static final String CONCURRENT = "[Ljava.util.concurrent.ConcurrentHashMap$Segment;";
    /** Reads all immutable collections. */
    private static final String IMMUTABLE = "java.util.CollSer";
    /** Collections make tables some times as long as their elements; any may make one of this length. */
    private static final long TABLE = 1 << 20;
    /** And all of a message together of this. */
    private static final long TABLES = 16 * TABLE;
    /** Frames between the filter and the method that reads an immutable collection. */
    private static final int READER = 6;

    private final long messageBytes;
    /** Null if the user has none. */
    private final ObjectInputFilter listed;
    /** Null if the user has none. */
    private final ObjectInputFilter also;
    private final long depth;
    private final long references;
    private final long array;
    private final long nesting;
    /** Elements of the arrays so far. */
    private long announced;
    /** The depths of the sets and maps that are being read, each inside the one before. */
    private long[] tables = new long[8];
    private int open;
    private boolean readsImmutable;
    private String refusal;

    ObjectFilter(long messageBytes) {
        this.messageBytes = messageBytes;
        Provider settings = JobState.provider("receive");
        String list = settings.setting("object.classes");
        listed = list == null ? null : ObjectInputFilter.Config.createFilter(list.concat(";!*"));
        String more = settings.setting("object.also");
        also = more == null ? null : ObjectInputFilter.Config.createFilter(more);
        depth = settings.limit("object.depth");
        references = settings.limit("object.references");
        array = settings.limit("object.array");
        nesting = settings.limit("object.nesting");
    }

    @Override
    public Status checkInput(FilterInfo info) {
        if (info.depth() > depth) {
            return refuse("a chain of more than " + depth + " objects",
                "raise brigade.object.depth if it is meant, or send a collection");
        }
        if (info.references() > references) {
            return refuse("a message of more than " + references + " objects",
                "raise brigade.object.references if it is meant, or send fewer at a time");
        }
        if (info.arrayLength() > array) {
            return refuse("an array of " + info.arrayLength() + " elements",
                "raise brigade.object.array, which is " + array + ", if it is meant");
        }
        announced += Math.max(0, info.arrayLength());
        if (info.arrayLength() > Math.max(TABLE, 8 * messageBytes) || announced > Math.max(TABLES, 8 * messageBytes)) {
            return refuse("an array of " + info.arrayLength() + " elements in a message of " + messageBytes + " bytes"
                + (announced == info.arrayLength() ? "" : ", after others of " + (announced - info.arrayLength())),
                "look at the writeObject method of its class: it announces more than it writes");
        }
        Class<?> type = info.serialClass();
        if (type == null) {
            return Status.UNDECIDED;
        }
        // A concurrent map's array is a field of the map, the others are announced by the map itself.
        if (isTable(type, info) && isTooDeep(info.depth() - (CONCURRENT.equals(type.getName()) ? 1 : 0))) {
            return refuse("a message with more than " + nesting + " sets and maps inside each other",
                "raise brigade.object.nesting if it is meant: sets in sets take twice as long for each");
        }
        readsImmutable |= type.getName().equals(IMMUTABLE);
        while (type.isArray()) {
            type = type.getComponentType();
        }
        if (type.isPrimitive()) {
            return Status.ALLOWED;
        }
        if (listed != null) {
            return listed.checkInput(new OfClass(info, type)) == Status.ALLOWED ? Status.ALLOWED
                : refuseClass(of(type));
        }
        if (KnownGadgets.has(type.getName())) {
            return refuse(of(type), "classes of this library can make a reader run code that the message chooses; send"
                + " the data in a class of your own");
        }
        Status wish = also == null ? Status.UNDECIDED : also.checkInput(new OfClass(info, type));
        return wish == Status.ALLOWED || wish == Status.UNDECIDED && isAccepted(type) ? Status.ALLOWED
            : refuseClass(of(type));
    }

    private static String of(Class<?> type) {
        return "an object of class ".concat(type.getName());
    }

    /** Whether an array is that of a set or a map that is about to be read. */
    private boolean isTable(Class<?> type, FilterInfo info) {
        String name = type.getName();
        return info.arrayLength() >= 0 && (MAP.equals(name) || CONCURRENT.equals(name)
            || type == Object[].class && readsImmutable && isOfImmutable());
    }

    /** Whether the array of objects is that of Set.of, Map.of or List.of, which all are read by one class. */
    private static boolean isOfImmutable() {
        return StackWalker.getInstance()
            .walk(frames -> frames.limit(READER).anyMatch(frame -> frame.getClassName().equals(IMMUTABLE)));
    }

    private boolean isTooDeep(long at) {
        while (open > 0 && tables[open - 1] >= at) {
            open--;
        }
        if (open == tables.length) {
            tables = Arrays.copyOf(tables, 2 * open);
        }
        tables[open++] = at;
        return open > nesting;
    }

    private static boolean isAccepted(Class<?> type) {
        if (Proxy.isProxyClass(type)) {
            return false;
        }
        for (String prefix : OURS) {
            if (type.getName().startsWith(prefix) && isBesideBrigade(type)) {
                return type == MPIException.class;
            }
        }
        // An interface is what an array consists of: no object is of it.
        return type.isInterface() || !JdkClasses.hasOne(type) || JdkClasses.accepts(type);
    }

    /** Whether it comes from the jar, or the folder, that Brigade comes from. */
    private static boolean isBesideBrigade(Class<?> type) {
        return Objects.equals(type.getProtectionDomain().getCodeSource(),
            ObjectFilter.class.getProtectionDomain().getCodeSource());
    }

    /** Refuses an object for its class. */
    Status refuseClass(String what) {
        return refuse(what,
            "name the class in brigade.object.also (such as -Dbrigade.object.also=java.net.URL;javax.swing.*) if it is"
                + " meant");
    }

    private Status refuse(String what, String cure) {
        if (refusal == null) {
            refusal = what + " arrived, which this rank does not accept; " + cure;
        }
        return Status.REJECTED;
    }

    /** What was refused, with the cure; null if nothing was. */
    String refusal() {
        return refusal;
    }

    /** What a list is asked about: an array is as good as its elements. */
    private static final class OfClass implements FilterInfo {
        private final FilterInfo info;
        private final Class<?> type;

        OfClass(FilterInfo info, Class<?> type) {
            this.info = info;
            this.type = type;
        }

        @Override
        public Class<?> serialClass() {
            return type;
        }

        @Override
        public long arrayLength() {
            return -1;
        }

        @Override
        public long depth() {
            return info.depth();
        }

        @Override
        public long references() {
            return info.references();
        }

        @Override
        public long streamBytes() {
            return info.streamBytes();
        }
    }
}
