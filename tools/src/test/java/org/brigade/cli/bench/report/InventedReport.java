package org.brigade.cli.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.brigade.cli.bench.versus.BenchRow;
import org.brigade.cli.bench.versus.InventedLimit;
import org.brigade.cli.bench.versus.MeasuredRow;
import org.brigade.cli.bench.versus.Samples;

/** A report of figures that look like measured ones. */
public final class InventedReport {
    private static final long[] SIZES = {8, 64, 512, 4096, 32768, 262144, 1 << 20, 4 << 20, 16 << 20};

    private InventedReport() {
    }

    /** One of cold calls: two operations beside two peers, of which one has only the first. */
    static BenchReport cold() {
        List<MeasuredRow> rows = new ArrayList<>();
        for (String line : List.of("allreduce,2,8,init,,90000", "allreduce,2,8,1,,29000", "allreduce,2,8,3-10,,40",
            "allreduce,2,8,total,,31000", "barrier,2,0,1,,5000", "barrier,2,0,2,,50")) {
            BenchRow row = BenchRow.parse(line);
            List<MeasuredRow.PeerTime> peers = new ArrayList<>();
            for (String peer : row.bytes() == 0 ? List.of("openmpi") : List.of("openmpi", "mpj-express")) {
                BenchRow theirs = new BenchRow(row.operation(), 2, row.bytes(), "", row.microseconds() / 4, Double.NaN,
                    Double.NaN, row.calls());
                peers.add(new MeasuredRow.PeerTime(peer, theirs, Samples.of(theirs.microseconds())));
            }
            rows.add(new MeasuredRow(row, Samples.of(row.microseconds()), peers));
        }
        BenchReport warm = make();
        return new BenchReport("brigade bench --cold", warm.date(), warm.versions(), warm.machine(), warm.load(),
            List.of("openmpi", "mpj-express"), 1, false, rows, warm.limit());
    }

    public static BenchReport make() {
        List<MeasuredRow> rows = new ArrayList<>();
        double factor = 1;
        for (String operation : List.of("latency", "bcast", "allreduce")) {
            for (long bytes : SIZES) {
                rows.add(
                    row(operation, bytes, factor * (0.1 + bytes * 6e-5), operation.equals("bcast") && bytes == 64));
            }
            factor += 0.8;
        }
        rows.add(row("barrier", 0, 0.19, false));
        MachineFacts machine = new MachineFacts("AuthenticInvented", "An Invented Processor, family 1 model 2", 4, 2,
            List.of("L1 32 KiB, one for each core", "L2 1 MiB, one for all"), 1 << 20, "a common L2", "6.1", 8L << 30);
        Map<String, String> versions = new LinkedHashMap<>();
        versions.put("Brigade", "development");
        versions.put("JDK", "OpenJDK 17");
        versions.put("openmpi", "Open MPI 4.1.4");
        versions.put("openmpi-ucx", "Open MPI 4.1.4 over UCX");
        versions.put("mpich", "MPICH 9.9");
        return new BenchReport("brigade bench --vs 'a & b <c>' --report here.html", "2026-01-02 03:04 UTC", versions,
            machine, "other programs use 0.0 of 4 processors",
            List.of("openmpi", "openmpi-ucx", "mpich", "mpj-express"), 3, false, rows,
            InventedLimit.make(0.11, SIZES, 4e-5));
    }

    private static MeasuredRow row(String operation, long bytes, double time, boolean unsteady) {
        Samples ours = Samples.of(time, time * 1.02, time * (unsteady ? 3 : 0.99));
        List<MeasuredRow.PeerTime> peers = List.of(peer("openmpi", operation, bytes, time * 1.3),
            peer("openmpi-ucx", operation, bytes, time * 0.9), peer("mpich", operation, bytes, time * 1.7),
            peer("mpj-express", operation, bytes, 16 + time * 1.1));
        return new MeasuredRow(new BenchRow(operation, 2, bytes, bytes < 4096 ? "fused-flat" : "direct", ours.median()),
            ours, operation.equals("barrier") || bytes > 64 ? peers : peers.subList(bytes == 8 ? 0 : 2, 4));
    }

    private static MeasuredRow.PeerTime peer(String name, String operation, long bytes, double time) {
        Samples samples = Samples.of(time, time * 0.98, time * 1.05);
        return new MeasuredRow.PeerTime(name, new BenchRow(operation, 2, bytes, "", samples.median()), samples);
    }
}
