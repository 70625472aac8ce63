package org.brigade.tuned;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.brigade.nativ.UserFolders;
import org.brigade.select.MemorySpace;
import org.brigade.select.Settings;
import org.brigade.select.TuningException;
import org.brigade.select.TuningTable;
import org.brigade.topology.system.HostShape;

/**
 * The rules that {@code brigade tune} measured here for jobs of so many ranks on one machine: a file in this user's
 * configuration folder, named by the machine's shape and the number of ranks. The rules go before those of the jar's
 * table. A file that another version of Brigade made, or that somebody else could have written, is not used, and
 * {@link #complaint} says why. A program of one number of ranks on one machine looks at one file; where there is none
 * for such jobs, it reads nothing.
 */
public final class TunedTable {
    private static final String END = ".table";
    /** No table. */
    private static final TunedTable NONE = new TunedTable(null, null, null);

    private final Path file;
    private final TuningTable table;
    private final String complaint;

    private TunedTable(Path file, TuningTable table, String complaint) {
        this.file = file;
        this.table = table;
        this.complaint = complaint;
    }

    /** The table for jobs of so many ranks on this machine. If the user names a table, that one decides alone. */
    public static TunedTable find(Settings settings, int ranks) {
        return ranks < 2 || settings.get(MemorySpace.HOST.tuning) != null ? NONE : in(folder(), ranks);
    }

    /** @param folder null if this user has none */
    static TunedTable in(Path folder, int ranks) {
        String[] names = folder == null ? null : folder.toFile().list();
        if (names == null) {
            return NONE;
        }
        String end = end(ranks);
        for (String name : names) {
            if (name.endsWith(end)) {
                return of(folder, HostShape.here(), ranks);
            }
        }
        return NONE;
    }

    /** The table for jobs of so many ranks on machines of a shape. */
    static TunedTable of(Path folder, HostShape shape, int ranks) {
        Path file = folder.resolve(name(shape, ranks));
        return Files.exists(file) ? read(file, shape, ranks) : NONE;
    }

    private static TunedTable read(Path file, HostShape shape, int ranks) {
        try {
            return new TunedTable(file, TunedFile.read(file, shape.toString()), null);
        } catch (TuningException e) {
            return refused(file, e.getMessage(), ranks);
        }
    }

    private static TunedTable refused(Path file, String why, int ranks) {
        return new TunedTable(file, null, "the tuning table " + file + " is not used: " + why
            + ": brigade tune --space host --np " + ranks);
    }

    /**
     * Writes the table for jobs of so many ranks on this machine, in place of an older one.
     *
     * @param how words for the rules' origin: {@code measured 2026-11-20}
     * @param rules one a line
     * @throws IOException if the folder cannot be made, or others could write to it
     */
    public static Path write(int ranks, String how, String rules) throws IOException {
        return write(folder(), HostShape.here(), ranks, how, rules);
    }

    static Path write(Path folder, HostShape shape, int ranks, String how, String rules) throws IOException {
        return TunedFile.write(folder, name(shape, ranks), "# By brigade tune. Jobs of " + ranks
            + " ranks on one machine of this shape use these rules before those of the jar's table.\n",
            shape.toString(), how, rules);
    }

    /** This user's folder of tables; null if there is no home folder. */
    public static Path folder() {
        return UserFolders.configuration();
    }

    /** The numbers of ranks for which the folder has a table for machines of this shape, ascending. */
    public static int[] tuned() {
        Path folder = folder();
        String[] names = folder == null ? null : folder.toFile().list();
        if (names == null) {
            return new int[0];
        }
        String begin = begin(HostShape.here());
        int[] ranks = new int[names.length];
        int n = 0;
        for (String name : names) {
            if (name.startsWith(begin) && name.endsWith(END)) {
                String number = name.substring(begin.length(), name.length() - END.length());
                if (number.matches("[1-9]\\d{0,5}")) {
                    ranks[n++] = Integer.parseInt(number);
                }
            }
        }
        ranks = Arrays.copyOf(ranks, n);
        Arrays.sort(ranks);
        return ranks;
    }

    static String name(HostShape shape, int ranks) {
        return begin(shape) + ranks + END;
    }

    private static String begin(HostShape shape) {
        return "host-" + shape.processors() + "-" + Integer.toHexString(shape.toString().hashCode()) + "-np";
    }

    private static String end(int ranks) {
        return "-np" + ranks + END;
    }

    /** Null if there is none, or it is not used. */
    public TuningTable table() {
        return table;
    }

    /** Null if there is none. */
    public Path file() {
        return file;
    }

    /** Why the table that is there is not used, with the cure; null if it is used, or there is none. */
    public String complaint() {
        return complaint;
    }
}
