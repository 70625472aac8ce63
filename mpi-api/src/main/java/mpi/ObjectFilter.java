package mpi;

import java.io.ObjectInputFilter;
import java.lang.reflect.Proxy;
import java.util.Objects;
import mpi.spi.Provider;

/**
 * Which objects a rank accepts in messages of {@link MPI#OBJECT}. The classes of the program pass, and of the JDK the
 * values and collections in the list below. All others are refused: some JDK classes run code that the message chooses
 * when they are read. {@code brigade.object.classes} replaces this rule by a list of the user's, in the form of
 * {@link java.io.ObjectInputFilter.Config#createFilter}. An array cannot be longer than its message can fill.
 */
final class ObjectFilter implements ObjectInputFilter {
    private static final String[] PACKAGES = {"java.math", "java.time", "java.time.chrono", "java.time.zone",
        "java.util", "java.util.concurrent", "java.util.concurrent.atomic", "java.util.concurrent.locks"};
    private static final String[] CLASSES = {"java.lang.Boolean", "java.lang.Byte", "java.lang.Character",
        "java.lang.Double", "java.lang.Enum", "java.lang.Float", "java.lang.Integer", "java.lang.Long",
        "java.lang.Number", "java.lang.Object", "java.lang.Short", "java.lang.StackTraceElement", "java.lang.String",
        "java.lang.StringBuffer", "java.lang.StringBuilder", "java.lang.Record", "java.io.File", "java.net.URI",
        "sun.util.calendar.ZoneInfo"};
    private static final String[] OURS = {"mpi.", "org.brigade.", "com.sun.jna.", "jcuda."};
    /** Collections make tables some times as long as their elements; any may make one of this length. */
    private static final long TABLE = 1 << 20;

    private final long messageBytes;
    private final ObjectInputFilter listed;
    private final long depth;
    private final long references;
    private final long array;
    private String refusal;

    ObjectFilter(long messageBytes) {
        this.messageBytes = messageBytes;
        Provider settings = JobState.provider("receive");
        String list = settings.setting("object.classes");
        listed = list == null ? null : ObjectInputFilter.Config.createFilter(list.concat(";!*"));
        depth = settings.limit("object.depth");
        references = settings.limit("object.references");
        array = settings.limit("object.array");
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
        if (info.arrayLength() > Math.max(TABLE, 8 * messageBytes)) {
            return refuse("an array of " + info.arrayLength() + " elements in a message of " + messageBytes + " bytes",
                "look at the writeObject method of its class: it announces more than it writes");
        }
        Class<?> type = info.serialClass();
        if (type == null) {
            return Status.UNDECIDED;
        }
        while (type.isArray()) {
            type = type.getComponentType();
        }
        if (listed != null ? isListed(info, type) : isAccepted(type)) {
            return Status.ALLOWED;
        }
        return refuseClass("an object of class " + type.getName());
    }

    private boolean isListed(FilterInfo info, Class<?> type) {
        return type.isPrimitive() || listed.checkInput(new OfClass(info, type)) == Status.ALLOWED;
    }

    private static boolean isAccepted(Class<?> type) {
        if (type.isPrimitive()) {
            return true;
        }
        if (Proxy.isProxyClass(type)) {
            return false;
        }
        String name = type.getName();
        for (String prefix : OURS) {
            if (name.startsWith(prefix) && isBesideBrigade(type)) {
                return false;
            }
        }
        ClassLoader loader = type.getClassLoader();
        if (loader != null && loader != ClassLoader.getPlatformClassLoader()) {
            return true;
        }
        for (String each : CLASSES) {
            if (each.equals(name)) {
                return true;
            }
        }
        for (String each : PACKAGES) {
            if (each.equals(type.getPackageName())) {
                return true;
            }
        }
        return Throwable.class.isAssignableFrom(type) && type.getPackageName().equals("java.lang");
    }

    /** Whether it comes from the jar, or the folder, that Brigade comes from. */
    private static boolean isBesideBrigade(Class<?> type) {
        return Objects.equals(type.getProtectionDomain().getCodeSource(),
            MPI.class.getProtectionDomain().getCodeSource());
    }

    /** Refuses an object for its class. */
    Status refuseClass(String what) {
        return refuse(what,
            "name the class in brigade.object.classes (such as com.acme.*;java.base/*) if it is meant");
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
