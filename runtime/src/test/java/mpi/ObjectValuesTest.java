package mpi;

import static mpi.CarriedValue.alike;
import static mpi.CarriedValue.equal;
import static mpi.CarriedValue.seen;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;
import mpi.OwnValues.ByLength;
import mpi.OwnValues.External;
import mpi.OwnValues.Holder;
import mpi.OwnValues.Mapping;
import mpi.OwnValues.Node;
import mpi.OwnValues.OfPlain;
import mpi.OwnValues.Only;
import mpi.OwnValues.Operation;
import mpi.OwnValues.Outer;
import mpi.OwnValues.OwnException;
import mpi.OwnValues.OwnMap;
import mpi.OwnValues.Pair;
import mpi.OwnValues.Planet;
import mpi.OwnValues.Renamed;
import mpi.OwnValues.Replaced;
import mpi.OwnValues.Task;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each kind of object that programs send comes as it was: alone, in an array, and inside other objects. */
class ObjectValuesTest {
    @BeforeAll
    static void begin() {
        ObjectFilterTest.begin();
    }

    @AfterAll
    static void end() {
        ObjectFilterTest.end();
    }

    private static List<CarriedValue> ofPrograms() {
        OwnMap map = new OwnMap();
        map.put("a", 1);
        Node cycle = new Node(1, new Node(2, null));
        cycle.next.next = cycle;
        Node longest = null;
        for (int i = 0; i < 500; i++) {
            longest = new Node(i, longest);
        }
        List<Object> nested = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            nested = new ArrayList<>(List.of(nested));
        }
        return List.of(equal(new Comparable<?>[] {1, "a"}), equal(new Serializable[] {1}),
            equal(new Class<?>[] {int.class}),
            equal(new CharSequence[][] {{"a"}, null}), equal(new Map.Entry<?, ?>[1]), equal(new Runnable[2]),
            equal(Planet.MARS), equal(Operation.PLUS), equal(new Planet[] {Planet.EARTH, null}),
            equal(new Pair<>(new Pair<>(1, "a"), List.of(Planet.MARS))), equal(new Holder("held")),
            equal(new Holder(null)), alike(new External(3)), equal(new Replaced(4)), equal(Only.ONE),
            equal(new Renamed(5, "name")), alike(new OfPlain()), equal(new Outer("outer")),
            equal(new Outer("outer").inner()), equal(map), equal(cycle), equal(longest), equal(nested),
            seen("comparator", new ByLength(), each -> each.compare("aa", "b")),
            seen("anonymous class", new Task<String>() {
                private static final long serialVersionUID = 1;
                private final String kept = "kept";

                @Override
                public String get() {
                    return kept;
                }
            }, Task::get), JdkValues.thrown(new OwnException(5, new IOException("cause"))),
            seen("code of an exception", new OwnException(5, null), each -> each.code));
    }

    private static List<CarriedValue> functions() {
        String captured = "captured";
        class Local implements Task<String> {
            private static final long serialVersionUID = 1;

            @Override
            public String get() {
                return captured;
            }
        }
        return List.of(seen("local class", new Local(), Task::get),
            seen("capturing lambda", (Task<String>) () -> captured + "!", Task::get),
            seen("lambda in a lambda", (Task<Task<Integer>>) () -> () -> captured.length(), each -> each.get().get()),
            seen("static reference", (Mapping<String, Integer>) Integer::parseInt, each -> each.apply("7")),
            seen("unbound reference", (Mapping<String, Integer>) String::length, each -> each.apply("abc")),
            seen("bound reference", (Mapping<String, String>) captured::concat, each -> each.apply("s")),
            seen("constructor reference", (Mapping<String, StringBuilder>) StringBuilder::new,
                each -> each.apply("new").toString()),
            seen("lambda of the JDK's interfaces", (BinaryOperator<Integer> & Serializable) Math::max,
                each -> each.apply(3, 5)),
            order("comparing", Comparator.comparing((Mapping<String, Integer>) String::length)),
            order("then comparing", new ByLength().reversed().thenComparing(Comparator.naturalOrder())),
            order("natural order", Comparator.<String>naturalOrder()),
            order("reverse order", Comparator.reverseOrder()),
            order("nulls first", Comparator.nullsFirst(Comparator.<String>naturalOrder())),
            order("ignoring case", String.CASE_INSENSITIVE_ORDER));
    }

    private static CarriedValue order(String name, Comparator<String> order) {
        return seen(name, order, each -> Stream.of("bb", "a", "C").sorted(each).toList());
    }

    static Stream<CarriedValue> values() throws Exception {
        return Stream.of(JdkValues.numbersAndTexts(), JdkValues.times(), JdkValues.formatsAndPictures(),
            JdkValues.addressesAndSecrets(), JdkValues.trees(), JdkValues.throwables(), CollectionValues.jdk(),
            CollectionValues.immutable(), CollectionValues.concurrent(), ofPrograms(), functions())
            .flatMap(Collection::stream);
    }

    /** A class that a program can have an array of, or an interface. */
    private static Class<?> nameable(Class<?> type) {
        return !type.isHidden() && type.getModule().isExported(type.getPackageName()) ? type
            : nameable(type.getInterfaces().length > 0 ? type.getInterfaces()[0] : type.getSuperclass());
    }

    @ParameterizedTest
    @MethodSource("values")
    void comesAsItWas(CarriedValue value) {
        Object alone = ObjectFilterTest.carried(value.value());
        assertTrue(value.isAs(alone), () -> value + " came as " + alone);
        Object array = Array.newInstance(value.value() == null ? Object.class : nameable(value.value().getClass()), 2);
        Array.set(array, 1, value.value());
        Object[] arrays = (Object[]) ObjectFilterTest.carried(array);
        assertSame(array.getClass(), arrays.getClass());
        assertTrue(value.isAs(arrays[1]), () -> value + " came in an array as " + arrays[1]);
        Pair<?, ?> inside =
            (Pair<?, ?>) ObjectFilterTest.carried(new Pair<>(value.value(), new ArrayList<>(List.of(array))));
        assertTrue(value.isAs(inside.first()), () -> value + " came inside a record as " + inside.first());
        Object shared = Array.get(((List<?>) inside.second()).get(0), 1);
        assertTrue(inside.first() == shared || value.isAs(shared), () -> value + " came inside a list as " + shared);
    }
}
