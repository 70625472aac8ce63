package org.brigade.tuned;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.brigade.select.MemorySpace;
import org.brigade.select.Settings;
import org.brigade.select.TuningException;
import org.brigade.select.TuningTable;
import org.brigade.topology.system.HostShape;

/**
 * The rules that {@code brigade tune --nodes} measured on this cluster for jobs on so many nodes with so many ranks: a
 * file in this user's configuration folder, named by the {@link ClusterShape}. The rules go before those of the jar's
 * table. As the nodes of a job may have other files, rank 0's decides, and all ranks get its rules when the nodes are
 * joined. A file for jobs of this shape that must not be used is not, and {@link #complaint} says why. Where nothing
 * was measured, a table that was simulated for a planned cluster serves.
 */
public final class ClusterTable {
    /** No table. */
    public static final ClusterTable NONE = new ClusterTable(null, null, null);

    private static final String MEASURED = "cluster-";
    private static final String PLANNED = "planned-";
    private static final String END = ".table";

    private final String file;
    private final TuningTable table;
    private final String complaint;

    private ClusterTable(String file, TuningTable table, String complaint) {
        this.file = file;
        this.table = table;
        this.complaint = complaint;
    }

    /** The table for a job of this shape. If the user names a table, that one decides alone. */
    public static ClusterTable find(Settings settings, ClusterShape shape) {
        return shape.nodes() < 2 || settings.get(MemorySpace.HOST.tuning) != null ? NONE
            : in(TunedTable.folder(), shape);
    }

    /** @param folder null if this user has none */
    static ClusterTable in(Path folder, ClusterShape shape) {
        if (folder == null) {
            return NONE;
        }
        Path measured = folder.resolve(name(shape));
        if (Files.exists(measured)) {
            return read(measured, place(shape), "tune --nodes by the MPI of this cluster, with as many processes");
        }
        String[] names = folder.toFile().list();
        List<String> planned = new ArrayList<>();
        for (int i = 0; names != null && i < names.length; i++) {
            if (names[i].startsWith(PLANNED) && names[i].endsWith(end(shape.nodes(), shape.ranks()))) {
                planned.add(names[i]);
            }
        }
        if (planned.size() > 1) {
            planned.sort(null);
            return new ClusterTable(folder.toString(), null,
                "no table of a planned cluster is used: " + planned + " in "
                    + folder + " are all for " + shape.nodes() + " nodes and " + shape.ranks()
                    + " ranks; keep one, or measure here with brigade tune --nodes");
        }
        return planned.isEmpty() ? NONE : read(folder.resolve(planned.get(0)), null, "tune --nodes --simulate");
    }

    private static ClusterTable read(Path file, String place, String command) {
        try {
            return new ClusterTable(file.toString(), TunedFile.read(file, place), null);
        } catch (TuningException e) {
            return new ClusterTable(file.toString(), null,
                "the tuning table " + file + " is not used: " + e.getMessage() + ": brigade " + command);
        }
    }

    /** What rank 0 tells the others: its file's name and rules; empty if there is nothing to follow. */
    public String told() {
        return table == null ? "" : file + '\n' + table.text();
    }

    /** What another rank makes of that. */
    public static ClusterTable heard(String told) {
        int end = told.indexOf('\n');
        if (end < 0) {
            return NONE;
        }
        String file = told.substring(0, end);
        return new ClusterTable(file, TuningTable.parse(file, told.substring(end + 1)), null);
    }

    /**
     * Writes the table for jobs of this shape on this cluster, in place of an older one.
     *
     * @param how words for the rules' origin: {@code measured 2026-11-20}
     * @param rules one a line
     * @throws IOException if the folder cannot be made, or others could write to it
     */
    public static Path write(ClusterShape shape, String how, String rules) throws IOException {
        return write(TunedTable.folder(), shape, how, rules);
    }

    static Path write(Path folder, ClusterShape shape, String how, String rules) throws IOException {
        return TunedFile.write(folder, name(shape),
            "# By brigade tune --nodes. Jobs of this shape use these rules before"
                + " those of the jar's table; rank 0's file decides.\n",
            place(shape), how, rules);
    }

    /** Writes the table of a cluster that was only simulated, for jobs on so many nodes of any cluster. */
    public static Path writePlanned(String cluster, int nodes, int ranks, String how, String rules)
        throws IOException {
        return writePlanned(TunedTable.folder(), cluster, nodes, ranks, how, rules);
    }

    static Path writePlanned(Path folder, String cluster, int nodes, int ranks, String how, String rules)
        throws IOException {
        return TunedFile.write(folder, PLANNED + cluster.replaceAll("[^A-Za-z0-9_.-]+", "-")
            + end(nodes, ranks),
            "# By brigade tune --nodes --simulate. Jobs of " + ranks + " ranks on " + nodes
                + " nodes use these rules before those of the jar's table, unless brigade tune --nodes measured there.\n",
            "planned, " + cluster, how, rules);
    }

    /** The files of tables for clusters in this user's folder, by name. */
    public static List<Path> files() {
        Path folder = TunedTable.folder();
        String[] names = folder == null ? null : folder.toFile().list();
        List<Path> files = new ArrayList<>();
        if (names != null) {
            Arrays.sort(names);
            for (String name : names) {
                if (name.endsWith(END) && (name.startsWith(MEASURED) || name.startsWith(PLANNED))) {
                    files.add(folder.resolve(name));
                }
            }
        }
        return files;
    }

    private static String place(ClusterShape shape) {
        return HostShape.here() + "; " + shape;
    }

    static String name(ClusterShape shape) {
        return MEASURED + shape.fabric() + "-" + Integer.toHexString(shape.hash()) + end(shape.nodes(), shape.ranks());
    }

    private static String end(int nodes, int ranks) {
        return "-n" + nodes + "-np" + ranks + END;
    }

    /** Null if there is none, or it is not used. */
    public TuningTable table() {
        return table;
    }

    /** Of rank 0; null if there is none. */
    public String file() {
        return file;
    }

    /** Why the table that is there is not used, with the cure; null if it is used, or there is none. */
    public String complaint() {
        return complaint;
    }
}
