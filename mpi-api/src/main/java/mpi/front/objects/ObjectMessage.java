package mpi.front.objects;

import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.front.arguments.Arguments;
import mpi.front.arguments.Complaints;
import mpi.front.job.Handle;
import mpi.front.types.ItemType;

/**
 * Items of {@code MPI.OBJECT} as longs: their number, then the objects in Java's serialized form. Objects that several
 * items of a message refer to stay one object. A message may have 16 GiB.
 */
public final class ObjectMessage {
    /** Longest array that every JVM can make. */
    public static final int MOST_WORDS = Integer.MAX_VALUE - 8;

    private ObjectMessage() {
    }

    /** The buffer of a call: an array of objects, or null for no objects. */
    public static Object[] array(Handle handle, String call, String role, Object buffer) {
        if (buffer != null && !(buffer instanceof Object[])) {
            throw handle.error(ErrorClass.TYPE, call, role + " is " + Complaints.article(Complaints.describe(buffer))
                + ", but MPI.OBJECT lies in an array of objects; pass an Object[]");
        }
        return (Object[]) buffer;
    }

    /** The elements of an array that {@code count} items of a type from an offset on consist of, all inside it. */
    public static int[] elements(Handle handle, String call, String role, Object[] array, int offset, int count,
        ItemType type) {
        Arguments.type(handle, call, type);
        if (count < 0) {
            throw handle.error(ErrorClass.COUNT, call, "count " + count + " is negative; pass 0 or more objects");
        }
        if (array == null && count > 0) {
            throw handle.error(ErrorClass.BUFFER, call, role + " is null, and null is for no items only; pass an"
                + " Object[]");
        }
        if (count > 0 && (offset + type.lowest(count) < 0 || offset + type.highest(count) > array.length)) {
            throw handle.error(offset < 0 || offset > array.length ? ErrorClass.BUFFER : ErrorClass.COUNT, call,
                "count " + count + " of " + type + " from offset " + offset + " does not lie in " + role + ", "
                    + Complaints.article(Complaints.describe(array)) + "; pass a longer array");
        }
        int[] elements = new int[Math.multiplyExact(count, type.size)];
        int[] next = {0};
        if (elements.length > 0) {
            type.shape.items().visit(offset, 0, elements.length, (at, stride, length, blocks) -> {
                for (long block = 0; block < blocks; block++) {
                    for (long i = 0; i < length; i++) {
                        elements[next[0]++] = (int) (at + block * stride + i);
                    }
                }
            });
        }
        return elements;
    }

    /**
     * Serializes elements of an array.
     *
     * @throws MPIException ERR_TYPE if an object cannot be serialized; ERR_COUNT if the message is too long; ERR_NO_MEM
     * if there is no memory for it
     */
    public static long[] encode(Handle handle, String call, Object[] objects, int[] elements) {
        WordOutput bytes = new WordOutput();
        try {
            bytes.write(new byte[Long.BYTES], 0, Long.BYTES); // the number's place
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                for (int element : elements) {
                    out.writeObject(objects[element]);
                }
            }
            if (bytes.words() > MOST_WORDS) {
                throw handle.error(ErrorClass.COUNT, call,
                    "the objects take 16 GiB or more, which no message can have; send fewer at a time");
            }
            long[] words = bytes.toWords();
            words[0] = elements.length;
            return words;
        } catch (NotSerializableException e) {
            throw handle.error(ErrorClass.TYPE, call,
                "an object of class " + e.getMessage() + " cannot be sent; let the class implement"
                    + " java.io.Serializable, or mark the field that holds it transient");
        } catch (IOException e) {
            throw handle.error(ErrorClass.TYPE, call, "an object cannot be serialized (" + e
                + "); look at the writeObject method of its class");
        } catch (StackOverflowError e) {
            throw handle.error(ErrorClass.TYPE, call, "the objects refer to each other in too long a chain for this"
                + " thread's stack; start java with a larger -Xss, or send a collection");
        } catch (OutOfMemoryError e) {
            throw handle.error(ErrorClass.NO_MEM, call, "the heap has no room for the bytes of the objects, which"
                + " are needed twice while they are sent; start java with a larger -Xmx, or send fewer at a time");
        }
    }

    /**
     * Deserializes a message into an array.
     *
     * @param at the first of its longs in {@code message}
     * @param length number of its longs
     * @param elements where in {@code target} to store the objects
     * @return the number of objects
     * @throws MPIException ERR_TRUNCATE if there are more than {@code elements}; ERR_TYPE if a class is unknown here or
     * refused, or an object does not fit the array; ERR_NO_MEM if the heap has no room for them
     */
    public static int decode(Handle handle, String call, long[] message, int at, int length, Object[] target,
        int[] elements) {
        ObjectFilter filter = new ObjectFilter((long) length * Long.BYTES);
        int count;
        try {
            count = (int) message[at];
            if (count > elements.length) {
                throw handle.error(ErrorClass.TRUNCATE, call, "the message has " + count
                    + " objects, and the receive's count allows " + elements.length + "; receive with a larger count");
            }
            try (ObjectInputStream in = new Input(new WordInput(message, at + 1, length - 1), filter)) {
                for (int i = 0; i < count; i++) {
                    target[elements[i]] = in.readObject();
                }
            }
        } catch (ClassNotFoundException e) {
            throw handle.error(ErrorClass.TYPE, call, "class " + e.getMessage()
                + " of an object that arrived is not on the class path of this rank; start all ranks with the same"
                + " class path");
        } catch (ArrayStoreException e) {
            throw handle.error(ErrorClass.TYPE, call, "an object of class " + e.getMessage()
                + " arrived, which does not fit into a " + target.getClass().getSimpleName()
                + "; pass an array of that class, or an Object[]");
        } catch (InvalidClassException e) {
            throw handle.error(ErrorClass.TYPE, call,
                filter.refusal() != null ? filter.refusal() : "an object that arrived is of another version: " + e);
        } catch (IOException e) {
            throw handle.error(ErrorClass.TYPE, call, "an object that arrived cannot be read (" + e
                + "); start all ranks with the same classes, and look at the readObject method of its class");
        } catch (StackOverflowError e) {
            throw handle.error(ErrorClass.TYPE, call, "the objects that arrived refer to each other in too long a"
                + " chain for this thread's stack; start java with a larger -Xss, or send a collection");
        } catch (OutOfMemoryError e) {
            throw handle.error(ErrorClass.NO_MEM, call,
                "the heap has no room for the objects that arrived; start java with a larger -Xmx");
        }
        return count;
    }

    /** Finds classes as the program does, and no proxies. */
    private static final class Input extends ObjectInputStream {
        private final ObjectFilter filter;

        Input(InputStream in, ObjectFilter filter) throws IOException {
            super(in);
            this.filter = filter;
            setObjectInputFilter(filter);
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            try {
                return Class.forName(description.getName(), false, loader);
            } catch (ClassNotFoundException e) {
                return super.resolveClass(description); // primitives, and threads without a loader
            }
        }

        @Override
        protected Class<?> resolveProxyClass(String[] interfaces) throws IOException {
            filter.refuseClass("a proxy of " + String.join(", ", interfaces));
            throw new InvalidClassException("proxy");
        }
    }
}
