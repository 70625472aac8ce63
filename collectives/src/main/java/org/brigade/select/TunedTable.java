package org.brigade.select;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import mpi.spi.Collective;
import mpi.spi.release.Release;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.Restrictions;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.nativ.PrivateFolder;
import org.brigade.nativ.UserFolders;
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
    /** Raise it when the meaning of a rule changes. */
    private static final int FORMAT = 1;
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
        return ranks < 2 || settings.get(Space.HOST.tuning) != null ? NONE : in(folder(), ranks);
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
        String open = PrivateFolder.complaint(file);
        if (open != null) {
            return refused(file, open + ", so others may have written it; see that only you can write there (chmod"
                + " go-w), delete the table and tune again", ranks);
        }
        try {
            TuningTable table = TuningSource.file(Space.HOST, file);
            if (!table.tuned().equals(maker())) {
                return refused(file, "it was tuned " + (table.tuned().isEmpty() ? "by nobody knows whom"
                    : table.tuned()) + ", and this is " + maker().substring("by ".length()) + "; tune again", ranks);
            }
            if (!table.machine().equals(shape.toString())) {
                return refused(file, "it was tuned on a machine of " + table.machine() + ", and this one has " + shape
                    + "; tune again", ranks);
            }
            return new TunedTable(file, table, null);
        } catch (IOException | TuningException e) {
            return refused(file, e.getMessage() + "; tune again", ranks);
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
        Path folder = folder();
        if (folder == null) {
            throw new IOException("this user has no home folder; set HOME or XDG_CONFIG_HOME");
        }
        return write(folder, HostShape.here(), ranks, how, rules);
    }

    static Path write(Path folder, HostShape shape, int ranks, String how, String rules) throws IOException {
        String text = "# By brigade tune. Jobs of " + ranks
            + " ranks on one machine of this shape use these rules before"
            + " those of the jar's table.\n# To do without them, delete this file or set brigade.tuning=none.\ntuned "
            + maker() + "\nmachine " + shape + "\n" + how + "\n" + rules;
        return PrivateFolder.put(PrivateFolder.at(folder), name(shape, ranks), text.getBytes(StandardCharsets.UTF_8));
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

    /** The version, and a digest of all that a rule relies on: algorithms, their limits, and the jar's own rules. */
    static String maker() {
        StringBuilder catalogue = new StringBuilder().append(FORMAT).append(TuningSource.textInJar(Space.HOST));
        for (Collective collective : Collective.values()) {
            for (Algorithm each : Catalogue.of(collective)) {
                Restrictions limits = each.restrictions();
                catalogue.append(collective.key()).append(' ').append(each.name()).append(each.pipelined())
                    .append(each.radixed()).append(limits.commutative()).append(limits.powerOfTwo())
                    .append(limits.maximumRanks()).append(' ').append(limits.maximumBytes());
            }
        }
        return "by Brigade " + Release.number() + ", catalogue "
            + Integer.toHexString(catalogue.toString().hashCode());
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
