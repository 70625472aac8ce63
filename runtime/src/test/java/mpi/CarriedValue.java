package mpi;

import java.util.Objects;
import java.util.function.Function;

/**
 * A value that a program may send.
 *
 * @param view what must be equal afterwards
 */
record CarriedValue(String name, Object value, Function<Object, Object> view) {
    /** A value that is equal to what it comes as. */
    static CarriedValue equal(Object value) {
        return new CarriedValue(named(value), value, each -> each);
    }

    /** A value without an equals method of its own, known by its text. */
    static CarriedValue alike(Object value) {
        return new CarriedValue(named(value), value, each -> each.getClass() + " " + each);
    }

    /** A value without an equals method of its own, known by what it does. */
    @SuppressWarnings("unchecked")
    static <T> CarriedValue seen(String name, T value, Function<T, Object> view) {
        return new CarriedValue(name, value, each -> view.apply((T) each));
    }

    private static String named(Object value) {
        String text = String.valueOf(value);
        return (value == null ? "" : value.getClass().getTypeName() + " ") + text.substring(0,
            Math.min(text.length(), 40)).replaceAll("\\s+", " ");
    }

    boolean isAs(Object got) {
        return Objects.deepEquals(view.apply(value), view.apply(got));
    }

    @Override
    public String toString() {
        return name;
    }
}
