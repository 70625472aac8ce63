package org.brigade.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.brigade.bootstrap.Processors;
import org.brigade.launch.options.Binding;
import org.brigade.topology.CpuSet;
import org.brigade.topology.system.CpuCore;
import org.brigade.topology.system.FakeSystem;
import org.brigade.topology.system.SystemFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where ranks are bound on machines made of files. */
class CoreLayoutTest {
    private static final String CPUS = "sys/devices/system/cpu/cpu";
    private static final String NODES = "sys/devices/system/node/node";

    @TempDir
    private Path folder;

    /** Two sockets of two caches of two cores of two hardware threads, numbered as Linux does. */
    private void twoSockets() {
        FakeSystem system = new FakeSystem(folder).numaNode(0, "0-3,8-11", "1000").numaNode(1, "4-7,12-15", "1000");
        for (int cpu = 0; cpu < 16; cpu++) {
            int core = cpu % 8;
            int pair = core / 2 * 2;
            system.processor(cpu, core + "," + (core + 8),
                pair + "-" + (pair + 1) + "," + (pair + 8) + "-" + (pair + 9));
            system.file(CPUS + cpu + "/topology/physical_package_id", Integer.toString(core / 4));
        }
    }

    private CoreLayout place(Binding binding, String allowed, int ranks, int... nodeOf) {
        return CoreLayout.of(binding, CoreLayout.cores(new SystemFiles(folder), CpuSet.parseList(allowed)),
            CpuSet.EMPTY,
            ranks, nodeOf.length == 0 ? null : nodeOf);
    }

    private static String bound(CoreLayout layout) {
        List<String> sets = new ArrayList<>();
        for (int rank = 0; rank < layout.ranks(); rank++) {
            sets.add(layout.bound(rank).toString());
        }
        return String.join(" ", sets);
    }

    @Test
    void neighboursShareCachesAndEachHasAWholeCore() {
        twoSockets();
        assertEquals("0,8 1,9 2,10 3,11 4,12", bound(place(Binding.CORE, "0-15", 5)));
        assertEquals("0-1,8-9 0-1,8-9 2-3,10-11", bound(place(Binding.CACHE, "0-15", 3)));
        assertEquals("0-3,8-11 0-3,8-11 0-3,8-11 0-3,8-11 4-7,12-15", bound(place(Binding.NUMA, "0-15", 5)));
    }

    @Test
    void ranksShareACoreOnlyIfThereAreMoreRanksThanCores() {
        twoSockets();
        assertEquals("0 8 1 9 2,10 3,11 4,12 5,13 6,14 7,15", bound(place(Binding.CORE, "0-15", 10)));
        assertNull(place(Binding.CORE, "0-15", 17));
    }

    @Test
    void coresThatTheMaskLeavesOutAreNotUsed() {
        twoSockets();
        assertEquals("3,11 5 6", bound(place(Binding.CORE, "3,5,6,11", 3)));
        assertEquals("3,11 5-6 5-6", bound(place(Binding.NUMA, "3,5,6,11", 3)));
    }

    @Test
    void ranksOfAnEmulatedNodeAreNeighbours() {
        twoSockets();
        assertEquals("0,8 2,10 1,9 3,11", bound(place(Binding.CORE, "0-15", 4, 0, 1, 0, 1)));
    }

    @Test
    void theReportSaysWhereARankIs() {
        twoSockets();
        assertEquals("processors 6,14 (socket 1, NUMA node 1, L3 6-7,14-15)", place(Binding.CORE, "6,14", 1).words(0));
        assertEquals("processors 6-7 (socket 1, NUMA node 1, L3 6-7,14-15)", place(Binding.CACHE, "4-7", 3).words(2));
        assertEquals("processors 4-7 (socket 1, NUMA node 1)", place(Binding.NUMA, "4-7", 1).words(0));
    }

    /** A container may hide all these files. */
    @Test
    void aProcessorOfWhichNothingIsKnownIsACore() {
        assertEquals("2 5", bound(place(Binding.CORE, "2,5,9", 2)));
        assertEquals("2,5,9 2,5,9", bound(place(Binding.NUMA, "2,5,9", 2)));
        assertEquals("processors 2", place(Binding.CORE, "2,5", 1).words(0));
    }

    @Test
    void withoutCachesANumaNodeCounts() {
        FakeSystem system = new FakeSystem(folder).numaNode(0, "0-1", "1").numaNode(1, "2-3", "1");
        for (int cpu = 0; cpu < 4; cpu++) {
            system.file(CPUS + cpu + "/topology/thread_siblings_list", Integer.toString(cpu));
        }
        assertEquals("0-1 0-1 2-3", bound(place(Binding.CACHE, "0-3", 3)));
    }

    @Test
    void aCacheOfOneCoreIsThatCore() {
        FakeSystem system = new FakeSystem(folder).file("sys/devices/system/cpu/online", "0-1");
        for (int cpu = 0; cpu < 2; cpu++) {
            system.file(CPUS + cpu + "/topology/thread_siblings_list", Integer.toString(cpu));
            system.file(CPUS + cpu + "/cache/index2/level", "2");
            system.file(CPUS + cpu + "/cache/index2/shared_cpu_list", Integer.toString(cpu));
        }
        assertEquals("0 1", bound(place(Binding.CACHE, "0-1", 2)));
        assertEquals("processors 1 (L2 1)", place(Binding.CACHE, "0-1", 2).words(1));
    }

    // ---- several jobs, and what cannot be bound ----

    private String said(Binding binding, Processors allowed, String name, int... jobs) throws IOException {
        Path file = folder.resolve("said");
        try (FileOutputStream out = new FileOutputStream(file.toFile())) {
            RankBinder binder = new RankBinder(binding, true, allowed, new SystemFiles(folder), null);
            SharedStream messages = new SharedStream(out.getFD(), false);
            for (int ranks : jobs) {
                if (ranks < 0) {
                    binder.free(binder.place(-ranks, null, name, null, messages));
                } else {
                    binder.place(ranks, null, name, null, messages);
                }
            }
        }
        return Files.readString(file);
    }

    @Test
    void aSpawnedJobGetsTheCoresThatAreLeft() throws IOException {
        twoSockets();
        String said = said(Binding.CORE, Processors.of(new long[] {0x0f0f}, 0), " of a job", 1, -2, 3, 1);
        assertEquals(List.of("0,8", "1,9", "2,10", "1,9", "2,10", "3,11"),
            said.lines().filter(line -> line.contains("socket"))
                .map(line -> line.replaceAll(".*processors (\\S+) .*", "$1")).toList(),
            said);
        assertTrue(said.endsWith("mpjrun: --bind-to core: the ranks of a job are not bound, as 1 beside 4 others"
            + " are more than these processors: 0-3,8-11. Ranks that share processors are faster where the kernel may"
            + " move them\n"), said);
    }

    @Test
    void theReportNamesTheProcessorsOfTheJvmsOtherThreads() throws IOException {
        FakeSystem system = new FakeSystem(folder).numaNode(0, "0-3", "1").numaNode(1, "4-7", "1");
        for (int cpu = 0; cpu < 8; cpu++) {
            system.file(CPUS + cpu + "/topology/thread_siblings_list", Integer.toString(cpu));
        }
        String first = said(Binding.CORE, Processors.of(new long[] {0xff}, 0), "", 2, 1);
        assertEquals(List.of("2-3", "2-3", "3"), first.lines()
            .map(line -> line.replaceAll(".*; its JVM's other threads: processors ", "")).toList(), first);
        assertFalse(said(Binding.CORE, Processors.of(new long[] {0xff}, 0), "", 8).contains("other threads"));
        assertFalse(said(Binding.NUMA, Processors.of(new long[] {0xff}, 0), "", 2).contains("other threads"));
    }

    @Test
    void moreRanksThanTheControlGroupAllowsAreNotBound() throws IOException {
        twoSockets();
        Processors allowed = Processors.of(new long[] {0xffff}, 2);
        assertTrue(said(Binding.NUMA, allowed, "", 3).startsWith("mpjrun: --bind-to numa: the ranks are not bound, as"
            + " 3 are more than these processors: 0-15, limited to 2 by the control group."));
        assertEquals(2, said(Binding.CORE, allowed, "", 2).lines().filter(line -> line.contains("socket 0")).count());
    }

    @Test
    void aJobThatIsNotToBeBoundSaysSoOnlyIfAsked() throws IOException {
        assertEquals("mpjrun: the ranks are not bound: processors 0-1\n",
            said(Binding.NONE, Processors.of(new long[] {3}, 0), "", 9));
    }

    @Test
    void infoSaysWhatThereIs() {
        twoSockets();
        Processors allowed = Processors.of(new long[] {0x0f0f}, 3);
        assertEquals("mpjrun binds ranks if asked (--bind-to core, cache or numa): at most 3 here, to 4 cores, 2"
            + " caches, 1 NUMA node; by /bin/taskset; other threads of a bound rank's JVM run on processors that no rank"
            + " has, if there are enough (brigade.spare.cores)",
            BindingInventory.line(allowed, new SystemFiles(folder), "/bin/taskset"));
        assertTrue(BindingInventory.line(allowed, new SystemFiles(folder), null).contains("0.1 s later"));
        assertTrue(BindingInventory.line(Processors.UNKNOWN, new SystemFiles(folder), null).contains("cannot"));
    }

    // ---- random machines ----

    /** A machine with unequal parts, some of them offline, and a part of it that a job may use. */
    private static final class Machine {
        final Map<Integer, String> coreOf = new HashMap<>();
        final Map<Integer, String> cacheOf = new HashMap<>();
        final Map<Integer, Integer> nodeOf = new HashMap<>();
        final CpuSet allowed;

        Machine(Random random, FakeSystem system) {
            boolean pairs = random.nextBoolean(); // of neighbouring numbers, as some machines have; else Linux's usual
            boolean threads = random.nextBoolean();
            List<int[]> parts = new ArrayList<>(); // of each core: socket, NUMA node, cache
            int nodes = 0;
            int caches = 0;
            for (int socket = 0; socket <= random.nextInt(2); socket++) {
                for (int node = 0; node <= random.nextInt(2); node++, nodes++) {
                    for (int cache = random.nextInt(4); cache > 0; cache--, caches++) { // none: memory without cores
                        for (int core = 0; core <= random.nextInt(4); core++) {
                            parts.add(new int[] {socket, nodes, caches});
                        }
                    }
                }
            }
            if (random.nextBoolean()) {
                Collections.shuffle(parts, random); // numbers need not follow the caches
            }
            int cores = parts.size();
            for (int core = 0; core < cores; core++) {
                for (int thread = 0; thread < (threads ? 2 : 1); thread++) {
                    int cpu = pairs ? 2 * core + thread : core + thread * cores;
                    if (random.nextInt(8) > 0) {
                        coreOf.put(cpu, "core" + core);
                        cacheOf.put(cpu, "cache" + parts.get(core)[2]);
                        nodeOf.put(cpu, parts.get(core)[1]);
                        system.file(CPUS + cpu + "/topology/physical_package_id", "" + parts.get(core)[0]);
                    }
                }
            }
            if (coreOf.isEmpty()) {
                coreOf.put(0, "core0");
                cacheOf.put(0, "cache0");
                nodeOf.put(0, 0);
            }
            for (int cpu : coreOf.keySet()) {
                String cache = CPUS + cpu + "/cache/index";
                String siblings = like(coreOf, cpu);
                system.file(CPUS + cpu + "/topology/thread_siblings_list", siblings).file(cache + "0/level", "1")
                    .file(cache + "0/shared_cpu_list", siblings).file(cache + "3/level", "3")
                    .file(cache + "3/shared_cpu_list", like(cacheOf, cpu));
            }
            for (int node = 0; node < nodes; node++) {
                int number = node;
                system.file(NODES + node + "/cpulist", list(nodeOf.keySet().stream()
                    .filter(cpu -> nodeOf.get(cpu) == number)));
            }
            CpuSet some = CpuSet.parseList(list(coreOf.keySet().stream().filter(cpu -> random.nextInt(4) > 0)));
            allowed = some.isEmpty() ? CpuSet.of(coreOf.keySet().iterator().next()) : some;
        }

        private static String list(Stream<Integer> cpus) {
            return CpuSet.of(cpus.mapToInt(Integer::intValue).toArray()).toString();
        }

        static <T> String like(Map<Integer, T> kinds, int cpu) {
            return list(kinds.keySet().stream().filter(other -> kinds.get(other).equals(kinds.get(cpu))));
        }

        /** The processors that may be used of the part in which a set lies. */
        <T> CpuSet part(Map<Integer, T> kinds, CpuSet set) {
            return CpuSet.parseList(like(kinds, set.first())).and(allowed);
        }
    }

    @Property(tries = 60)
    void everyRankGetsProcessorsOfItsOwnNearItsNeighbours(@ForAll long seed,
        @ForAll @IntRange(min = 1, max = 24) int ranks)
        throws IOException {
        Path root = Files.createTempDirectory("brigade-layout");
        try {
            Machine machine = new Machine(new Random(seed), new FakeSystem(root));
            List<CpuCore> cores = CoreLayout.cores(new SystemFiles(root), machine.allowed);
            int processors = 0;
            for (CpuCore core : cores) {
                processors += core.processors().size();
                assertEquals(machine.part(machine.coreOf, core.processors()), core.processors(), "a core is whole");
            }
            assertEquals(machine.allowed.size(), processors, "each processor is of one core");
            for (Binding binding : List.of(Binding.CORE, Binding.CACHE, Binding.NUMA)) {
                CoreLayout layout = CoreLayout.of(binding, cores, CpuSet.EMPTY, ranks, null);
                assertEquals(ranks <= processors, layout != null);
                if (layout != null) {
                    check(machine, layout, binding, cores.size());
                }
            }
        } finally {
            delete(root);
        }
    }

    private static void check(Machine machine, CoreLayout layout, Binding binding, int cores) {
        CpuSet homes = CpuSet.EMPTY;
        Map<CpuSet, Integer> bound = new HashMap<>();
        Set<Object> before = new HashSet<>();
        Set<Object> last = Set.of();
        Map<String, Integer> perCore = new HashMap<>();
        for (int rank = 0; rank < layout.ranks(); rank++) {
            CpuSet home = layout.home(rank);
            CpuSet set = layout.bound(rank);
            assertTrue(!home.isEmpty() && set.containsAll(home) && machine.allowed.containsAll(set), "inside the mask");
            assertTrue(homes.and(home).isEmpty(), "homes are disjoint");
            homes = homes.or(home);
            perCore.merge(machine.coreOf.get(home.first()), 1, Integer::sum);
            CpuSet expected = switch (binding) {
                case CORE -> home;
                case CACHE -> machine.part(machine.cacheOf, home);
                default -> machine.part(machine.nodeOf, home);
            };
            assertEquals(expected, set, "a cache or a node is not split");
            bound.merge(set, 1, Integer::sum);
            Set<Object> here = Set.of(machine.coreOf.get(home.first()), machine.cacheOf.get(home.first()),
                machine.nodeOf.get(home.first()));
            for (Object part : here) {
                assertTrue(before.add(part) || last.contains(part), "ranks that share " + part + " are neighbours");
            }
            last = here;
        }
        bound.forEach((set, count) -> assertTrue(count <= set.size(), set + " has " + count + " ranks"));
        if (layout.ranks() <= cores) {
            assertTrue(perCore.values().stream().allMatch(count -> count == 1), "a core for each: " + perCore);
        } else {
            assertEquals(cores, perCore.size(), "hardware threads are shared last: " + perCore);
        }
    }

    private static void delete(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
