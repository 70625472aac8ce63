package org.brigade.cli.bench.versus;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.brigade.cli.shared.BenchException;

/**
 * MPJ Express as a peer: {@link MpjExpressBench} or {@link ColdCalls}, in a folder of its own so that it meets MPJ
 * Express's package {@code mpi} and not ours, under MPJ Express's own starter in its default configuration, which runs
 * ranks as threads.
 */
final class MpjExpress {
    private static final String DEBIAN = "/usr/share/mpj";
    /** MPJ Express needs log4j and Debian's package leaves it out. */
    private static final String DEBIAN_LOG4J = "/usr/share/java/log4j-1.2.jar";
    private static final Pattern VERSION = Pattern.compile("mpj-(\\d[\\d.]*)\\.jar");

    private MpjExpress() {
    }

    /** @param chosen variable MPJ_HOME, or null */
    static Path home(String chosen) {
        Path home = Path.of(chosen == null || chosen.isEmpty() ? DEBIAN : chosen);
        if (!Files.isReadable(home.resolve("lib/starter.jar")) || !Files.isReadable(home.resolve("lib/mpj.jar"))) {
            throw new BenchException("--vs mpj-express: there is no MPJ Express in " + home + " (its lib/starter.jar"
                + " and lib/mpj.jar are looked for); set MPJ_HOME to where it is, or install it (Debian, Ubuntu:"
                + " apt-get install libmpj-java liblog4j1.2-java)");
        }
        return home;
    }

    static PeerBenchmark peer(Path home, BenchJob job) {
        Path lib = home.resolve("lib");
        String log4j = log4j(lib);
        Class<?> program = job.isCold() ? ColdCalls.class : MpjExpressBench.class;
        PeerFolder folder = new PeerFolder();
        folder.unpack(program, CallSpan.class);
        String java = System.getProperty("java.home") + "/bin";
        List<String> command = new ArrayList<>(List.of(java + "/java", "-cp",
            lib.resolve("starter.jar") + File.pathSeparator + lib.resolve("runtimecommon.jar") + File.pathSeparator
                + log4j,
            "runtime.starter.MPJRun", "-np", Integer.toString(job.ranks()), "-Xbootclasspath/a:" + log4j, "-cp",
            folder.path().toString(), program.getName()));
        String path = System.getenv("PATH");
        // The starter runs the first java on the PATH: it should be ours.
        PeerEnvironment environment = new PeerEnvironment(List.of(), List.of(), Map.of("MPJ_HOME", home.toString(),
            "PATH", path == null ? java : java + File.pathSeparator + path));
        return new PeerProgram(NamedPeers.MPJ_EXPRESS, version(lib), "threads, not bound",
            NamedPeers.started(command, job, job.isCold() ? List.of(ColdCalls.MPJ_EXPRESS) : List.of()), environment,
            folder, "run MPJ Express's own tests to see why");
    }

    private static String log4j(Path lib) {
        File[] own = lib.toFile().listFiles((folder, name) -> name.startsWith("log4j") && name.endsWith(".jar"));
        if (own != null && own.length > 0) {
            return own[0].toString();
        }
        if (Files.isReadable(Path.of(DEBIAN_LOG4J))) {
            return DEBIAN_LOG4J;
        }
        throw new BenchException("--vs mpj-express: MPJ Express needs log4j 1.2, which is neither in " + lib + " nor "
            + DEBIAN_LOG4J + "; install it (Debian, Ubuntu: apt-get install liblog4j1.2-java)");
    }

    private static String version(Path lib) {
        String[] names = lib.toFile().list();
        for (String name : names == null ? new String[0] : names) {
            Matcher version = VERSION.matcher(name);
            if (version.matches()) {
                return "MPJ Express " + version.group(1);
            }
        }
        return "MPJ Express";
    }
}
