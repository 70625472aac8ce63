package mpi;

import static mpi.CarriedValue.alike;
import static mpi.CarriedValue.equal;
import static mpi.CarriedValue.seen;

import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongBinaryOperator;
import java.util.stream.Stream;
import mpi.OwnValues.ByLength;
import mpi.OwnValues.Pair;
import mpi.OwnValues.Planet;

/** Collections of all kinds, and what threads share. */
final class CollectionValues {
    private static final List<String> WORDS = List.of("a", "bb", "ccc");

    private CollectionValues() {
    }

    static List<CarriedValue> jdk() {
        Map<String, Integer> counts = Map.of("a", 1, "bb", 2);
        Map<String, Integer> ignoringCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        ignoringCase.put("a", 1);
        Set<String> descending = new TreeSet<>(Comparator.reverseOrder());
        descending.addAll(WORDS);
        Set<String> byLength = new TreeSet<>(new ByLength());
        byLength.addAll(WORDS);
        Map<Planet, String> planets = new EnumMap<>(Map.of(Planet.MARS, "red"));
        Stack<String> stack = new Stack<>();
        stack.push("top");
        Map<Object, String> byIdentity = new IdentityHashMap<>();
        byIdentity.put(Planet.EARTH, "blue");
        return List.of(equal(new ArrayList<>(WORDS)), equal(new LinkedList<>(WORDS)), equal(new Vector<>(WORDS)),
            equal(stack), inOrder(new ArrayDeque<>(WORDS)), inOrder(new PriorityQueue<>(WORDS)),
            equal(new HashSet<>(WORDS)), equal(new LinkedHashSet<>(WORDS)), equal(new TreeSet<>(WORDS)),
            inOrder(descending), inOrder(byLength), equal(EnumSet.of(Planet.MARS)), equal(EnumSet.noneOf(Planet.class)),
            equal(new HashMap<>(counts)), equal(new LinkedHashMap<>(counts)), equal(new TreeMap<>(counts)),
            equal(new Hashtable<>(counts)), equal(planets), alike(byIdentity),
            seen("TreeMap ignoring case", ignoringCase, each -> each.get("A")),
            equal(new HashMap<>(Map.of(new Pair<>(1, 2), new int[0].length))),
            equal(new AbstractMap.SimpleEntry<>("a", 1)), equal(new AbstractMap.SimpleImmutableEntry<>("a", 1)),
            equal(new HashMap<>(Map.of("list", new ArrayList<>(List.of(new HashSet<>(WORDS)))))));
    }

    static List<CarriedValue> immutable() {
        Set<Integer> ofMap = Collections.newSetFromMap(new HashMap<>());
        ofMap.add(1);
        return List.of(equal(List.of()), equal(List.of(1)), equal(WORDS), equal(Set.of()), equal(Set.of(1, 2, 3)),
            equal(Map.of()), equal(Map.of(1, 2)), equal(Map.of(1, 2, 3, 4)), equal(List.copyOf(WORDS)),
            equal(Stream.of(1, null).toList()), equal(Arrays.asList(1, null)), equal(Collections.emptyList()),
            equal(Collections.emptySet()), equal(Collections.emptyMap()), equal(Collections.singleton(1)),
            equal(Collections.singletonList(1)), equal(Collections.singletonMap(1, 2)),
            equal(Collections.nCopies(9, 1)),
            equal(Collections.unmodifiableList(new ArrayList<>(WORDS))),
            equal(Collections.unmodifiableSet(new HashSet<>(WORDS))),
            equal(Collections.unmodifiableMap(new HashMap<>(Map.of(1, 2)))),
            inOrder(Collections.unmodifiableCollection(new ArrayList<>(WORDS))),
            equal(Collections.unmodifiableSortedSet(new TreeSet<>(WORDS))),
            equal(Collections.synchronizedList(new ArrayList<>(WORDS))),
            equal(Collections.synchronizedMap(new HashMap<>(Map.of(1, 2)))),
            equal(Collections.checkedList(new ArrayList<>(WORDS), String.class)),
            equal(ofMap),
            inOrder(Collections.asLifoQueue(new ArrayDeque<>(WORDS))));
    }

    static List<CarriedValue> concurrent() {
        LongAdder adder = new LongAdder();
        adder.add(5);
        DoubleAdder sum = new DoubleAdder();
        sum.add(1.5);
        LongAccumulator most = new LongAccumulator((LongBinaryOperator & java.io.Serializable) Math::max, 0);
        most.accumulate(7);
        return List.of(equal(new ConcurrentHashMap<>(Map.of(1, 2))), equal(new ConcurrentSkipListMap<>(Map.of(1, 2))),
            equal(new ConcurrentSkipListSet<>(WORDS)), equal(ConcurrentHashMap.newKeySet()),
            equal(new CopyOnWriteArrayList<>(WORDS)), equal(new CopyOnWriteArraySet<>(WORDS)),
            inOrder(new ConcurrentLinkedQueue<>(WORDS)), inOrder(new ConcurrentLinkedDeque<>(WORDS)),
            inOrder(new ArrayBlockingQueue<>(5, true, WORDS)), inOrder(new LinkedBlockingQueue<>(WORDS)),
            inOrder(new LinkedBlockingDeque<>(WORDS)), inOrder(new LinkedTransferQueue<>(WORDS)),
            inOrder(new PriorityBlockingQueue<>(WORDS)), alike(new AtomicInteger(1)), alike(new AtomicLong(2)),
            alike(new AtomicBoolean(true)), alike(new AtomicReference<>("held")),
            alike(new AtomicIntegerArray(new int[] {1, 2})), alike(new AtomicReferenceArray<>(new String[] {"a"})),
            alike(adder), alike(sum), alike(most), seen("lock", new ReentrantLock(true), ReentrantLock::isFair),
            seen("read-write lock", new ReentrantReadWriteLock(), each -> each.writeLock().tryLock()),
            seen("semaphore", new Semaphore(3), Semaphore::availablePermits));
    }

    private static CarriedValue inOrder(Collection<?> collection) {
        return seen(collection.getClass().getTypeName() + " " + collection, collection,
            each -> each.getClass() + " " + new ArrayList<>(each));
    }
}
