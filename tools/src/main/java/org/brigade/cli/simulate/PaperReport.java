package org.brigade.cli.simulate;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.brigade.cli.shared.CsvField;
import org.brigade.cli.shared.Json;
import org.brigade.cli.shared.MeasuringBar;
import org.brigade.cli.shared.PicturePage;
import org.brigade.picture.Picture;
import org.brigade.simulate.paper.Experiment;
import org.brigade.simulate.paper.Papers;
import org.brigade.simulate.paper.Reproduction;

/**
 * What {@code brigade simulate --paper} prints: a row for each result of a paper, and a page with a picture of each
 * experiment.
 */
final class PaperReport {
    private PaperReport() {
    }

    static void print(PrintWriter out, SimulationFormat format, Path page) {
        boolean csv = format == SimulationFormat.CSV;
        boolean json = format == SimulationFormat.JSON;
        if (csv) {
            out.println("result,source,paper,ours,low,high,unit,expected_by,verdict,remark");
        } else if (!json) {
            out.println("As the papers have it");
            head(out);
        }
        List<Picture> pictures = new ArrayList<>();
        List<Reproduction> ours = new ArrayList<>();
        List<Map<String, Object>> rows = new ArrayList<>();
        List<Supplier<Experiment>> makers = Papers.experiments();
        try (MeasuringBar bar = new MeasuringBar("simulated", " experiments", out)) {
            for (int i = 0; i < makers.size(); i++) {
                Experiment experiment = makers.get(i).get();
                for (Reproduction result : experiment.results()) {
                    if (json) {
                        rows.add(named(result));
                    } else if (csv || result.ofPaper()) {
                        bar.between(() -> out.print(csv ? csv(result) : row(result)));
                    } else {
                        ours.add(result);
                    }
                }
                bar.at(i + 1, makers.size());
                pictures.add(experiment.picture());
            }
        }
        if (json) {
            out.print(Json.write(Map.of("results", rows)));
            out.flush();
        } else if (!csv) {
            out.println();
            out.println("As expected by us, where a paper gives no figure, or one that its parts do not add up to");
            head(out);
            for (Reproduction result : ours) {
                out.print(row(result));
            }
            out.flush();
        }
        if (page != null) {
            PicturePage.write(pictures, page);
        }
    }

    private static Map<String, Object> named(Reproduction result) {
        Map<String, Object> named = new LinkedHashMap<>();
        named.put("result", result.name());
        named.put("source", result.source());
        named.put("paper", result.paper());
        named.put("ours", result.ours());
        named.put("low", result.low());
        named.put("high", result.high());
        named.put("unit", result.unit());
        named.put("expectedBy", result.ofPaper() ? "paper" : "us");
        named.put("verdict", verdict(result));
        named.put("remark", result.remark());
        return named;
    }

    private static void head(PrintWriter out) {
        out.printf("%-58s %-33s %-26s %12s %22s   %s%n", "result", "source", "paper", "ours", "expected", "");
    }

    private static String row(Reproduction result) {
        String ours = number(result.ours());
        String expected =
            number(result.low()) + (Double.isInfinite(result.high()) ? " or more" : " to " + number(result.high()));
        String line = String.format(Locale.ROOT, "%-58s %-33s %-26s %12s %22s   %s%n", result.name(), result.source(),
            result.paper(), ours, expected + " " + shortUnit(result.unit()), verdict(result));
        return result.remark().isEmpty() ? line : line + "    " + result.remark() + System.lineSeparator();
    }

    private static String shortUnit(String unit) {
        return unit.startsWith("times") ? "x" : unit.endsWith("iB") ? unit : "";
    }

    private static String csv(Reproduction result) {
        return String.join(",", CsvField.of(result.name()), CsvField.of(result.source()), CsvField.of(result.paper()),
            number(result.ours()), number(result.low()), Double.isInfinite(result.high()) ? "" : number(result.high()),
            CsvField.of(result.unit()), result.ofPaper() ? "paper" : "us", verdict(result),
            CsvField.of(result.remark())) + System.lineSeparator();
    }

    private static String verdict(Reproduction result) {
        return result.hit() ? "hit" : "miss";
    }

    private static String number(double value) {
        return Double.isInfinite(value) ? "never"
            : value >= 1000 ? String.format(Locale.ROOT, "%.0f", value) : String.format(Locale.ROOT, "%.3g", value);
    }
}
