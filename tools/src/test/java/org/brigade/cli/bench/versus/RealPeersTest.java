package org.brigade.cli.bench.versus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.brigade.cli.Ended;
import org.brigade.cli.shared.BenchException;
import org.brigade.cli.shared.Json;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One short comparison with each library that is installed here; the times say nothing. */
@Timeout(300)
@Tag("once")
@Tag("slow")
class RealPeersTest {
    @TempDir
    Path folder;

    @Test
    void openMpiIsCompiledAndRunAndTheReportHasBothSidesAndTheLimit() throws IOException {
        assumeInstalled(() -> InstalledMpi.find(MpiFamily.OPEN_MPI, System.getenv("PATH")));
        Path report = folder.resolve("here.json");
        Ended ended = Ended.brigade("bench", "--np", "2", "--vs", "openmpi", "--runs", "1", "--ops", "latency,bcast",
            "--sizes", "8,4096", "--fresh", "--report", report.toString(), "-J-Dbrigade.bench.iterations=50");
        assertEquals(0, ended.code(), ended.err());
        Map<?, ?> json = (Map<?, ?>) Json.read(Files.readString(report));
        assertTrue(json.get("command").toString().startsWith("brigade bench --np 2"), json.toString());
        List<?> rows = (List<?>) json.get("rows");
        assertEquals(4, rows.size());
        for (Object row : rows) {
            assertTrue(((Map<?, ?>) ((Map<?, ?>) row).get("peers")).containsKey("openmpi"), row.toString());
            assertTrue(((Map<?, ?>) row).get("limit") instanceof Double, row.toString());
        }
        assertTrue(((Map<?, ?>) json.get("versions")).get("openmpi").toString().startsWith("Open MPI "),
            json.toString());
    }

    @Test
    void mpjExpressRunsOurProgramUnderItsOwnStarter() {
        BenchJob job =
            new BenchJob("latency,bw,barrier,bcast,allreduce,reduce-scatter,gatherv,alltoallv", "64", 2, 65536);
        assumeInstalled(() -> MpjExpress.peer(MpjExpress.home(System.getenv("MPJ_HOME")), job).close());
        try (PeerBenchmark peer = MpjExpress.peer(MpjExpress.home(System.getenv("MPJ_HOME")), job)) {
            List<BenchRow> rows = new ArrayList<>();
            peer.run(rows::add);
            assertEquals(8, rows.size(), rows.toString());
            for (BenchRow row : rows) {
                assertTrue(row.microseconds() > 0, row.toString());
            }
        }
    }

    @Test
    void firstCallsOfOursAndOfOpenMpiAndMpjExpressAreMeasuredInTheSameSpans() throws IOException {
        assumeInstalled(() -> InstalledMpi.find(MpiFamily.OPEN_MPI, System.getenv("PATH")));
        assumeInstalled(() -> MpjExpress.home(System.getenv("MPJ_HOME")));
        Path report = folder.resolve("cold.json");
        Ended ended = Ended.brigade("bench", "--np", "2", "--vs", "openmpi,mpj-express", "--runs", "1", "--cold=30",
            "--ops", String.join(",", ColdCalls.OPERATIONS), "--sizes", "64", "--report", report.toString());
        assertEquals(0, ended.code(), ended.err());
        List<?> rows = (List<?>) ((Map<?, ?>) Json.read(Files.readString(report))).get("rows");
        assertEquals(ColdCalls.OPERATIONS.size() * (4 + 2), rows.size());
        for (Object row : rows) {
            assertEquals(2, ((Map<?, ?>) ((Map<?, ?>) row).get("peers")).size(), row.toString());
        }
    }

    private static void assumeInstalled(Runnable look) {
        try {
            look.run();
        } catch (BenchException missing) {
            Assumptions.abort(missing.getMessage());
        }
    }
}
