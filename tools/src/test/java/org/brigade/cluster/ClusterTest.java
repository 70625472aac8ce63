package org.brigade.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.brigade.cluster.Cluster.Begun;
import org.brigade.cluster.Cluster.Ended;
import org.brigade.nightly.Nightly;
import org.brigade.process.Strangers;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What bin/cluster makes: hosts that are separate where real ones are, and nothing of them that stays. */
@Tag("once")
@Timeout(300)
class ClusterTest {
    /** A user that no machine has. */
    private static final int STRANGER = 54_320;

    @TempDir
    Path directory;

    @BeforeAll
    static void hostsArePossible() throws Exception {
        Cluster.assumePossible();
    }

    @Test
    void hostsShareFilesAndNothingElse() throws Exception {
        try (Cluster cluster = Cluster.of(2, directory, "--shm", "3m")) {
            Files.writeString(directory.resolve("file"), "seen");
            Set<String> identities = new HashSet<>();
            for (String host : List.of("login", "node1", "node2")) {
                assertEquals(new Ended(0, host + "\n"), cluster.on(host, "hostname"));
                identities.add(cluster.on(host, "cat", "/proc/sys/kernel/random/boot_id").text());
                assertEquals("seen", cluster.on(host, "cat", directory.resolve("file").toString()).text());
                assertEquals("", cluster.on(host, "sh", "-c", "ls -A /dev/shm; touch /dev/shm/mine").text(),
                    "somebody else's files in /dev/shm of " + host);
                assertFalse(cluster.on(host, "ls", "/tmp").text().contains("mine"),
                    "somebody else's files in /tmp of " + host);
                cluster.on(host, "touch", "/tmp/mine");
                String interfaces = cluster.on(host, "ls", "/sys/class/net").text();
                assertEquals(host.equals("login") ? "lo\nnode1\nnode2\nswitch\n" : "eth0\nlo\n", interfaces);
            }
            assertEquals(3, identities.size(), () -> "boot ids that are not different: " + identities);
            Ended full = cluster.on("node1", "sh", "-c", "head -c 4m /dev/zero > /dev/shm/big");
            assertNotEquals(0, full.code());
            assertTrue(full.text().contains("No space left on device"), full::text);
            assertFalse(
                cluster.on("node2", "sh", "-c", "cat /proc/[0-9]*/cmdline | tr '\\0' ' '").text().contains("node1"),
                "node2 sees node1's processes");
        }
    }

    /** In a user namespace root is an ordinary user, and no other user is known. */
    @Test
    void aFolderThatAnotherUserHasMadeIsNotUsed() throws Exception {
        Path state = Path.of("/var/tmp/brigade-clusters-" + STRANGER);
        try {
            assertEquals(0, asOrdinaryUser().code(), "without a folder");
            Files.createDirectory(state);
            Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxrwxrwx"));
            assertRefused(state);
            Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwx------"));
            assertEquals(0, asOrdinaryUser().code(), "with a folder of this user's");
            Files.delete(state);
            Files.createSymbolicLink(state, directory);
            assertRefused(state);
            Files.delete(state);
            Files.createDirectory(state);
            Strangers.give(state);
            assertRefused(state);
        } finally {
            Files.deleteIfExists(state);
        }
    }

    private static void assertRefused(Path state) throws Exception {
        Ended ended = asOrdinaryUser();
        assertEquals(new Ended(2, "cluster: " + state + " is not a folder of this user alone; have it removed.\n"),
            ended);
    }

    private static Ended asOrdinaryUser() throws Exception {
        Process script = new ProcessBuilder("unshare", "--map-user=" + STRANGER, Cluster.SCRIPT.toString(), "list")
            .redirectErrorStream(true).start();
        String text = new String(script.getInputStream().readAllBytes());
        return new Ended(script.waitFor(), text);
    }

    @Tag("nightly")
    @Test
    void linksCarryWhatTheirRateAllowsAndNothingWhileStalled() throws Exception {
        try (Cluster cluster = Cluster.of(2, directory, "--rate", "100mbit")) {
            Begun listener = listen(cluster, "node1");
            assertBound(call(cluster, 1024), 4 << 20, 300); // 4 MiB at 100 Mbit/s take 335 ms
            cluster.control("rate", "node2", "20mbit");
            assertBound(call(cluster, 512), 2 << 20, 500); // 839 ms
            cluster.control("stall", "node1");
            assertEquals("no answer\n", call(cluster, 16).text());
            cluster.control("unstall", "node1");
            assertTrue(call(cluster, 16).text().startsWith("connected 65536 "));
            cluster.control("pause", "node1"); // the kernel of a host goes on, its processes do not
            Begun caller = cluster.start(Map.of(), "exec", "node2", Cluster.JAVA, "-cp", Cluster.CLASS_PATH,
                Caller.class.getName(), "call", "node1", "16");
            assertFalse(caller.process().waitFor(1, TimeUnit.SECONDS), "a paused host's process answers");
            cluster.control("resume", "node1");
            assertTrue(Cluster.end(caller, 150).text().startsWith("connected 65536 "));
            listener.process().destroyForcibly();
        }
    }

    @Test
    void aLinkLosesAboutAsManyPacketsAsItIsTold() throws Exception {
        try (Cluster cluster = Cluster.of(2, directory)) {
            // Where the other host is must be known: a lost question for that keeps packets from being sent at all.
            cluster.on("node1", "bash", "-c", "PATH=$PATH:/usr/sbin:/sbin; until ip neigh | grep -q lladdr; do"
                + " echo a > /dev/udp/10.77.0.2/9; sleep 0.1; done");
            cluster.control("loss", "node1", "50");
            long lost = lost(cluster);
            assertTrue(lost > 50 && lost < 150, () -> lost + " of 200 packets were lost, which should be about 100");
            cluster.control("loss", "node1", "0");
            assertEquals(0, lost(cluster));
        }
    }

    /** How many of 200 packets leave a host in vain. */
    private static long lost(Cluster cluster) throws Exception {
        Ended sent = cluster.on("node1", "bash", "-c", "PATH=$PATH:/usr/sbin:/sbin; for ((i = 0; i < 200; i++)); do"
            + " echo a > /dev/udp/10.77.0.2/9; done; tc -s qdisc show dev eth0");
        Matcher dropped = Pattern.compile("dropped (\\d+)").matcher(sent.text());
        assertTrue(dropped.find(), sent::text);
        return Long.parseLong(dropped.group(1));
    }

    private Begun listen(Cluster cluster, String host) throws Exception {
        Begun listener = cluster.start(Map.of(), "exec", host, Cluster.JAVA, "-cp", Cluster.CLASS_PATH,
            Caller.class.getName(), "listen");
        listener.awaitText("listening");
        return listener;
    }

    private Ended call(Cluster cluster, int pages) throws Exception {
        return cluster.on("node2", Cluster.JAVA, "-cp", Cluster.CLASS_PATH, Caller.class.getName(), "call", "node1",
            "" + pages);
    }

    /** A slow machine may take longer, but nothing makes a limited link faster. */
    private static void assertBound(Ended call, int bytes, int milliseconds) {
        String[] words = call.text().trim().split(" ");
        assertEquals("connected", words[0], call::text);
        assertEquals(bytes, Integer.parseInt(words[1]));
        assertTrue(Integer.parseInt(words[2]) >= milliseconds,
            () -> bytes + " bytes took " + words[2] + " ms; that link cannot carry them in less than " + milliseconds);
    }

    @Test
    void aKilledHostTakesItsProcessesWithItAndTheOthersStay() throws Exception {
        try (Cluster cluster = Cluster.of(2, directory)) {
            Begun victim = cluster.start(Map.of(), "exec", "node1", "sh", "-c", "echo there; exec sleep 60");
            victim.awaitText("there"); // a host that is dead before lets nobody in
            cluster.control("kill", "node1");
            assertEquals(128 + 9, Cluster.end(victim, 150).code());
            Ended after = cluster.on("node1", "true");
            assertEquals(new Ended(2, "cluster: the host node1 is dead.\n"), after);
            assertEquals(0, cluster.on("node2", "true").code());
            assertEquals("lo\nnode2\nswitch\n", cluster.on("login", "ls", "/sys/class/net").text());
        }
    }

    @ParameterizedTest
    @CsvSource({"openmpi, slot, '3,1', node1 node1 node1 node2", "openmpi, '2,1,1,2', 2x2, node2 node1 node1 node2",
        "mpich, node, 2x2, node1 node2 node1 node2", "mpich, '2,1,1,2', 2x2, node2 node1 node1 node2"})
    @Nightly({"openmpi, node, '3,1', node1 node2 node1 node1", "mpich, slot, '3,1', node1 node1 node1 node2"})
    void mpirunPutsRanksWhereTheMapSays(String mpi, String map, String shape, String expected) throws Exception {
        Cluster.assumeInstalled(mpi);
        try (Cluster cluster = Cluster.of(2, directory)) {
            Begun job =
                cluster.start(Map.of("BRIGADE_WORD", "told"), "run", "--mpi", mpi, "--map", map, shape, "sh", "-c",
                    "echo rank $OMPI_COMM_WORLD_RANK$PMI_RANK on $(hostname) $BRIGADE_WORD");
            Ended ended = Cluster.end(job, 40);
            assertEquals(0, ended.code(), ended::text);
            String[] hosts = expected.split(" ");
            for (int rank = 0; rank < hosts.length; rank++) {
                String line = "rank " + rank + " on " + hosts[rank] + " told";
                assertTrue(ended.lines().contains(line), () -> "no line \"" + line + "\":\n" + ended.text());
            }
        }
    }

    @Tag("nightly")
    @Test
    void severalClustersAtOnceHaveTheSameAddressesAndDoNotMeet() throws Exception {
        try (Cluster one = Cluster.of(2, directory); Cluster other = Cluster.of(2, directory)) {
            Begun listener = listen(one, "node1");
            assertTrue(call(one, 16).text().startsWith("connected"));
            Ended call = call(other, 16);
            assertTrue(call.text().contains("Connection refused"), call::text);
            listener.process().destroyForcibly();
        }
    }

    @Test
    void nothingStaysOfHostsWhoseHolderIsKilled() throws Exception {
        Cluster cluster = Cluster.of(2, directory);
        ProcessHandle inside =
            cluster.start(Map.of(), "exec", "node2", "sh", "-c", "echo begun; sleep 60").process().toHandle();
        String process = script("list").lines().filter(line -> line.startsWith(cluster.key() + ": 2 hosts, process "))
            .findFirst().orElseThrow().replaceAll(".* ", "");
        ProcessHandle hosts = ProcessHandle.of(Long.parseLong(process)).orElseThrow();
        cluster.holder().destroyForcibly();
        hosts.onExit().get(150, TimeUnit.SECONDS);
        inside.onExit().get(150, TimeUnit.SECONDS);
        assertFalse(script("list").contains(cluster.key()), "a cluster that is gone is still listed");
        assertFalse(Files.readString(Path.of("/proc/self/mounts")).contains("brigade-clusters"),
            "a mount of it is on the machine");
        assertFalse(Files.exists(Path.of("/sys/class/net/switch")), "an interface of it is on the machine");
    }

    @Test
    void hostsThatAreUpStayUntilTheyAreTakenDown() throws Exception {
        String key = "stays-" + ProcessHandle.current().pid();
        assertEquals("", script("up", "-k", key, "--rate", "none", "2"));
        try {
            assertTrue(script("up", "-k", key, "2").contains("is up already"));
            assertEquals("node2\n", script("exec", "-k", key, "node2", "hostname"));
            assertTrue(script("exec", "-k", key, "node3", "hostname")
                .contains("there is no host node3; there are node1 node2."));
        } finally {
            assertEquals("", script("down", "-k", key));
        }
        assertTrue(script("exec", "-k", key, "node2", "hostname").contains("no cluster " + key + " is up"));
        assertTrue(script("down", "-k", key).contains("no cluster " + key + " is up"));
    }

    private String script(String... line) throws Exception {
        List<String> command = new ArrayList<>(List.of(Cluster.SCRIPT.toString()));
        command.addAll(List.of(line));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes());
        assertTrue(process.waitFor(150, TimeUnit.SECONDS));
        return text;
    }
}
