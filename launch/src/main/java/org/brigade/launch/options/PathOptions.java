package org.brigade.launch.options;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.brigade.setting.Setting;

/**
 * What a job's options name by relative paths, for a process that runs in another directory. Only what is read counts:
 * a log or a dump that a process writes belongs into its own directory.
 */
public final class PathOptions {
    /** Options with a path, or several with colons between, in the next word. */
    private static final List<String> IN_THE_NEXT_WORD = List.of("-p", "--module-path", "--upgrade-module-path");
    /** Options with such paths in the same word. */
    private static final List<String> IN_THE_SAME_WORD = List.of("--module-path=", "--upgrade-module-path=",
        "-Xbootclasspath/a:", "-Djava.library.path=", "-Djna.library.path=", "-Djna.boot.library.path=",
        "-Djava.security.policy=", "-Djava.util.logging.config.file=", "-XX:SharedArchiveFile=", "-XX:AOTCache=",
        "-XX:VMOptionsFile=", "-XX:Flags=");
    /** Options with one path, and options of their own behind it. */
    private static final List<String> AGENTS = List.of("-javaagent:", "-agentpath:");
    private static final String PATCH = "--patch-module";
    /** Settings that name a file, or something else in a word. */
    private static final String[] SETTINGS = {"ports", "trace", "tuning", "device.tuning",
        "topology.profile", "network.profile", "mpi.library", "sisci.cache", "aggregation.secret",
        "aggregation.library"};

    private final File directory;

    /** @param directory in which the job's ranks run; null: in that of this process */
    public PathOptions(String directory) {
        this.directory = new File(directory == null ? "" : directory).getAbsoluteFile();
    }

    /** A path from the job's directory; an absolute one is left as it is. */
    public String path(String path) {
        return (path.isEmpty() ? directory : new File(path).isAbsolute() ? new File(path) : new File(directory, path))
            .getPath();
    }

    /** Paths with colons between; an empty one is the directory. */
    public String paths(String paths) {
        StringBuilder all = new StringBuilder();
        for (String each : paths.split(File.pathSeparator, -1)) {
            all.append(all.isEmpty() ? "" : File.pathSeparator).append(path(each));
        }
        return all.toString();
    }

    /** A program's. */
    public ProgramOptions absolute(ProgramOptions line) {
        return new ProgramOptions(line.ranks(), directory.getPath(), line.variables(), line.java(),
            paths(line.userClassPath()), line.jar() == null ? null : path(line.jar()), line.mpjDevice(),
            options(line.javaOptions()), line.program(), line.isFile());
    }

    /** Options of java. */
    List<String> options(List<String> options) {
        List<String> all = new ArrayList<>();
        String before = "";
        for (String option : options) {
            all.add(IN_THE_NEXT_WORD.contains(before) ? paths(option)
                : before.equals(PATCH) ? behind(option.indexOf('=') + 1, option.length(), option) : option(option));
            before = option;
        }
        return all;
    }

    private String option(String option) {
        for (String begin : IN_THE_SAME_WORD) {
            if (option.startsWith(begin)) {
                return begin.concat(paths(option.substring(begin.length())));
            }
        }
        for (String begin : AGENTS) {
            if (option.startsWith(begin)) {
                int equals = option.indexOf('=');
                return behind(begin.length(), equals < 0 ? option.length() : equals, option);
            }
        }
        if (option.startsWith(PATCH + "=")) {
            return behind(option.indexOf('=', PATCH.length() + 1) + 1, option.length(), option);
        }
        for (String key : SETTINGS) {
            String begin = "-D".concat(Setting.property(key)).concat("=");
            if (option.startsWith(begin)) {
                return begin.concat(setting(option.substring(begin.length())));
            }
        }
        return option;
    }

    private String behind(int from, int to, String option) {
        return option.substring(0, from) + paths(option.substring(from, to)) + option.substring(to);
    }

    /** A setting may also say "none", or how a file is found. */
    private String setting(String value) {
        return new File(path(value)).exists() ? path(value) : value;
    }

    /** Variables of Brigade's settings. */
    public void settings(Map<String, String> environment) {
        for (String key : SETTINGS) {
            String value = environment.get(Setting.variable(key));
            if (value != null && !value.isBlank()) {
                environment.put(Setting.variable(key), setting(value.trim()));
            }
        }
    }
}
