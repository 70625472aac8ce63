package org.brigade.cli.simulate;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.brigade.cli.shared.CsvField;
import org.brigade.cli.shared.Json;
import org.brigade.cli.shared.TimedAlgorithm;
import org.brigade.select.ByteSize;
import org.brigade.simulate.SimulatedCall;
import org.brigade.simulate.Simulation;
import org.brigade.simulate.wiring.RoutingModel;

/** Writes simulated times as they come, one a line, as CSV or as a table for people; or at the end, as JSON. */
final class SimulationTable {
    private final PrintWriter out;
    private final SimulationFormat format;
    private final String topology;
    private final RoutingModel wiring;
    private final List<Map<String, Object>> rows = new ArrayList<>();
    private boolean begun;

    SimulationTable(PrintWriter out, SimulationFormat format, String topology, RoutingModel wiring) {
        this.out = out;
        this.format = format;
        this.topology = topology;
        this.wiring = wiring;
    }

    void row(TimedAlgorithm call, Simulation simulation) {
        String operation = call.algorithm().collective().key();
        String name = call.algorithm().name();
        double microseconds = simulation.seconds() * 1e6;
        double rate = simulation.seconds() == 0 ? 0
            : SimulatedCall.busBytes(call.algorithm().collective(), call.ranks(), call.bytes()) / simulation.seconds()
                / 1e9;
        int[] top = simulation.busiest(1);
        String busiest = top.length == 0 ? "" : wiring.name(top[0]);
        double share = top.length == 0 ? 0 : simulation.share(top[0]);
        if (format == SimulationFormat.JSON) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("collective", operation);
            row.put("topology", topology);
            row.put("ranks", call.ranks());
            row.put("bytes", call.bytes());
            row.put("algorithm", name);
            row.put("chunkBytes", call.algorithm().pipelined() ? call.chunk() : null);
            row.put("radix", call.algorithm().radixed() ? call.radix() : null);
            row.put("microseconds", microseconds);
            row.put("busGigabytesPerSecond", rate);
            row.put("messages", simulation.messages());
            row.put("busiest", top.length == 0 ? null : busiest);
            row.put("busiestShare", share);
            rows.add(row);
            return;
        }
        if (format == SimulationFormat.CSV) {
            if (!begun) {
                out.println(
                    "operation,topology,ranks,bytes,algorithm,chunk,radix,microseconds,bus_gbps,messages,busiest,"
                        + "busiest_share");
            }
            out.printf(Locale.ROOT, "%s,%s,%d,%d,%s,%s,%s,%.3f,%.3f,%d,%s,%.4f%n", operation, CsvField.of(topology),
                call.ranks(), call.bytes(), name,
                call.algorithm().pipelined() ? call.chunk() : "", call.algorithm().radixed() ? call.radix() : "",
                microseconds, rate, simulation.messages(), CsvField.of(busiest), share);
        } else {
            if (!begun) {
                out.println(operation + ", " + call.ranks() + (call.ranks() == 1 ? " rank" : " ranks") + " on "
                    + topology + ", " + ByteSize.words(call.bytes()));
                out.printf("%-46s %16s %12s %12s   %s%n", "algorithm", "microseconds", "bus GB/s", "messages",
                    "busiest");
            }
            out.printf(Locale.ROOT, "%-46s %16.3f %12.3f %12d   %s%n", words(call), microseconds, rate,
                simulation.messages(),
                top.length == 0 ? "" : String.format(Locale.ROOT, "%s, %.1f %%", busiest, 100 * share));
        }
        begun = true;
        out.flush();
    }

    /** Writes what must come in one piece, once all rows are there. */
    void end() {
        if (format == SimulationFormat.JSON) {
            out.print(Json.write(Map.of("rows", rows)));
            out.flush();
        }
    }

    private static String words(TimedAlgorithm call) {
        return call.algorithm().name() + (call.algorithm().radixed() ? " radix " + call.radix() : "")
            + (call.algorithm().pipelined() && call.chunk() > 0 && call.chunk() < call.bytes()
                ? ", chunk " + ByteSize.words(call.chunk()) : "");
    }
}
