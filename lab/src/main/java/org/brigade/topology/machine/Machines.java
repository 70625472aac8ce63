package org.brigade.topology.machine;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.brigade.topology.figure.MachineFormatException;
import org.brigade.topology.figure.Statement;

/** The machines that come with Brigade, by name, and those in users' files. */
public final class Machines {
    private static final String FOLDER = "/org/brigade/machines/";
    private static final String SUFFIX = ".machine";
    private static final int LARGEST = 1 << 20;

    /** In the order of the documentation. */
    private static final List<String> NAMES =
        List.of("rx1", "rx2", "rx3", "cs-storm", "ac922", "amd-v100", "intel-v100", "dgx-1v", "dgx-a100",
            "dgx-h100", "dgx-h200", "thesis-sisci", "thesis-sockets", "h200-x4", "h200-x4-kernels", "host-2core");

    private Machines() {
    }

    /** The names that {@link #find} knows. */
    public static List<String> names() {
        return NAMES;
    }

    /**
     * A machine by its name, or by the path of its file (anything with a slash, or ending in {@code .machine}).
     *
     * @throws IllegalArgumentException if there is none, or (as {@link MachineFormatException}) if its file is wrong
     */
    public static Machine find(String nameOrPath) {
        if (isPath(nameOrPath)) {
            return fromFile(Path.of(nameOrPath));
        }
        if (!NAMES.contains(nameOrPath)) {
            throw new IllegalArgumentException("there is no machine " + Statement.shown(nameOrPath) + "; name one of "
                + NAMES + ", or give the path of a machine file");
        }
        try (InputStream in = Machines.class.getResourceAsStream(FOLDER + nameOrPath + SUFFIX)) {
            return MachineReader.read(nameOrPath + SUFFIX, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether {@link #find} treats this as a path. */
    public static boolean isPath(String nameOrPath) {
        return nameOrPath.indexOf('/') >= 0 || nameOrPath.endsWith(SUFFIX);
    }

    private static Machine fromFile(Path path) {
        try (InputStream in = Files.newInputStream(path)) {
            // A device file has no size: read no more than the limit.
            byte[] bytes = in.readNBytes(LARGEST + 1);
            if (bytes.length > LARGEST) {
                throw new IllegalArgumentException("machine file " + path + " has more than " + LARGEST
                    + " bytes; check the path, or split what it describes");
            }
            return MachineReader.read(path.toString(), new String(bytes, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new IllegalArgumentException(
                "machine file " + path + " cannot be read (" + e + "); check the path, or name one of " + NAMES, e);
        }
    }
}
