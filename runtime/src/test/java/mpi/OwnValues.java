package mpi;

import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** The kinds of classes that a program may write for its messages. */
final class OwnValues {
    interface Task<T> extends Supplier<T>, Serializable {
    }

    interface Mapping<A, B> extends Function<A, B>, Serializable {
    }

    enum Planet {
        EARTH, MARS
    }

    enum Operation {
        PLUS {
            @Override
            int of(int a, int b) {
                return a + b;
            }
        };

        abstract int of(int a, int b);
    }

    record Pair<A, B>(A first, B second) implements Serializable {
    }

    /** What is equal if all that its class keeps is equal. */
    abstract static class Kept implements Serializable {
        private static final long serialVersionUID = 1;

        abstract Object kept();

        @Override
        public final boolean equals(Object other) {
            return other != null && other.getClass() == getClass() && Objects.equals(((Kept) other).kept(), kept());
        }

        @Override
        public final int hashCode() {
            return Objects.hash(kept());
        }

        @Override
        public final String toString() {
            return getClass().getName() + " " + kept();
        }
    }

    /** A superclass that is not serializable has a constructor that is run. */
    static class Plain {
        String made = "by its constructor";
    }

    static class OfPlain extends Plain implements Serializable {
        private static final long serialVersionUID = 1;
        final int number = 7;

        @Override
        public String toString() {
            return made + " " + number;
        }
    }

    static final class Node extends Kept {
        private static final long serialVersionUID = 1;
        Node next;
        final int number;

        Node(int number, Node next) {
            this.number = number;
            this.next = next;
        }

        @Override
        Object kept() {
            List<Integer> all = new ArrayList<>();
            for (Node at = this; at != null && all.size() < 600; at = at.next) {
                all.add(at.number);
            }
            return all;
        }
    }

    /** Its class writes what it holds, as an Optional is not serializable. */
    static final class Holder extends Kept {
        private static final long serialVersionUID = 1;
        private transient Optional<String> held;

        Holder(String held) {
            this.held = Optional.ofNullable(held);
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeObject(held.orElse(null));
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            held = Optional.ofNullable((String) in.readObject());
        }

        @Override
        Object kept() {
            return held;
        }
    }

    /** Writes itself, and is made by its public constructor. */
    public static final class External implements Externalizable {
        private int number;

        public External() {
        }

        External(int number) {
            this.number = number;
        }

        @Override
        public void writeExternal(ObjectOutput out) throws IOException {
            out.writeInt(number);
        }

        @Override
        public void readExternal(ObjectInput in) throws IOException {
            number = in.readInt();
        }

        @Override
        public String toString() {
            return "external " + number;
        }
    }

    /** Another object is sent in its place, which makes it again. */
    static final class Replaced extends Kept {
        private static final long serialVersionUID = 1;
        private final transient int[] squares;

        Replaced(int many) {
            squares = new int[many];
            for (int i = 0; i < many; i++) {
                squares[i] = i * i;
            }
        }

        private Object writeReplace() {
            return new Form(squares.length);
        }

        private void readObject(ObjectInputStream in) throws IOException {
            throw new IOException("this class is never sent");
        }

        private record Form(int many) implements Serializable {
            private Object readResolve() {
                return new Replaced(many);
            }
        }

        @Override
        Object kept() {
            return java.util.Arrays.toString(squares);
        }
    }

    static final class Only implements Serializable {
        private static final long serialVersionUID = 1;
        static final Only ONE = new Only();

        private Object readResolve() {
            return ONE;
        }
    }

    /** Its fields are written by other names than they have. */
    static final class Renamed extends Kept {
        private static final long serialVersionUID = 1;
        private static final ObjectStreamField[] serialPersistentFields =
            {new ObjectStreamField("width", int.class), new ObjectStreamField("name", String.class)};
        private transient int w;
        private transient String n;

        Renamed(int width, String name) {
            w = width;
            n = name;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            ObjectOutputStream.PutField fields = out.putFields();
            fields.put("width", w);
            fields.put("name", n);
            out.writeFields();
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            ObjectInputStream.GetField fields = in.readFields();
            w = fields.get("width", 0);
            n = (String) fields.get("name", "");
        }

        @Override
        Object kept() {
            return List.of(w, n);
        }
    }

    static final class OwnMap extends HashMap<String, Integer> {
        private static final long serialVersionUID = 1;
    }

    static final class OwnException extends Exception {
        private static final long serialVersionUID = 1;
        final int code;

        OwnException(int code, Throwable cause) {
            super("code " + code, cause);
            this.code = code;
        }
    }

    static final class ByLength implements Comparator<String>, Serializable {
        private static final long serialVersionUID = 1;

        @Override
        public int compare(String a, String b) {
            return Integer.compare(a.length(), b.length());
        }
    }

    /** An object of the class around it is sent with it. */
    static final class Outer extends Kept {
        private static final long serialVersionUID = 1;
        private final String name;

        Outer(String name) {
            this.name = name;
        }

        final class Inner extends Kept {
            private static final long serialVersionUID = 1;

            @Override
            Object kept() {
                return "inside " + name;
            }
        }

        Kept inner() {
            return new Inner();
        }

        @Override
        Object kept() {
            return name;
        }
    }

    private OwnValues() {
    }
}
