package org.brigade.tuned;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import mpi.spi.Collective;
import mpi.spi.release.Release;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.Restrictions;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.nativ.PrivateFolder;
import org.brigade.select.MemorySpace;
import org.brigade.select.TuningException;
import org.brigade.select.TuningSource;
import org.brigade.select.TuningTable;

/** A file that brigade tune wrote: its head says what it was made for, and it is read only where that still holds. */
final class TunedFile {
    /** Raise it when the meaning of a rule changes. */
    private static final int FORMAT = 1;

    private TunedFile() {
    }

    /**
     * Reads a file.
     *
     * @param place what the rules must have been measured on; null if that does not matter
     * @throws TuningException why it must not be used, with what to do
     */
    static TuningTable read(Path file, String place) {
        String open = PrivateFolder.complaint(file);
        if (open != null) {
            throw new TuningException(open + ", so others may have written it; see that only you can write there (chmod"
                + " go-w), delete the table and tune again");
        }
        TuningTable table;
        try {
            table = TuningSource.file(MemorySpace.HOST, file);
        } catch (IOException | TuningException e) {
            throw new TuningException(e.getMessage() + "; tune again");
        }
        if (!table.tuned().equals(maker())) {
            throw new TuningException("it was tuned " + (table.tuned().isEmpty() ? "by nobody knows whom"
                : table.tuned()) + ", and this is " + maker().substring("by ".length()) + "; tune again");
        }
        if (place != null && !table.machine().equals(place)) {
            throw new TuningException(
                "it was tuned on a machine of " + table.machine() + ", and this one has " + place + "; tune again");
        }
        return table;
    }

    /**
     * Writes a file in place of an older one.
     *
     * @param about comments, each line with # before it
     * @param place what the rules were measured on
     * @param how words for the rules' origin: {@code measured 2026-11-20}
     * @param rules one a line
     * @throws IOException if the folder cannot be made, or others could write to it
     */
    static Path write(Path folder, String name, String about, String place, String how, String rules)
        throws IOException {
        if (folder == null) {
            throw new IOException("this user has no home folder; set HOME or XDG_CONFIG_HOME");
        }
        String text = about + "# To do without them, delete this file or set brigade.tuning=none.\ntuned " + maker()
            + "\nmachine " + place + "\n" + how + "\n" + rules;
        return PrivateFolder.put(PrivateFolder.at(folder), name, text.getBytes(StandardCharsets.UTF_8));
    }

    /** The version, and a digest of all that a rule relies on: algorithms, their limits, and the jar's own rules. */
    static String maker() {
        StringBuilder catalogue = new StringBuilder().append(FORMAT).append(TuningSource.textInJar(TuningSource.DEFAULT)
            + TuningSource.textInJar(TuningSource.NETWORK));
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
}
