package org.brigade.launch;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.brigade.launch.options.LaunchException;
import org.brigade.launch.options.PathOptions;

/**
 * The java of a rank.
 *
 * @param command its path
 * @param feature its version: 17, 25
 * @param isOurs whether it is the one that runs mpjrun
 */
record RankJava(String command, int feature, boolean isOurs) {
    private static final String OURS = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final String VERSION = "JAVA_VERSION=\"";
    private static final int OLDEST = 17;

    /** The path of the java that runs mpjrun. */
    static String ours() {
        return OURS;
    }

    /**
     * The java that a command line names.
     *
     * @param path null: it names none
     * @throws LaunchException if it is too old
     */
    static RankJava of(String path, String directory) {
        int ours = Runtime.version().feature();
        if (path == null) {
            return new RankJava(OURS, ours, true);
        }
        String command = new PathOptions(directory).path(path);
        try {
            Path real = Path.of(command).toRealPath();
            if (real.equals(Path.of(OURS).toRealPath())) {
                return new RankJava(OURS, ours, true);
            }
            int feature = feature(new File(real.getParent().getParent().toFile(), "release").toPath());
            if (feature < OLDEST) {
                throw new LaunchException(path + " is Java " + feature + ", and Brigade needs 17 or newer; name a newer"
                    + " one");
            }
            return new RankJava(command, feature, false);
        } catch (IOException unreadable) {
            return new RankJava(command, ours, false);
        }
    }

    /** The first number of a version as JDKs write it in their file release; that of this java if it is not there. */
    private static int feature(Path release) throws IOException {
        List<String> lines = Files.readAllLines(release);
        for (String line : lines) {
            if (line.startsWith(VERSION)) {
                int from = line.startsWith("1.", VERSION.length()) ? VERSION.length() + 2 : VERSION.length();
                int number = 0;
                for (int at = from; at < line.length() && Character.isDigit(line.charAt(at)); at++) {
                    number = number * 10 + line.charAt(at) - '0';
                }
                return number;
            }
        }
        throw new IOException("no version");
    }
}
