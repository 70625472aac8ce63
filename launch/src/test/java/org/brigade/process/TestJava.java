package org.brigade.process;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import mpi.spi.Provider;
import org.brigade.launch.Launcher;

/**
 * The java commands of processes that tests start: this JVM's java and class path, with what makes a short program
 * start and end soon. Most jobs of tests run for a second, and without that their JVMs spend it on loading classes.
 *
 * <p>
 * Where brigade.jar is on the class path, as in {@code mvn verify}, they take its classes from the archive that
 * bin/mpjrun would use ({@code find_archive} of bin/common.sh makes it once a build). With {@code test.nightly} they
 * have all compilers that a user's program has.
 */
public final class TestJava {
    public static final String JAVA = System.getProperty("java.home") + "/bin/java";
    private static final Path SCRIPT = Path.of("bin", "common.sh");
    /** brigade.jar, or null where its classes are in folders. */
    private static final String JAR = jar();
    /** This JVM's, with brigade.jar first, as the archive knows it there. */
    public static final String CLASS_PATH = (JAR == null ? "" : JAR + File.pathSeparator)
        + System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    private static final List<String> FLAGS = flags();

    private TestJava() {
    }

    /** Starts a program: further options, its main class and its arguments. */
    public static List<String> command(String... program) {
        List<String> command = new ArrayList<>(List.of(JAVA));
        command.addAll(FLAGS);
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:-UsePerfData", "-cp", CLASS_PATH));
        if (Runtime.version().feature() >= 24) {
            command.add("--enable-native-access=ALL-UNNAMED"); // as mpjava does; Java warns without it
        }
        command.addAll(List.of(program));
        return command;
    }

    /** The same behind another program's launcher. */
    public static List<String> behind(List<String> launcher, String... program) {
        List<String> command = new ArrayList<>(launcher);
        command.addAll(command(program));
        return command;
    }

    /** Starts mpjrun with these arguments. */
    public static List<String> mpjrun(String... arguments) {
        List<String> command = launching("-Xmx64m", Launcher.class.getName());
        command.addAll(List.of(arguments));
        return command;
    }

    /** Starts a program that starts ranks itself, which get this class path and these flags, too. */
    public static List<String> launching(String... program) {
        List<String> command = command("-Dbrigade.launch.flags=" + String.join("\n", FLAGS),
            "-Dbrigade.launch.path=" + CLASS_PATH);
        command.addAll(List.of(program));
        return command;
    }

    private static List<String> flags() {
        List<String> flags = new ArrayList<>();
        if (!Boolean.getBoolean("test.nightly")) {
            flags.add("-XX:TieredStopAtLevel=1");
        }
        flags.add("-XX:CompileThresholdScaling=1");
        // Fresh pages cost more than collections, so the young generation is small.
        flags.add("-Xmn8m");
        // Where a JVM maps archives: at random places it must correct all addresses in them, for a sixth of its start.
        flags.addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode=0"));
        flags.addAll(JAR == null ? List.of() : archive());
        return flags;
    }

    private static String jar() {
        Path runtime = place(Launcher.class);
        return runtime.equals(place(Provider.class)) && Files.isRegularFile(runtime) ? runtime.toString() : null;
    }

    private static Path place(Class<?> type) {
        return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
    }

    /** What bin/common.sh says of brigade.jar's archive, which it makes if it must. */
    private static List<String> archive() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve(SCRIPT))) {
            folder = folder.getParent();
        }
        if (folder == null) {
            return List.of();
        }
        String ask =
            ". " + SCRIPT + "; find_java; jar=" + JAR + "; find_archive; printf '%s\\n' \"${archive_flags[@]}\"";
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", ask).directory(folder.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        // Of two JVMs of tests that begin at once one would go without, as a command does.
        try (FileChannel file = FileChannel.open(Path.of(JAR + ".tests"), CREATE, WRITE)) {
            file.lock();
            Process shell = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
            shell.getOutputStream().close();
            String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return shell.waitFor() == 0 ? said.lines().filter(flag -> !flag.isEmpty()).toList() : List.of();
        } catch (IOException e) {
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }
}
