package org.brigade.select;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/**
 * Finds a tuning table: the file that {@code brigade.tuning} or BRIGADE_TUNING names, for device memory
 * {@code brigade.device.tuning} or BRIGADE_DEVICE_TUNING, else the one in the jar. In host memory, the user's own table
 * comes between.
 */
public final class TuningSource {
    /** The name of host memory's table in the jar. */
    public static final String DEFAULT = MemorySpace.HOST.table;
    /** Nodes and ranks of the fullest for which the jar has a {@code network-4x8.table}: to look for one costs more. */
    static final List<String> SHAPES = List.of("2x2", "4x4", "4x8", "4x16", "8x8", "16x1", "16x2");
    private static final int LARGEST = 1 << 20;
    /** The table in the jar for ranks on several nodes. */
    public static final String NETWORK = "network-default.table";
    /** In place of a file: no table but the one in the jar. */
    private static final String NONE = "none";

    private TuningSource() {
    }

    /** @throws TuningException if the file cannot be read or followed; says which and why */
    public static TuningTable load(Settings settings) {
        return load(MemorySpace.HOST, settings);
    }

    /** As {@link #load(Settings)}, for a space. */
    public static TuningTable load(MemorySpace space, Settings settings) {
        String file = settings.get(space.tuning);
        return file == null || file.equals(NONE) ? inJar(space) : file(space, file, settings.origin(space.tuning));
    }

    /**
     * Checks a table that is read only when it is needed.
     *
     * @throws TuningException if the user names a file for it that cannot be read or followed
     */
    public static void validate(MemorySpace space, Settings settings) {
        if (settings.get(space.tuning) != null) {
            load(space, settings);
        }
    }

    /**
     * The table for host memory of ranks on several nodes: the file that the user names serves them, too. Of the jar's,
     * rules that were simulated for just this shape go first.
     *
     * @param named the table that {@link #load} returned, behind what was tuned for these ranks if there is any
     * @param local most ranks of one node
     */
    static TuningTable between(TuningTable named, int nodes, int local) {
        if (!named.source().equals(DEFAULT)) {
            return named;
        }
        TuningTable table = TuningTable.parse(MemorySpace.HOST, NETWORK, textInJar(NETWORK));
        String shape = nodes + "x" + local;
        for (String simulated : SHAPES) {
            if (simulated.equals(shape)) {
                String name = "network-" + shape + ".table";
                table = table.behind(TuningTable.parse(MemorySpace.HOST, name, textInJar(name)));
            }
        }
        return named.first() == null ? table : table.behind(named.first());
    }

    private static TuningTable inJar(MemorySpace space) {
        return TuningTable.parse(space, space.table, textInJar(space.table));
    }

    /** @param name of a table in the jar */
    public static String textInJar(String name) {
        try (InputStream in = TuningSource.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new TuningException(
                    "brigade.jar lacks org/brigade/select/" + name + "; build it again with Maven");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new TuningException("brigade.jar: org/brigade/select/" + name + " cannot be read: " + e.getMessage());
        }
    }

    private static TuningTable file(MemorySpace space, String name, String origin) {
        try {
            return file(space, Path.of(name));
        } catch (IOException | InvalidPathException e) {
            throw new TuningException(
                origin + ": the file cannot be read (" + e.getClass().getSimpleName() + ": " + e.getMessage()
                    + "); name a readable tuning table or unset it");
        }
    }

    /** @throws IOException if the file cannot be read */
    public static TuningTable file(MemorySpace space, Path file) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(LARGEST + 1);
        }
        if (bytes.length > LARGEST) {
            throw new TuningException(
                file + ": the file is longer than " + ByteSize.words(LARGEST) + ", so it is no tuning table");
        }
        return TuningTable.parse(space, file.toString(), new String(bytes, StandardCharsets.UTF_8));
    }
}
