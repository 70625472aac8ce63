package org.brigade.cli.info;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import mpi.spi.Collective;
import org.brigade.select.Choice;
import org.brigade.select.Settings;
import org.brigade.select.TuningException;
import org.brigade.select.trial.MeasuredWay;
import org.brigade.select.trial.SizeClass;
import org.brigade.select.trial.Way;
import org.brigade.tuned.MeasuredFile;

/** What jobs of this user have tried for calls like one that is explained, and kept: from the files of this user. */
final class MeasuredHere {
    private final Collective collective;
    private final int ranks;
    private final long bytes;
    private final Way shipped;

    /** @param shipped the table's choice for such a call, not staged */
    MeasuredHere(Collective collective, int ranks, long bytes, Choice shipped) {
        this.collective = collective;
        this.ranks = ranks;
        this.bytes = bytes;
        this.shipped = Way.of(shipped);
    }

    private boolean is(MeasuredFile file, MeasuredWay way) {
        SizeClass where = way.where();
        return where.collective() == collective && bytes >> where.octave() == 1 && where.shipped().equals(shipped)
            && gpus(file) == ranks;
    }

    /** The GPUs that a file is about, as its name of them begins: {@code 4 x NVIDIA H200}, or one after another. */
    private static int gpus(MeasuredFile file) {
        String names = file.gpus.substring(0, file.gpus.indexOf(';'));
        return names.matches("\\d+ x .*") ? Integer.parseInt(names.substring(0, names.indexOf(' ')))
            : names.split(" \\+ ").length;
    }

    private interface Found {
        void is(MeasuredFile file, MeasuredWay way);
    }

    private void each(Found found, List<String> complaints) {
        for (Path path : MeasuredFile.all()) {
            try {
                MeasuredFile file = MeasuredFile.read(path);
                for (MeasuredWay way : file.ways) {
                    if (is(file, way)) {
                        found.is(file, way);
                    }
                }
            } catch (TuningException e) {
                complaints.add(path + " is not used: " + e.getMessage());
            }
        }
    }

    /** Lines for people; none if nothing was measured. */
    List<String> lines(List<String> complaints) {
        List<String> lines = new ArrayList<>();
        each((file, way) -> {
            lines.add("  measured on " + file.gpus + ", in calls of " + way.bytes() + " bytes, for "
                + way.where().words() + ": " + way.kept().words() + " " + micros(way.nanos(way.kept())));
            StringBuilder tried = new StringBuilder("    tried: ");
            for (MeasuredWay.Tried each : way.tried()) {
                tried.append(each == way.tried().get(0) ? "" : "; ").append(each.way().words()).append(' ')
                    .append(micros(each.nanos()));
            }
            lines.add(tried.toString());
        }, complaints);
        boolean on = "on".equals(Settings.ofThisProcess().get("device.measure"));
        if (!lines.isEmpty() && !on) {
            lines.add("    not used: brigade.device.measure is off");
        }
        return lines;
    }

    /** The same for programs. */
    List<Map<String, Object>> named(List<String> complaints) {
        List<Map<String, Object>> all = new ArrayList<>();
        each((file, way) -> {
            Map<String, Object> named = new LinkedHashMap<>();
            named.put("gpus", file.gpus);
            named.put("bytes", way.bytes());
            named.put("calls", way.where().words());
            named.put("kept", way.kept().words());
            List<Map<String, Object>> tried = new ArrayList<>();
            for (MeasuredWay.Tried each : way.tried()) {
                Map<String, Object> one = new LinkedHashMap<>();
                one.put("way", each.way().words());
                one.put("nanos", each.nanos());
                tried.add(one);
            }
            named.put("tried", tried);
            all.add(named);
        }, complaints);
        return all;
    }

    private static String micros(long nanos) {
        return String.format(Locale.ROOT, "%.1f us", nanos / 1000.0);
    }
}
