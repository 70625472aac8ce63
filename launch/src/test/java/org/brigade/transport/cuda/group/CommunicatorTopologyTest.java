package org.brigade.transport.cuda.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.brigade.nightly.Nightly;
import org.brigade.topology.profile.MachineFingerprint;
import org.brigade.topology.profile.MeasuredPath;
import org.brigade.topology.profile.NodeLayout;
import org.brigade.topology.profile.PathProfile;
import org.brigade.topology.profile.ProfileXml;
import org.brigade.topology.profile.Transfer;
import org.brigade.topology.profile.TransferType;
import org.brigade.transport.cuda.DeviceJob;
import org.brigade.transport.cuda.SoftwareCuda;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Calls on device memory run along the wires that a communicator knows, between processes on the software driver;
 * {@link WireTrial} tells the order from the results.
 */
@Timeout(300)
@Tag("once") // kernels that the other JDK only starts
@Tag("slow")
class CommunicatorTopologyTest {
    private static final List<String> WELL = List.of("all is well");

    @TempDir
    private Path folder;

    @BeforeAll
    static void build() throws Exception {
        SoftwareCuda.folder();
    }

    private static DeviceJob job(int gpus, String... arguments) {
        DeviceJob job = new DeviceJob(WireTrial.class, arguments).set("SOFTWARE_CUDA_DEVICES", "" + gpus);
        for (String ring : List.of("allreduce", "reduce-scatter")) {
            job.option("-Dbrigade." + ring + ".device.algorithm=ring");
        }
        return job.option("-Dbrigade.bcast.device.algorithm=chain").option("-Dbrigade.bcast.device.chunk=4K");
    }

    @ParameterizedTest
    @CsvSource("'3,1,0,2'")
    @Nightly({"'0,2,1'", "'0,2,1,3'"})
    void ringsRunInTheOrderThatIsForced(String order) throws Exception {
        int ranks = order.split(",").length;
        assertEquals(WELL, job(ranks, order).option("-Dbrigade.ring.order=" + order).run(ranks).lines());
        assertEquals(WELL, job(ranks, order, "stream").option("-Dbrigade.ring.order=" + order).run(ranks).lines());
    }

    @Test
    void ringsRunInRankOrderWhereNothingIsKnown() throws Exception {
        assertEquals(WELL, job(3, "0,1,2").option("-Dbrigade.topology.profile=none").run(3).lines());
    }

    /** The profile of this machine, whose GPUs are the software driver's, numbered as PCI has them. */
    private Path profile(String host, int... ring) throws IOException {
        int gpus = ring.length;
        List<String> names = new ArrayList<>();
        for (int gpu = 0; gpu < gpus; gpu++) {
            names.add("0000:1" + Integer.toHexString(gpu) + ":00.0");
        }
        MachineFingerprint here = MachineFingerprint.here();
        MachineFingerprint machine = new MachineFingerprint(host == null ? here.host() : host, here.cpu(),
            here.processors(), here.numaNodes(), here.driver(), here.gpus());
        int all = (1 << gpus) - 1;
        PathProfile.Builder builder =
            new PathProfile.Builder(new PathProfile.Origin(machine, "2026-11-21", "device", 1 << 20, names),
                NodeLayout.uniform(1, new int[gpus]));
        builder.ring(all, path(true, ring));
        for (int root = 0; root < gpus; root++) {
            int[] down = new int[gpus];
            for (int position = 0; position < gpus; position++) {
                down[position] = (root - position + gpus) % gpus;
            }
            builder.chain(all, path(false, down));
        }
        Path file = folder.resolve("profile.xml");
        ProfileXml.write(builder.build(), file);
        return file;
    }

    private static MeasuredPath path(boolean closed, int... gpus) {
        List<Transfer> body = new ArrayList<>();
        List<Integer> visited = new ArrayList<>();
        for (int i = 0; i < gpus.length; i++) {
            visited.add(gpus[i]);
            if (closed || i + 1 < gpus.length) {
                body.add(Transfer.local(TransferType.GPU_WRITE_GPUMEM_KERNEL, gpus[i], gpus[(i + 1) % gpus.length]));
            }
        }
        return new MeasuredPath(1e9, visited, body);
    }

    @Test
    void ringsAndChainsRunAsAProfileOfTheirGpusSays() throws Exception {
        assertEquals(WELL,
            job(4, "0,2,1,3").option("-Dbrigade.topology.profile=" + profile(null, 0, 2, 1, 3)).run(4).lines());
    }

    @Test
    void aProfileOfOtherGpusIsNotFollowed() throws Exception {
        assertEquals(WELL,
            job(4, "0,1,2,3").option("-Dbrigade.topology.profile=" + profile(null, 0, 2, 1)).run(4).lines());
    }

    @Test
    void aProfileOfAnotherMachineIsAnErrorThatNamesIt() throws Exception {
        DeviceJob.Ended ended =
            job(3, "0,2,1").option("-Dbrigade.topology.profile=" + profile("elsewhere", 0, 2, 1)).run(3);
        assertTrue(
            ended.code() != 0 && ended.text().contains("is the profile of another machine: its host is elsewhere"),
            ended.text());
    }
}
