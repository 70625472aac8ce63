package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Color;
import java.awt.Point;
import java.awt.Rectangle;
import java.beans.PropertyChangeSupport;
import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.StandardOpenOption;
import java.rmi.server.UID;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.text.DecimalFormat;
import java.text.SimpleDateFormat;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.management.BadAttributeValueExpException;
import javax.swing.event.EventListenerList;
import javax.swing.tree.DefaultMutableTreeNode;
import javax.swing.tree.TreePath;
import mpi.front.job.Handle;
import mpi.front.job.JobState;
import mpi.front.objects.KnownGadgets;
import mpi.front.objects.ObjectMessage;
import mpi.spi.Provider;
import org.brigade.communicator.BrigadeProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which objects a rank reads out of a message, and which it refuses. */
class ObjectFilterTest {
    private static final Handle HANDLE = Handle.of(null);

    private interface Task extends Supplier<String>, Serializable {
    }

    private interface Length extends Function<String, Integer>, Serializable {
    }

    /** A program's own exception. */
    private static final class Mine extends Exception {
        private static final long serialVersionUID = 1;

        Mine(Throwable cause) {
            super("mine", cause);
        }
    }

    private record Pair(Point point, List<String> names) implements Serializable {
    }

    @BeforeAll
    static void begin() {
        JobState.pretend(JobState.RUNNING);
        JobState.pretend(new BrigadeProvider());
    }

    @AfterAll
    static void end() {
        JobState.pretend(JobState.NEW);
        JobState.pretend((Provider) null);
    }

    static Object carried(Object object) {
        Object[] got = new Object[1];
        long[] message = ObjectMessage.encode(HANDLE, "Send", new Object[] {object}, new int[] {0});
        ObjectMessage.decode(HANDLE, "Recv", message, 0, message.length, got, new int[] {0});
        return got[0];
    }

    static Stream<Object> values() throws Exception {
        return Stream.of("text", 'x', 1.5, new BigDecimal("1.25"), LocalDateTime.MIN, new int[][] {{1}, {2, 3}},
            new Point(3, 4), new Rectangle(1, 2, 3, 4), new Color(1, 2, 3), new java.awt.geom.Point2D.Double(1, 2),
            new Timestamp(5), new java.sql.Date(6), new Date(7), InetAddress.getByName("127.0.0.1"),
            InetAddress.getByName("::1"), new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 80),
            URI.create("a:b"), new SimpleDateFormat("yyyy"), new DecimalFormat("0.00"), Level.INFO,
            StandardOpenOption.READ, List.of(1, 2), Map.of(1, 2), new ArrayList<>(List.of(new Point())),
            String.class, new Pair(new Point(1, 2), List.of("a")));
    }

    @ParameterizedTest
    @MethodSource("values")
    void valuesAndEnumsComeAsTheyWere(Object value) {
        Object got = carried(value);
        assertTrue(java.util.Objects.deepEquals(value, got), value + " came as " + got);
    }

    @Test
    void objectsThatDoNotCompareCome() {
        assertEquals("a.*b", ((Pattern) carried(Pattern.compile("a.*b"))).pattern());
        assertEquals(7, ((SecureRandom) carried(new SecureRandom())).generateSeed(7).length);
        DefaultMutableTreeNode node = new DefaultMutableTreeNode("root");
        node.add(new DefaultMutableTreeNode(5));
        assertEquals(5, ((DefaultMutableTreeNode) ((DefaultMutableTreeNode) carried(node)).getChildAt(0))
            .getUserObject());
        assertEquals("b", ((TreePath) carried(new TreePath(new Object[] {"a", "b"}))).getLastPathComponent());
    }

    @Test
    @SuppressWarnings("unchecked")
    void comparatorsAndLambdasCome() {
        TreeMap<String, Integer> map = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        map.put("a", 1);
        assertEquals(1, ((Map<String, Integer>) carried(map)).get("A"));
        String captured = "captured";
        assertEquals("captured 5", ((Task) carried((Task) () -> captured + " 5")).get());
        assertEquals(3, ((Length) carried((Length) String::length)).apply("abc"));
        Comparator<String> byLength = Comparator.comparing((Length) String::length);
        assertTrue(((Comparator<String>) carried(byLength)).compare("a", "bb") < 0);
        assertTrue(((Comparator<Integer>) carried(Comparator.<Integer>reverseOrder())).compare(1, 2) > 0);
    }

    @Test
    void exceptionsComeWithTheirCauses() {
        MPIException error = (MPIException) carried(new MPIException(MPI.ERR_RANK, MPI.ERR_RANK, "rank 9"));
        assertEquals("rank 9", error.getMessage());
        assertEquals(MPI.ERR_RANK, error.getErrorClass());
        Exception cause = new SQLException("no table", new IOException("no file"));
        cause.addSuppressed(error);
        Mine got = (Mine) carried(new Mine(cause));
        assertEquals("no file", got.getCause().getCause().getMessage());
        assertEquals("rank 9", got.getCause().getSuppressed()[0].getMessage());
    }

    private static String refused(Object object) {
        MPIException e = assertThrows(MPIException.class, () -> carried(object));
        assertEquals(MPI.ERR_TYPE, e.getErrorClass(), e.getMessage());
        return e.getMessage();
    }

    static Stream<Object> gadgets() throws Exception {
        return Stream.of(new UID(), (Object) new ArrayList<>(Arrays.asList((Object) new UID[1])),
            new ArrayList<>(List.of(new UID())), URI.create("http://a/").toURL(),
            new BadAttributeValueExpException("x"), new EventListenerList(), new PropertyChangeSupport("x"),
            new Mine(new BadAttributeValueExpException("x")),
            new javax.management.remote.JMXServiceURL("rmi", "localhost", 1),
            new javax.naming.Reference("x"));
    }

    @ParameterizedTest
    @MethodSource("gadgets")
    void whatMayActIsRefusedAndTheCureAdds(Object gadget) {
        assertTrue(refused(gadget).contains("; name the class in brigade.object.also"), refused(gadget));
    }

    @Test
    void proxiesAreRefused() {
        Object proxy = Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Runnable.class},
            (InvocationHandler & Serializable) (p, m, a) -> null);
        assertTrue(refused(proxy).contains("a proxy of java.lang.Runnable"));
    }

    @Test
    void classesOfLibrariesThatRunWhatTheyReadAreKnown() {
        for (String name : List.of("org.apache.commons.collections.functors.InvokerTransformer",
            "org.apache.commons.collections4.functors.InvokerTransformer",
            "org.apache.commons.collections.map.LazyMap", "org.apache.commons.collections.keyvalue.TiedMapEntry",
            "org.apache.commons.collections4.comparators.TransformingComparator",
            "org.apache.commons.beanutils.BeanComparator", "org.apache.xalan.xsltc.trax.TemplatesImpl",
            "org.codehaus.groovy.runtime.MethodClosure", "com.mchange.v2.c3p0.PoolBackedDataSource",
            "com.sun.syndication.feed.impl.ObjectBean", "com.rometools.rome.feed.impl.EqualsBean",
            "org.hibernate.engine.spi.TypedValue", "org.hibernate.tuple.component.PojoComponentTuplizer",
            "org.springframework.core.SerializableTypeWrapper$MethodInvokeTypeProvider",
            "org.springframework.beans.factory.ObjectFactory",
            "org.springframework.aop.framework.JdkDynamicAopProxy", "bsh.XThis", "clojure.core$comp",
            "org.mozilla.javascript.NativeJavaObject", "org.python.core.PyFunction",
            "com.fasterxml.jackson.databind.node.POJONode", "com.vaadin.data.util.NestedMethodProperty")) {
            assertTrue(KnownGadgets.has(name), name);
        }
        for (String name : List.of("org.apache.commons.collections.map.LinkedMap", "org.apache.commons.math3.Field",
            "org.hibernate.collection.internal.PersistentBag", "com.acme.App", "clojure.lang.PersistentVector")) {
            assertTrue(!KnownGadgets.has(name), name);
        }
    }

    /** Each level holds the two below it twice, so hashing takes twice as long for each. */
    private static Object nested(int levels, Supplier<Collection<Object>> maker) {
        Collection<Object> root = maker.get();
        Collection<Object> one = root;
        Collection<Object> two = maker.get();
        for (int i = 0; i < levels; i++) {
            Collection<Object> left = maker.get();
            Collection<Object> right = maker.get();
            left.add("left");
            for (Collection<Object> each : List.of(one, two)) {
                each.add(left);
                each.add(right);
            }
            one = left;
            two = right;
        }
        return root;
    }

    /** A set that does not hash what is put into it until it is read. */
    private static Object frozen(int levels) {
        Object[] below = {"left", "right"};
        for (int i = 0; i < levels; i++) {
            below = new Object[] {Set.of(below[0], "left" + i), Set.of(below[0], "right" + i)};
        }
        return Set.of(below);
    }

    @Test
    void setsInSetsAreRefusedBeforeTheyTakeAMinute() {
        for (Object sets : new Object[] {nested(26, HashSet::new), nested(26, ConcurrentHashMap::newKeySet), frozen(26),
            nested(26, () -> java.util.Collections.newSetFromMap(new Hashtable<>()))}) {
            assertTrue(refused(sets).contains("; raise brigade.object.nesting"), refused(sets));
        }
        Map<String, Object> tree = new HashMap<>();
        for (int i = 0; i < 18; i++) {
            tree = new HashMap<>(Map.of("below", tree, "beside", new HashMap<>(Map.of("a", List.of(i)))));
        }
        assertEquals(tree, carried(tree));
        Object[] wide = new Object[1000];
        Arrays.setAll(wide, i -> new HashSet<>(Set.of(i)));
        assertTrue(Arrays.equals(wide, (Object[]) carried(wide)));
    }
}
