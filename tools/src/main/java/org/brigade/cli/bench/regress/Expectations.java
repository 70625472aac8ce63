package org.brigade.cli.bench.regress;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.brigade.cli.bench.versus.BenchJob;
import org.brigade.cli.bench.versus.MeasuredRow;
import org.brigade.cli.shared.BenchException;
import org.brigade.cli.shared.Json;

/**
 * The ratios that a shape of machines is expected to reach, and what must be measured to compare with them: one file
 * {@code host-*.json}.
 */
public record Expectations(BenchJob job, List<String> peers, List<ExpectedRatio> ratios) {
    /**
     * Reads the files for a shape, one for each number of ranks and kind of buffers.
     *
     * @throws BenchException if a file cannot be read
     */
    public static List<Expectations> find(Path folder, MachineShape shape) {
        List<Expectations> found = new ArrayList<>();
        for (Path file : files(folder)) {
            Map<?, ?> json = json(file);
            if (shape.isDescribedBy(json.get("shape"))) {
                try {
                    found.add(read(json));
                } catch (IllegalArgumentException | ClassCastException | NullPointerException e) {
                    throw unreadable(file, e);
                }
            }
        }
        return found;
    }

    private static Map<?, ?> json(Path file) {
        try {
            if (Json.read(Files.readString(file)) instanceof Map<?, ?> json) {
                return json;
            }
            throw new IllegalArgumentException("it is no object");
        } catch (IOException | IllegalArgumentException e) {
            throw unreadable(file, e);
        }
    }

    private static BenchException unreadable(Path file, Exception why) {
        return new BenchException("--regress: " + file + " cannot be read (" + why.getMessage()
            + "); mend it, or delete it and make it anew with --regress --save");
    }

    /** Whether these are for as many ranks, such buffers, and cold or warm calls as a job. */
    public boolean areFor(BenchJob other) {
        return job.ranks() == other.ranks() && job.freshBytes() > 0 == other.freshBytes() > 0
            && job.isCold() == other.isCold();
    }

    /** {@code 2 ranks, fresh buffers}. */
    public String words() {
        return job.ranks() + (job.ranks() == 1 ? " rank" : " ranks") + (job.freshBytes() > 0 ? ", fresh buffers" : "")
            + (job.isCold() ? ", cold" : "");
    }

    private static Iterable<Path> files(Path folder) {
        TreeSet<Path> files = new TreeSet<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "host-*.json")) {
            all.forEach(files::add);
        } catch (IOException e) {
            throw new BenchException("--regress: " + folder + " cannot be read (" + e
                + "); name the folder of the files host-*.json with --expected");
        }
        return files;
    }

    private static Expectations read(Map<?, ?> json) {
        List<ExpectedRatio> ratios = new ArrayList<>();
        for (Object each : (List<?>) json.get("ratios")) {
            Map<?, ?> one = (Map<?, ?>) each;
            ratios.add(new ExpectedRatio((String) one.get("operation"), ((Double) one.get("bytes")).longValue(),
                one.get("calls") instanceof String calls ? calls : "", (String) one.get("peer"),
                (Double) one.get("ratio"), (Double) one.get("spread")));
        }
        BenchJob job = new BenchJob((String) json.get("operations"), (String) json.get("sizes"),
            ((Double) json.get("ranks")).intValue(), ((Double) json.get("fresh")).longValue(),
            json.get("cold") instanceof Double calls ? calls.intValue() : 0);
        return new Expectations(job, ((List<?>) json.get("peers")).stream().map(String.class::cast).toList(), ratios);
    }

    /** What was measured, as expectations for the next time. */
    public static Expectations of(BenchJob job, List<MeasuredRow> rows) {
        List<String> peers = new ArrayList<>();
        List<ExpectedRatio> ratios = new ArrayList<>();
        for (MeasuredRow row : rows) {
            for (MeasuredRow.PeerTime peer : row.peers()) {
                if (!peers.contains(peer.peer())) {
                    peers.add(peer.peer());
                }
                ratios.add(ExpectedRatio.of(row, peer));
            }
        }
        return new Expectations(job, peers, ratios);
    }

    /**
     * Writes the file for a shape.
     *
     * @param made names and values that say how: date, versions, command
     */
    public Path save(Path folder, MachineShape shape, Map<String, Object> made) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("shape", shape.json());
        json.putAll(made);
        json.put("ranks", job.ranks());
        json.put("operations", job.operations());
        json.put("sizes", job.sizes());
        json.put("fresh", job.freshBytes());
        if (job.isCold()) {
            json.put("cold", job.coldCalls());
        }
        json.put("peers", peers);
        List<Object> list = new ArrayList<>();
        for (ExpectedRatio ratio : ratios) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("operation", ratio.operation());
            one.put("bytes", ratio.bytes());
            if (job.isCold()) {
                one.put("calls", ratio.calls());
            }
            one.put("peer", ratio.peer());
            one.put("ratio", thousandths(ratio.ratio()));
            one.put("spread", thousandths(ratio.spread()));
            list.add(one);
        }
        json.put("ratios", list);
        Path file = place(folder, shape);
        try {
            Files.writeString(file, Json.write(json));
        } catch (IOException e) {
            throw new BenchException("--save: " + file + " cannot be written (" + e
                + "); name a folder that you may write to with --expected");
        }
        return file;
    }

    /** The file for this shape, ranks and buffers, or a new name: machines that differ may be called alike. */
    private Path place(Path folder, MachineShape shape) {
        String name = shape.file() + "-np" + job.ranks() + (job.freshBytes() > 0 ? "-fresh" : "")
            + (job.isCold() ? "-cold" : "");
        Path file = folder.resolve(name + ".json");
        for (int number = 2; Files.exists(file) && !shape.isDescribedBy(json(file).get("shape")); number++) {
            file = folder.resolve(name + "-" + number + ".json");
        }
        return file;
    }

    private static double thousandths(double value) {
        return Math.round(value * 1000) / 1000.0;
    }

    /** Our new ratios beside these, in their order; those that were not measured now are left out. */
    public List<Verdict> compare(List<MeasuredRow> rows) {
        List<ExpectedRatio> now = of(job, rows).ratios;
        List<Verdict> verdicts = new ArrayList<>();
        for (ExpectedRatio expected : ratios) {
            for (ExpectedRatio measured : now) {
                if (expected.isFor(measured)) {
                    verdicts.add(new Verdict(expected, measured));
                }
            }
        }
        return verdicts;
    }

    /** An expected ratio beside the present one. */
    public record Verdict(ExpectedRatio expected, ExpectedRatio now) {
        public boolean fell() {
            return expected.hasFallenTo(now);
        }

        /** Whether it would be worth saving anew. */
        public boolean rose() {
            return now.hasFallenTo(expected);
        }

        public boolean isFor(Verdict other) {
            return expected.isFor(other.expected);
        }
    }
}
