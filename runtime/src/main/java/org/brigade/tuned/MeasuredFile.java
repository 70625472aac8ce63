package org.brigade.tuned;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import mpi.spi.Collective;
import mpi.spi.release.Release;
import org.brigade.algorithm.DeviceAlgorithm;
import org.brigade.algorithm.catalogue.DeviceCatalogue;
import org.brigade.nativ.PrivateFolder;
import org.brigade.nativ.UserFolders;
import org.brigade.select.TuningException;
import org.brigade.select.trial.MeasuredWay;
import org.brigade.select.trial.SizeClass;

/**
 * What was measured in calls on one set of GPUs: a file in this user's configuration folder. Any number of jobs may
 * write it at once: each writes all that it has read and found into another file and renames that. What two find at the
 * same moment may be lost with one of them; it is written with what that job finds next.
 */
public final class MeasuredFile {
    private static final String END = ".measured";
    private static final int LARGEST = 1 << 20;
    private static final String GPUS = "gpus ";
    private static final String SUM = "sum ";

    /** The GPUs, as {@link org.brigade.device.DeviceGroup#machine} names them. */
    public final String gpus;
    /** By class of calls; in the order in which they were found. */
    public final List<MeasuredWay> ways;

    private MeasuredFile(String gpus, List<MeasuredWay> ways) {
        this.gpus = gpus;
        this.ways = ways;
    }

    /** The file for these GPUs; null if this user has no folder. */
    public static Path place(String gpus) {
        Path folder = UserFolders.configuration();
        return folder == null ? null : folder.resolve(name(gpus));
    }

    private static String name(String gpus) {
        CRC32 sum = new CRC32();
        sum.update(gpus.getBytes(StandardCharsets.UTF_8));
        return "gpus-" + String.format("%08x", sum.getValue()) + END;
    }

    /** All files of this user. */
    public static List<Path> all() {
        Path folder = UserFolders.configuration();
        String[] names = folder == null ? null : folder.toFile().list((where, name) -> name.endsWith(END));
        List<Path> files = new ArrayList<>();
        for (String name : names == null ? new String[0] : names) {
            files.add(folder.resolve(name));
        }
        files.sort(null);
        return files;
    }

    /**
     * Reads a file.
     *
     * @throws TuningException why it must not be used, with what to do
     */
    public static MeasuredFile read(Path file) {
        String open = PrivateFolder.complaint(file);
        if (open != null) {
            throw new TuningException(open + ", so others may have written it; delete it");
        }
        String text;
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(LARGEST + 1);
            if (bytes.length > LARGEST) {
                throw new TuningException("it is too long; delete it");
            }
            text = new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new TuningException("it cannot be read (" + e.getMessage() + ")");
        }
        int end = text.lastIndexOf(SUM);
        if (end < 0 || !text.substring(end).equals(SUM + sum(text.substring(0, end)) + "\n")) {
            throw new TuningException("it is not whole; delete it");
        }
        String[] lines = text.substring(0, end).split("\n");
        if (lines.length < 3 || !lines[1].equals(maker()) || !lines[2].startsWith(GPUS)) {
            throw new TuningException("another version of Brigade wrote it, and it will be written anew");
        }
        List<MeasuredWay> ways = new ArrayList<>();
        for (int i = 3; i < lines.length; i++) {
            MeasuredWay way = MeasuredWay.parse(lines[i]);
            if (way == null) {
                throw new TuningException("line " + (i + 1) + " says nothing that was measured; delete it");
            }
            ways.add(way);
        }
        return new MeasuredFile(lines[2].substring(GPUS.length()), ways);
    }

    /**
     * Adds to what is in the file for these GPUs. What is not valid there is replaced.
     *
     * @throws IOException if it cannot be written
     */
    static void add(String gpus, Collection<MeasuredWay> found) throws IOException {
        Path file = place(gpus);
        if (file == null) {
            throw new IOException("this user has no home folder; set HOME or XDG_CONFIG_HOME");
        }
        Map<SizeClass, MeasuredWay> all = new LinkedHashMap<>();
        try {
            MeasuredFile before = Files.exists(file) ? read(file) : null;
            if (before != null && before.gpus.equals(gpus)) {
                before.ways.forEach(each -> all.put(each.where(), each));
            }
        } catch (TuningException invalid) {
            // Written anew.
        }
        found.forEach(each -> all.put(each.where(), each));
        StringBuilder text =
            new StringBuilder("# Measured by Brigade in calls on device memory. To measure anew, delete"
                + " this file.\n").append(maker()).append('\n').append(GPUS).append(gpus).append('\n');
        all.values().forEach(each -> text.append(each).append('\n'));
        String whole = text.toString();
        PrivateFolder.put(PrivateFolder.at(file.getParent()), file.getFileName().toString(),
            (whole + SUM + sum(whole) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static String sum(String text) {
        CRC32 sum = new CRC32();
        sum.update(text.getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(sum.getValue());
    }

    /** The version, and a digest of the algorithms and their limits. */
    private static String maker() {
        StringBuilder catalogue = new StringBuilder();
        for (Collective collective : Collective.values()) {
            for (DeviceAlgorithm each : DeviceCatalogue.of(collective)) {
                catalogue.append(collective.key()).append(' ').append(each.name()).append(each.restrictions());
            }
        }
        return "brigade " + Release.number() + " " + Integer.toHexString(catalogue.toString().hashCode());
    }
}
