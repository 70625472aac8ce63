package org.brigade.communicator.wires;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.brigade.algorithm.WireUse;
import org.brigade.bootstrap.Nodes;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.NetworkSpeed;
import org.brigade.pattern.Order;
import org.brigade.select.Settings;
import org.brigade.select.TuningException;
import org.brigade.topology.Place;
import org.brigade.topology.profile.MachineFingerprint;
import org.brigade.topology.profile.MeasuredPath;
import org.brigade.topology.profile.NetworkProfile;
import org.brigade.topology.profile.NetworkProfileXml;
import org.brigade.topology.profile.NodeLayout;
import org.brigade.topology.profile.NodeOrder;
import org.brigade.topology.profile.PathProfile;
import org.brigade.topology.profile.ProfileXml;
import org.brigade.topology.profile.Transfer;
import org.brigade.topology.profile.TransferType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WireKnowledgeTest {
    @TempDir
    private Path folder;

    private static Settings settings(String... pairs) {
        Properties properties = new Properties();
        for (int i = 0; i < pairs.length; i += 2) {
            properties.setProperty(pairs[i], pairs[i + 1]);
        }
        return new Settings(properties, Map.of());
    }

    private static long[] dealtOut(int ranks) {
        long[] places = new long[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            places[rank] = RankPlaces.word("host".hashCode(), new Place(rank % 2, -1, rank));
        }
        return places;
    }

    @Test
    void ranksDealtOutToNumaNodesAreOrderedByThem() {
        CommunicatorTopology wires =
            new WireKnowledge(settings(), Place.ANYWHERE, folder, null, "").of(dealtOut(5), true,
                CommunicatorTopology.NONE, null,
                null);
        assertArrayEquals(new int[] {0, 2, 4, 1, 3}, wires.order(5).toArray());
        assertArrayEquals(new int[] {0, 1, 0, 1, 0}, wires.levels().groupOf()[0]);
        assertFalse(wires.hasChains());
    }

    @Test
    void anOrderThatIsForcedStandsWhereverRanksAre() {
        WireSource source =
            new WireSource(settings("brigade.ring.order", "4,3,2,1,0"), Place.ANYWHERE, null, "", false, null);
        assertArrayEquals(new int[] {4, 3, 2, 1, 0},
            source.knowledge().of(dealtOut(5), true, CommunicatorTopology.NONE, source.order(5), null).order(5)
                .toArray());
        assertNull(source.order(4), "it is for communicators of five");
    }

    /** Ranks that go round between two nodes: without a word rings and chains go through one node after the other. */
    @Test
    void rankOrderThatIsForcedStandsBetweenNodesToo() {
        Nodes nodes = Nodes.of(0, new int[] {0, 1, 0, 1});
        int[] members = {0, 1, 2, 3};
        CommunicatorTopology found = new WireSource(settings(), Place.ANYWHERE, nodes, "", false, null).known(members);
        assertArrayEquals(new int[] {0, 2, 1, 3}, found.order(4).toArray());
        WireSource source =
            new WireSource(settings("brigade.ring.order", "0,1,2,3"), Place.ANYWHERE, nodes, "", false, null);
        CommunicatorTopology forced = source.known(members);
        for (CommunicatorTopology wires : List.of(forced,
            source.knowledge().of(dealtOut(4), true, forced, source.order(4), null))) {
            assertArrayEquals(members, wires.order(4).toArray());
            assertArrayEquals(members, wires.chain(0, 4).toArray());
            assertTrue(wires.isOrdered());
            assertNull(WireUse.CHAINS.pointless(wires), "a chain has an order to follow");
        }
    }

    private Path profile() throws IOException {
        NodeLayout layout = NodeLayout.uniform(1, new int[3]);
        PathProfile profile = new PathProfile.Builder(new PathProfile.Origin(MachineFingerprint.here(), "2026-11-21",
            "host", 1 << 20, List.of("cpu0", "cpu1", "cpu2")), layout)
            .ring(7, path(true, 0, 2, 1)).chain(7, path(false, 2, 0, 1)).build();
        Path file = folder.resolve("profile.xml");
        ProfileXml.write(profile, file);
        return file;
    }

    private static MeasuredPath path(boolean closed, Integer... devices) {
        List<Transfer> body = new ArrayList<>();
        for (int i = 0; i < (closed ? devices.length : devices.length - 1); i++) {
            body.add(
                Transfer.local(TransferType.GPU_WRITE_GPUMEM_KERNEL, devices[i], devices[(i + 1) % devices.length]));
        }
        return new MeasuredPath(1e9, List.of(devices), body);
    }

    @Test
    void aProfileOfTheseProcessorsOrdersRingsAndChains() throws IOException {
        WireKnowledge knowledge =
            new WireKnowledge(settings("brigade.topology.profile", profile().toString()), Place.ANYWHERE, folder, null,
                "");
        assertNotEquals(0, knowledge.ofHost.print());
        long[] places = new long[3];
        for (int rank = 0; rank < 3; rank++) {
            places[rank] = RankPlaces.word("host".hashCode(), new Place(0, 0, rank));
        }
        CommunicatorTopology wires = knowledge.of(places, true, CommunicatorTopology.NONE, null, null);
        assertArrayEquals(new int[] {0, 2, 1}, wires.order(3).toArray());
        assertTrue(wires.hasChains());
        assertArrayEquals(new int[] {2, 0, 1}, wires.chain(2, 3).toArray());
        places[1] = RankPlaces.word("host".hashCode(), new Place(0, 0, 17));
        assertFalse(knowledge.of(places, true, CommunicatorTopology.NONE, null, null).hasChains(),
            "processor 17 is not in the profile");
    }

    private Path profileOfGpus() throws IOException {
        return Files.writeString(folder.resolve("gpus.xml"),
            Files.readString(profile()).replace("\"host\"", "\"device\"").replace("\"cpu0\"", "\"0000:1b:00.0\"")
                .replace("\"cpu1\"", "\"0000:1c:00.0\"")
                .replace("\"cpu2\"", "\"0000:c1:00.0\""));
    }

    @Test
    void aProfileOfTheseGpusOrdersRingsAndChainsOfTheirRanks() throws IOException {
        WireKnowledge knowledge = new WireKnowledge(settings("brigade.topology.profile", profileOfGpus().toString()),
            Place.ANYWHERE, folder, null, "");
        assertNotEquals(0, knowledge.ofDevices.print());
        int[] devices = {knowledge.ofDevices.indexOf("0000:C1:00.0"), knowledge.ofDevices.indexOf("0000:1b:00.0"),
            knowledge.ofDevices.indexOf("0000:1c:00.0")};
        assertArrayEquals(new int[] {2, 0, 1}, devices);
        CommunicatorTopology wires = knowledge.of(devices, true);
        assertArrayEquals(new int[] {1, 0, 2}, wires.order(3).toArray());
        assertArrayEquals(new int[] {0, 1, 2}, wires.chain(0, 3).toArray());
        assertEquals(-1, knowledge.ofDevices.indexOf("0000:ff:00.0"));
        assertEquals(-1, knowledge.ofDevices.indexOf(null));
        assertEquals(CommunicatorTopology.NONE, knowledge.of(new int[] {0, -1, 2}, true),
            "a GPU that the profile does not have");
        assertEquals(CommunicatorTopology.NONE, knowledge.of(devices, false), "a rank without the profile");
        assertNotEquals(0, knowledge.ofHost.print());
        assertFalse(knowledge.of(onProcessors(), true, CommunicatorTopology.NONE, null, null).hasChains(),
            "it says nothing of processors");
    }

    @Test
    void aProfileOfProcessorsSaysNothingOfGpus() throws IOException {
        WireKnowledge knowledge =
            new WireKnowledge(settings("brigade.topology.profile", profile().toString()), Place.ANYWHERE, folder, null,
                "");
        knowledge.ofDevices.print();
        assertEquals(-1, knowledge.ofDevices.indexOf("cpu0"));
    }

    @Test
    void aProfileThatIsNotThereNamesTheSetting() {
        WireKnowledge knowledge = new WireKnowledge(settings("brigade.topology.profile", "/nowhere/profile.xml"),
            Place.ANYWHERE, folder, null, "");
        String message = assertThrows(TuningException.class, knowledge.ofHost::print).getMessage();
        assertTrue(message.startsWith("-Dbrigade.topology.profile=/nowhere/profile.xml: "), message);
    }

    @Test
    void withoutAProfileThereIsNothingToCompare() {
        assertEquals(0, new WireKnowledge(settings(), Place.ANYWHERE, folder, null, "").ofHost.print());
    }

    private Path found() throws IOException {
        return found("host", profile());
    }

    private Path found(String space, Path profile) throws IOException {
        Path file = MachineFingerprint.here().defaultFile(folder, space);
        Files.createDirectories(file.getParent());
        return Files.move(profile, file);
    }

    @Test
    void aProfileThatOthersCanWriteToIsNotUsed() throws IOException {
        Files.setPosixFilePermissions(found(), PosixFilePermissions.fromString("rw-rw-rw-"));
        WireKnowledge knowledge = new WireKnowledge(settings(), Place.ANYWHERE, folder, null, "");
        assertEquals(0, knowledge.ofHost.print());
        assertTrue(knowledge.ofHost.complaint().contains("can be written to by others"));
        assertEquals(0, new WireKnowledge(settings(), Place.ANYWHERE, null, null, "").ofHost.print());
    }

    @Test
    void aProfileInTheUsersHomeIsFoundWithoutASetting() throws IOException {
        found();
        WireKnowledge knowledge = new WireKnowledge(settings(), Place.ANYWHERE, folder, null, "");
        long print = knowledge.ofHost.print();
        assertNotEquals(0, print);
        assertNull(knowledge.ofHost.compare(ProfilePrints.of(print, print, print)));
        assertNull(knowledge.ofHost.complaint());
        assertTrue(knowledge.of(onProcessors(), true, CommunicatorTopology.NONE, null, null).hasChains());
        assertEquals(0,
            new WireKnowledge(settings("brigade.topology.profile", "none"), Place.ANYWHERE, folder, null, "").ofHost
                .print());
    }

    @Test
    void profilesOfProcessorsAndOfGpusAreBothFound() throws IOException {
        found("device", profileOfGpus());
        found("host", profile());
        WireKnowledge knowledge = new WireKnowledge(settings(), Place.ANYWHERE, folder, null, "");
        assertNotEquals(knowledge.ofHost.print(), knowledge.ofDevices.print());
        assertTrue(knowledge.of(onProcessors(), true, CommunicatorTopology.NONE, null, null).hasChains());
        assertEquals(2, knowledge.ofDevices.indexOf("0000:c1:00.0"));
    }

    @Test
    void whatWasKnownOfNodesAndWhatJoinsThemStays() throws IOException {
        found();
        WireKnowledge knowledge = new WireKnowledge(settings(), Place.ANYWHERE, folder, null, "");
        assertNotEquals(0, knowledge.ofHost.print());
        CommunicatorTopology known =
            CommunicatorTopology.ofNodes(null, new int[] {0, 1, 2}).joinedBy("sisci").multicast(true);
        CommunicatorTopology learnt = knowledge.of(onProcessors(), true, known, null, null);
        assertEquals(List.of(3, "sisci", true), List.of(learnt.nodes(), learnt.fabric(), learnt.multicast()));
    }

    @Test
    void aProfileThatWasNamedIsAskedForEvenByTwoRanks() throws IOException {
        assertTrue(
            new WireSource(settings("brigade.topology.profile", profile().toString()), Place.ANYWHERE, null, "", false,
                null)
                .tells(2));
        for (Settings without : new Settings[] {settings(), settings("brigade.topology.profile", "none")}) {
            assertFalse(new WireSource(without, Place.ANYWHERE, null, "", false, null).tells(2));
            assertTrue(new WireSource(without, Place.ANYWHERE, null, "", false, null).tells(3));
        }
        assertFalse(
            new WireSource(settings("brigade.topology.profile", profile().toString()), Place.ANYWHERE, null, "", false,
                null)
                .tells(1));
    }

    @Test
    void aProfileThatNotAllRanksFoundIsNotUsedAndRank0SaysSo() throws IOException {
        found();
        WireKnowledge knowledge = new WireKnowledge(settings(), Place.ANYWHERE, folder, null, "");
        long print = knowledge.ofHost.print();
        assertNull(knowledge.ofHost.compare(ProfilePrints.of(print, 0, print)));
        assertTrue(knowledge.ofHost.complaint().startsWith("ranks found different topology profiles, or none"));
        assertNull(knowledge.ofHost.complaint(), "told once");
        assertFalse(knowledge.of(onProcessors(), false, CommunicatorTopology.NONE, null, null).hasChains());
        assertTrue(knowledge.of(onProcessors(), true, CommunicatorTopology.NONE, null, null).hasChains(),
            "another communicator's ranks have all found it, whatever this rank has seen elsewhere");
    }

    @Test
    void aProfileOfAnotherMachineThatIsFoundIsNotUsedAndSaysWhy() throws IOException {
        Path file = found();
        Files.writeString(file, Files.readString(file).replace("driver=\"" + MachineFingerprint.here().driver() + "\"",
            "driver=\"1.2.3\""));
        WireKnowledge knowledge = new WireKnowledge(settings(), Place.ANYWHERE, folder, null, "");
        assertEquals(0, knowledge.ofHost.print());
        assertTrue(
            knowledge.ofHost.complaint().contains("is the profile of another machine: its NVIDIA driver is 1.2.3"));
    }

    @Test
    void profilesThatWereNamedMustBeTheSame() throws IOException {
        WireKnowledge knowledge =
            new WireKnowledge(settings("brigade.topology.profile", profile().toString()), Place.ANYWHERE, folder, null,
                "");
        long print = knowledge.ofHost.print();
        assertTrue(knowledge.ofHost.compare(ProfilePrints.of(print, TopologyProfile.UNREADABLE))
            .startsWith("rank 1 cannot use its topology profile; "));
        assertTrue(knowledge.ofHost.compare(ProfilePrints.of(print, 0, print))
            .startsWith("rank 1 has another topology profile"));
        assertTrue(new WireKnowledge(settings(), Place.ANYWHERE, folder, null, "").ofHost
            .compare(ProfilePrints.of(0, print)).startsWith("rank 1 has another topology profile"));
    }

    /** Two racks of two nodes, in turn: a ring that goes rack by rack crosses the link between them once each way. */
    private static NetworkProfile racks(String... hosts) {
        return new NetworkProfile("mpi", "2026-11-26", 1 << 20, List.of(hosts),
            new NetworkProfile.Visit(2e9, List.of(0, 2, 1, 3)),
            Map.of(3, new NetworkProfile.Visit(2e9, List.of(3, 1, 2, 0))));
    }

    private NetworkKnowledge network(Settings settings, String fabric, String host) {
        return new NetworkKnowledge(settings, folder, fabric, host);
    }

    private static long word(String host) {
        return new NetworkKnowledge(settings(), null, "", host).hostWord();
    }

    @Test
    void nodesFollowEachOtherAsTheProfileOfTheirNetworkHasThem() throws IOException {
        String[] hosts = {"a", "b", "c", "d"};
        NetworkProfileXml.write(racks(hosts), NetworkProfileXml.defaultFile(folder, "mpi", List.of(hosts)));
        NetworkKnowledge network = network(settings(), "mpi", "b");
        assertTrue(network.isThere());
        int[] nodeOf = {5, 5, 7, 7, 1, 1, 3, 3};
        long[] words = {word("d"), word("d"), word("c"), word("c"), word("b"), word("b"), word("a"), word("a")};
        NodeOrder between = network.find(nodeOf, words, null).order();
        NetworkSpeed adapters = new NetworkSpeed(2_000, 100_000_000_000L, 1, "adapters");
        assertEquals(adapters.at(16_000_000_000L, "measured by brigade profile --nodes"),
            network.find(nodeOf, words, adapters).speed(), "the rate of the ring's slowest hop");
        long[] places = new long[8];
        for (int rank = 0; rank < places.length; rank++) {
            places[rank] = RankPlaces.word(nodeOf[rank], Place.ANYWHERE);
        }
        WireKnowledge knowledge = new WireKnowledge(settings(), Place.ANYWHERE, folder, null, "mpi");
        CommunicatorTopology known = CommunicatorTopology.ofNodes(null, nodeOf).joinedBy("mpi");
        CommunicatorTopology wires = knowledge.of(places, true, known, null, between);
        assertArrayEquals(new int[] {0, 1, 6, 7, 2, 3, 4, 5}, wires.order(8).toArray(),
            "d a c b, as 0 2 1 3 is a ring");
        assertArrayEquals(new int[] {1, 0, 4, 5, 2, 3, 6, 7}, wires.chain(1, 8).toArray(), "from d: d b c a");
        assertArrayEquals(new int[] {3, 2, 4, 5, 0, 1, 6, 7}, wires.chain(3, 8).toArray(), "from c: along the ring");
        assertEquals("mpi", wires.fabric());
        assertArrayEquals(new int[] {0, 1, 2, 3, 4, 5, 6, 7},
            knowledge.of(places, true, known, Order.identity(8), between).order(8).toArray(), "a forced order stands");
    }

    @Test
    void aNetworksProfileIsNotFollowedByOtherHostsOrOverAnotherFabric() throws IOException {
        String[] hosts = {"a", "b", "c", "d"};
        NetworkProfileXml.write(racks(hosts), NetworkProfileXml.defaultFile(folder, "mpi", List.of(hosts)));
        assertFalse(network(settings(), "sisci", "a").isThere());
        assertFalse(network(settings(), "mpi", "e").isThere());
        assertFalse(network(settings("brigade.network.profile", "none"), "mpi", "a").isThere());
        NetworkKnowledge network = network(settings(), "mpi", "a");
        assertTrue(network.isThere());
        assertNull(network.find(new int[] {0, 1, 2}, new long[] {word("a"), word("b"), word("e")}, null));
        assertNull(network.find(new int[] {0, 1, 2}, new long[] {word("a"), word("b"), word("a")}, null),
            "two nodes of one name");
        assertArrayEquals(new int[] {0, 2, 1},
            network.find(new int[] {0, 1, 2}, new long[] {word("a"), word("b"), word("c")}, null).order().ring());
    }

    @Test
    void aNetworksProfileThatWasNamedMustServe() throws IOException {
        Path file = folder.resolve("named.xml");
        NetworkProfileXml.write(racks("a", "b", "c", "d"), file);
        NetworkKnowledge network = network(settings("brigade.network.profile", file.toString()), "sisci", "e");
        assertTrue(network.isThere(), "the user knows better");
        String message = assertThrows(TuningException.class,
            () -> network.find(new int[] {0, 1, 2}, new long[] {word("a"), word("e"), word("b")}, null)).getMessage();
        assertTrue(message.contains("has no host for the node of rank 1; take a profile of all nodes"), message);
        Files.writeString(file, "<root/>");
        message = assertThrows(TuningException.class,
            network(settings("brigade.network.profile", file.toString()), "mpi", "a")::isThere).getMessage();
        assertTrue(
            message.startsWith("-Dbrigade.network.profile=" + file) && message.contains("no profile of a network"),
            message);
    }

    @Test
    void aNetworksProfileThatOthersCanWriteToIsNotUsed() throws IOException {
        Path file = NetworkProfileXml.defaultFile(folder, "mpi", List.of("a", "b", "c", "d"));
        NetworkProfileXml.write(racks("a", "b", "c", "d"), file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        NetworkKnowledge network = network(settings(), "mpi", "a");
        assertFalse(network.isThere());
        assertTrue(network.complaint().contains("can be written to by others"));
        assertNull(network.complaint(), "told once");
    }

    private static long[] onProcessors() {
        long[] places = new long[3];
        for (int rank = 0; rank < 3; rank++) {
            places[rank] = RankPlaces.word("host".hashCode(), new Place(0, 0, rank));
        }
        return places;
    }
}
