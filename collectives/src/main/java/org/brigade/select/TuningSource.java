package org.brigade.select;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Where the tuning table comes from: the file that {@code brigade.tuning} or BRIGADE_TUNING names, else the one in the jar. */
public final class TuningSource {
    /** The name of the table in the jar. */
    public static final String DEFAULT = "shm-default.table";
    private static final int LARGEST = 1 << 20;

    private TuningSource() {
    }

    /** @throws TuningException if the file cannot be read or followed, saying which and why */
    public static TuningTable load(Settings settings) {
        String file = settings.get("tuning");
        return file == null ? inJar() : file(file, settings.origin("tuning"));
    }

    private static TuningTable inJar() {
        try (InputStream in = TuningSource.class.getResourceAsStream(DEFAULT)) {
            if (in == null) {
                throw new TuningException("brigade.jar lacks org/brigade/select/" + DEFAULT + "; build it again with Maven");
            }
            return TuningTable.parse(DEFAULT, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new TuningException("brigade.jar: org/brigade/select/" + DEFAULT + " cannot be read: " + e.getMessage());
        }
    }

    private static TuningTable file(String name, String origin) {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(Path.of(name))) {
            bytes = in.readNBytes(LARGEST + 1);
        } catch (IOException | InvalidPathException e) {
            throw new TuningException(origin + ": the file cannot be read (" + e.getClass().getSimpleName() + ": " + e.getMessage()
                + "); name a readable tuning table or unset it");
        }
        if (bytes.length > LARGEST) {
            throw new TuningException(origin + ": the file is longer than " + ByteSize.words(LARGEST) + ", so it is no tuning table");
        }
        return TuningTable.parse(name, new String(bytes, StandardCharsets.UTF_8));
    }
}
