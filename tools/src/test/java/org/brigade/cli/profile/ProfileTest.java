package org.brigade.cli.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.brigade.cli.Ended;
import org.brigade.process.SharedFiles;
import org.brigade.select.MemorySpace;
import org.brigade.topology.profile.MachineFingerprint;
import org.brigade.topology.profile.PathProfile;
import org.brigade.topology.profile.ProfileXml;
import org.brigade.topology.profile.Transfer;
import org.brigade.topology.search.Mover;
import org.brigade.topology.search.Recording;
import org.brigade.transport.cuda.DeviceJob;
import org.brigade.transport.cuda.SoftwareCuda;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Profiles of host memory here, and of GPUs on the software driver; the bandwidths say nothing there. */
@Timeout(300)
@Tag("slow")
@Tag("once")
class ProfileTest {
    @TempDir
    Path folder;

    @BeforeAll
    static void build() throws Exception {
        SoftwareCuda.folder();
    }

    private List<String> profile(ProfilePlan plan, String gpus) throws Exception {
        return new DeviceJob(ProfileRank.class, plan.arguments().toArray(new String[0]))
            .set("SOFTWARE_CUDA_DEVICES", gpus).run(plan.devices().size()).lines();
    }

    private ProfilePlan plan(MemorySpace space, List<Integer> devices, double seconds, boolean keep) {
        return new ProfilePlan(space, List.of(Mover.MEMCPY), devices, 64 << 10, 2, seconds,
            folder.resolve("profile.xml"),
            folder.resolve("recording"), keep);
    }

    @Test
    void pathsOfHostMemoryAreMeasuredAndWritten() throws Exception {
        SharedFiles before = new SharedFiles();
        List<String> lines = profile(plan(MemorySpace.HOST, List.of(0, 1), 60, false), "2");
        PathProfile profile = ProfileXml.readOwn(folder.resolve("profile.xml"), MachineFingerprint.here());
        assertEquals(List.of("cpu0", "cpu1"), profile.origin().devices(), lines::toString);
        assertEquals(List.of(0, 1), profile.ring(3).gpus());
        assertEquals(1, profile.chain(3, 1).gpus().get(0));
        assertTrue(
            lines.stream()
                .anyMatch(line -> line.matches("about \\d+ sets of transfers to measure, more where links are not"
                    + " alike, \\d+ ms each: some .*, at most 60 s")),
            lines::toString);
        assertTrue(lines.stream().anyMatch(line -> line.matches("progress \\d+ \\d+")), lines::toString);
        assertTrue(lines.contains("not measured: transfers between nodes, GPUs"), lines::toString);
        assertTrue(Files.notExists(folder.resolve("recording")), "the recording of a whole profile");
        before.assertNothingLeft();
    }

    @Test
    void pathsOfGpusAreMeasuredAndGoOnFromWhatIsKnown() throws Exception {
        ProfilePlan whole = plan(MemorySpace.DEVICE, List.of(2, 0, 1), 200, true);
        List<String> first = profile(whole, "3");
        PathProfile profile = ProfileXml.read(folder.resolve("profile.xml"));
        assertEquals(List.of("0000:12:00.0", "0000:10:00.0", "0000:11:00.0"), profile.origin().devices(),
            first::toString);
        assertEquals(4, profile.rings().size(), "each set of two or more of three");
        assertEquals(3, profile.chains().get(7).size());
        int known = Recording.read(folder.resolve("recording")).size();
        assertTrue(
            known > 3 && first.stream().anyMatch(line -> line.contains(" " + known + " sets of transfers measured")),
            first::toString);
        List<String> again = profile(whole, "3");
        assertTrue(again.stream().anyMatch(line -> line.contains(" 0 sets of transfers measured")), again::toString);
        assertTrue(again.stream().anyMatch(line -> line.contains(known + " sets are known from")), again::toString);
        assertEquals(profile.ring(7).body(), ProfileXml.read(folder.resolve("profile.xml")).ring(7).body());
    }

    @Test
    void kernelsMoveDataOfGpusWhereAsked() throws Exception {
        ProfilePlan plan = new ProfilePlan(MemorySpace.DEVICE, List.of(Mover.KERNEL), List.of(0, 1), 64 << 10, 2, 200,
            folder.resolve("profile.xml"), folder.resolve("recording"), true);
        List<String> lines = profile(plan, "2");
        List<Transfer> ring = ProfileXml.read(folder.resolve("profile.xml")).ring(3).body();
        assertTrue(ring.size() >= 2 && ring.stream().allMatch(hop -> hop.type().byKernel()),
            lines::toString);
        assertTrue(lines.contains("not measured: transfers between nodes, copies by copy engines (kernels moved the"
            + " data)"), lines::toString);
    }

    @Test
    void whenTheTimeIsUpWhatIsMeasuredIsKept() throws Exception {
        List<String> lines = profile(plan(MemorySpace.HOST, List.of(0, 1), 0, false), "2");
        assertTrue(
            lines.stream().anyMatch(
                line -> line.contains("the time was up before the first ring was found") && line.contains("recording")),
            lines::toString);
        assertTrue(Files.exists(folder.resolve("recording")) && Files.notExists(folder.resolve("profile.xml")));
    }

    @Test
    void theCommandSaysWhatItCannotDo() {
        assertAsked("--gpus is for --space device", "--space", "host", "--gpus", "0,1");
        assertAsked("names 1 device; name 2 to 16", "--space", "host", "--cpus", "0");
        assertAsked("not a list of different numbers", "--space", "host", "--cpus", "0,0");
        assertAsked("processor 4095 does not exist", "--space", "host", "--cpus", "0,4095");
        assertAsked("--bytes 1024", "--space", "host", "--bytes", "1K", "--cpus", "0,1");
        assertAsked("write 90s, 10m or 2h", "--space", "host", "--time", "soon", "--cpus", "0,1");
        assertAsked("--movers is for --space device", "--space", "host", "--movers", "kernel", "--cpus", "0,1");
        assertAsked("--movers 'core': write copy-engine, kernel", "--space", "device", "--movers", "core");
        assertAsked("is a folder", "--space", "host", "--out", folder.toString(), "--cpus", "0,1");
    }

    @Test
    void aDescribedMachineIsProfiledInTheSimulator() {
        Path out = folder.resolve("simulated.xml");
        Ended ended = Ended.brigade("profile", "--machine", "thesis-sisci", "--across", "--out", out.toString());
        assertEquals(0, ended.code(), ended.err());
        assertTrue(ended.out().contains("fastest ring over 2 nodes: ") && ended.out().contains("over ranks"),
            ended.out());
        PathProfile profile = ProfileXml.read(out);
        assertNull(profile.origin(), "it is no machine's here");
        assertTrue(!profile.crossed(3).isEmpty() && profile.ring(3) != null);
        assertAsked("has fewer than two GPUs", "--machine", "rx2");
        assertAsked("--across is for --machine", "--across");
        assertAsked("--nodes profiles the network", "--nodes", "--gpus", "0,1");
        assertAsked("--bytes 1024", "--nodes", "--bytes", "1K");
        assertAsked("there is no machine \"nonsuch\"", "--machine", "nonsuch");
        assertAsked("has one node", "--machine", "h200-x4", "--across");
    }

    private static void assertAsked(String part, String... options) {
        String[] words = new String[options.length + 1];
        words[0] = "profile";
        System.arraycopy(options, 0, words, 1, options.length);
        Ended ended = Ended.brigade(words);
        assertEquals(2, ended.code(), ended.err());
        assertTrue(ended.err().contains(part), ended.err());
    }

    @Test
    void aPlanSurvivesItsArguments() {
        ProfilePlan plan =
            new ProfilePlan(MemorySpace.DEVICE, List.of(Mover.KERNEL, Mover.MEMCPY), List.of(3, 1), 4096, 5,
                1.5, Path.of(File.separator + "a b"),
                Path.of("c"), true);
        assertEquals(plan, ProfilePlan.of(plan.arguments().toArray(new String[0])));
    }
}
