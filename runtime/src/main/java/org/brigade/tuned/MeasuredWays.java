package org.brigade.tuned;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.brigade.select.TuningException;
import org.brigade.select.trial.MeasuredWay;
import org.brigade.select.trial.SizeClass;

/**
 * What this process knows of ways that were measured, by GPUs: from the user's file, and found by its own
 * communicators. It says once what is wrong with a file, and goes on without it.
 */
public final class MeasuredWays {
    private final Map<String, Map<SizeClass, MeasuredWay>> known = new LinkedHashMap<>();
    /** What the file may lack. */
    private final Map<String, Map<SizeClass, MeasuredWay>> found = new LinkedHashMap<>();
    private boolean complained;

    /** What is known for these GPUs; reads the file the first time. */
    public Collection<MeasuredWay> of(String gpus) {
        Map<SizeClass, MeasuredWay> ways = known.get(gpus);
        if (ways == null) {
            ways = new LinkedHashMap<>();
            known.put(gpus, ways);
            Path file = MeasuredFile.place(gpus);
            try {
                if (file != null && Files.exists(file)) {
                    MeasuredFile read = MeasuredFile.read(file);
                    if (!read.gpus.equals(gpus)) {
                        throw new TuningException("it is of other GPUs (" + read.gpus + "; these are " + gpus
                            + "), and will be written anew");
                    }
                    for (MeasuredWay each : read.ways) {
                        ways.put(each.where(), each);
                    }
                }
            } catch (TuningException e) {
                complain(file + " is not used: " + e.getMessage());
            }
        }
        return ways.values();
    }

    /** Keeps what a communicator has found; {@link #save} writes it. */
    public void add(String gpus, MeasuredWay way) {
        of(gpus);
        known.get(gpus).put(way.where(), way);
        found.computeIfAbsent(gpus, none -> new LinkedHashMap<>()).put(way.where(), way);
    }

    /** Writes what was found for these GPUs, with what an earlier call wrote, as another job may have replaced it. */
    public void save(String gpus) {
        Map<SizeClass, MeasuredWay> ways = found.get(gpus);
        if (ways == null) {
            return;
        }
        try {
            MeasuredFile.add(gpus, ways.values());
        } catch (IOException | TuningException e) {
            complain("what was measured on these GPUs cannot be kept: " + e.getMessage());
        }
    }

    private void complain(String what) {
        if (!complained) {
            complained = true;
            System.err.println("brigade: " + what);
        }
    }
}
