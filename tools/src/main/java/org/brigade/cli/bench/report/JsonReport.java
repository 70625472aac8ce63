package org.brigade.cli.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.brigade.cli.bench.versus.MachineLimit;
import org.brigade.cli.bench.versus.MeasuredRow;
import org.brigade.cli.bench.versus.Samples;
import org.brigade.cli.shared.Json;

/** A report with every sample, for programs. Times are microseconds. */
final class JsonReport {
    private JsonReport() {
    }

    static String text(BenchReport report) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("command", report.command());
        all.put("date", report.date());
        all.put("versions", report.versions());
        all.put("machine", report.facts());
        all.put("runs", report.runs());
        all.put("fresh", report.fresh());
        all.put("round-trip", report.limit().roundTrip());
        all.put("limit", MachineLimit.METHOD);
        List<Object> rows = new ArrayList<>();
        for (MeasuredRow row : report.rows()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("operation", row.row().operation());
            one.put("ranks", row.row().ranks());
            one.put("bytes", row.row().bytes());
            if (row.row().isCold()) {
                one.put("calls", row.row().calls());
            }
            one.put("algorithm", row.row().algorithm());
            one.put("ours", side(row.samples()));
            Map<String, Object> peers = new LinkedHashMap<>();
            row.peers().forEach(peer -> peers.put(peer.peer(), side(peer.samples())));
            one.put("peers", peers);
            one.put("ratio", row.ratio());
            one.put("limit", report.limit(row));
            one.put("beats-limit", report.beatsLimit(row));
            one.put("unsteady", row.isUnsteady());
            rows.add(one);
        }
        all.put("rows", rows);
        return Json.write(all);
    }

    private static Map<String, Object> side(Samples samples) {
        Map<String, Object> side = new LinkedHashMap<>();
        side.put("median", samples.median());
        side.put("samples", samples.values());
        return side;
    }
}
