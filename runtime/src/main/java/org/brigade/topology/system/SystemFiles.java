package org.brigade.topology.system;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The kernel's files below a root, which tests choose. Files that are missing or unreadable are empty: containers hide
 * many.
 */
public record SystemFiles(Path root) {
    /** A file's text without the white space around it, or "". */
    public String text(String path) {
        try {
            return Files.readString(root.resolve(path), StandardCharsets.ISO_8859_1).strip();
        } catch (IOException | SecurityException e) {
            return ""; // reading some files fails by design while a device is down
        }
    }

    /** The first bytes of a file, as text: long files, such as /proc/cpuinfo, take the kernel long to write. */
    public String beginning(String path, int bytes) {
        try (InputStream in = Files.newInputStream(root.resolve(path))) {
            return new String(in.readNBytes(bytes), StandardCharsets.ISO_8859_1);
        } catch (IOException | SecurityException e) {
            return "";
        }
    }

    /** A file's text as a number, or {@code other}. */
    public long number(String path, long other) {
        try {
            return Long.decode(text(path));
        } catch (NumberFormatException e) {
            return other;
        }
    }

    public boolean exists(String path) {
        return Files.exists(root.resolve(path));
    }

    /** The names in a folder, sorted. */
    public List<String> names(String folder) {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(root.resolve(folder))) {
            for (Path entry : entries) {
                names.add(entry.getFileName().toString());
            }
        } catch (IOException | SecurityException e) {
            return List.of();
        }
        Collections.sort(names);
        return names;
    }

    /** The target of a link, relative to the root; null if there is none. */
    public String real(String path) {
        try {
            return root.toRealPath().relativize(root.resolve(path).toRealPath()).toString();
        } catch (IOException | SecurityException e) {
            return null;
        }
    }
}
