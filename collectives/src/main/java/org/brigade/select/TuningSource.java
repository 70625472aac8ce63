package org.brigade.select;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * Finds a tuning table: the file that {@code brigade.tuning} or BRIGADE_TUNING names, for device memory
 * {@code brigade.device.tuning} or BRIGADE_DEVICE_TUNING, else the one in the jar.
 */
public final class TuningSource {
    /** The name of host memory's table in the jar. */
    public static final String DEFAULT = Space.HOST.table;
    private static final int LARGEST = 1 << 20;

    private TuningSource() {
    }

    /** @throws TuningException if the file cannot be read or followed; says which and why */
    public static TuningTable load(Settings settings) {
        return load(Space.HOST, settings);
    }

    /** As {@link #load(Settings)}, for a space. */
    public static TuningTable load(Space space, Settings settings) {
        String file = settings.get(space.tuning);
        return file == null ? inJar(space) : file(space, file, settings.origin(space.tuning));
    }

    /**
     * Checks a table that is read only when it is needed.
     *
     * @throws TuningException if the user names a file for it that cannot be read or followed
     */
    public static void validate(Space space, Settings settings) {
        if (settings.get(space.tuning) != null) {
            load(space, settings);
        }
    }

    private static TuningTable inJar(Space space) {
        String name = space.table;
        try (InputStream in = TuningSource.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new TuningException(
                    "brigade.jar lacks org/brigade/select/" + name + "; build it again with Maven");
            }
            return TuningTable.parse(space, name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new TuningException("brigade.jar: org/brigade/select/" + name + " cannot be read: " + e.getMessage());
        }
    }

    private static TuningTable file(Space space, String name, String origin) {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(Path.of(name))) {
            bytes = in.readNBytes(LARGEST + 1);
        } catch (IOException | InvalidPathException e) {
            throw new TuningException(
                origin + ": the file cannot be read (" + e.getClass().getSimpleName() + ": " + e.getMessage()
                    + "); name a readable tuning table or unset it");
        }
        if (bytes.length > LARGEST) {
            throw new TuningException(
                origin + ": the file is longer than " + ByteSize.words(LARGEST) + ", so it is no tuning table");
        }
        return TuningTable.parse(space, name, new String(bytes, StandardCharsets.UTF_8));
    }
}
