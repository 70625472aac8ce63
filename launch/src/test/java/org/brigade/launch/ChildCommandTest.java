package org.brigade.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import mpi.spi.SpawnCommand;
import org.brigade.launch.options.LaunchException;
import org.brigade.launch.options.LaunchOptions;
import org.brigade.launch.options.PathOptions;
import org.brigade.launch.options.ProgramOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a spawned process in another directory is started with. */
class ChildCommandTest {
    @TempDir
    Path parents;
    @TempDir
    Path elsewhere;

    private ProgramOptions job(String line) {
        return LaunchOptions.parse(("-np 1 -wdir " + parents + " " + line).split(" ")).first();
    }

    private List<String> child(String job, String command, String... arguments) {
        return ChildCommand.of(new SpawnCommand(command, List.of(arguments), 1, elsewhere.toString()), job(job));
    }

    private static String classPath(List<String> command) {
        return command.get(command.indexOf("-cp") + 1);
    }

    @Test
    void theJobsClassPathIsSeenFromTheJobsDirectory() {
        for (List<String> child : List.of(child("-cp classes:lib/*::/opt/a.jar App", "Child"),
            child("-cp classes:lib/*::/opt/a.jar App", "java", "Child"))) {
            String path = classPath(child);
            String expected =
                parents + "/classes:" + parents + "/lib/*:" + parents + ":/opt/a.jar";
            assertTrue(path.endsWith(":" + expected), path);
            assertEquals("Child", child.get(child.size() - 1));
        }
        assertTrue(classPath(child("-jar app.jar", "Child")).endsWith(":" + parents + "/app.jar"));
    }

    @Test
    void soAreItsOptionsThatNameFiles() throws IOException {
        Files.createFile(parents.resolve("my.table"));
        List<String> child = child("-Djava.library.path=lib:/usr/lib -p mods:more --patch-module m=a:b"
            + " --upgrade-module-path=up -javaagent:agent.jar=x=y -agentpath:/abs/a.so -Xbootclasspath/a:boot.jar"
            + " -Dbrigade.tuning=my.table -Dbrigade.device.tuning=none -Xlog:gc:file=gc.log -Dmine=my.table -ea"
            + " App", "Child");
        for (String option : List.of("-Djava.library.path=%/lib:/usr/lib", "%/mods:%/more", "m=%/a:%/b",
            "--upgrade-module-path=%/up", "-javaagent:%/agent.jar=x=y", "-agentpath:/abs/a.so",
            "-Xbootclasspath/a:%/boot.jar", "-Dbrigade.tuning=%/my.table", "-Dbrigade.device.tuning=none",
            "-Xlog:gc:file=gc.log", "-Dmine=my.table", "-ea")) {
            assertTrue(child.contains(option.replace("%", parents.toString())), option + " in " + child);
        }
    }

    @Test
    void soAreSettingsInVariables() throws IOException {
        Files.createFile(parents.resolve("my.table"));
        Map<String, String> environment = new HashMap<>(Map.of("BRIGADE_TUNING", "my.table",
            "BRIGADE_NETWORK_PROFILE", "none", "BRIGADE_SPINS", "7"));
        new PathOptions(parents.toString()).settings(environment);
        assertEquals(Map.of("BRIGADE_TUNING", parents + "/my.table", "BRIGADE_NETWORK_PROFILE", "none",
            "BRIGADE_SPINS", "7"), environment);
    }

    @Test
    void whatTheProgramPassesIsSeenFromTheChildsDirectory() throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "InJar");
        new JarOutputStream(new FileOutputStream(elsewhere.resolve("its.jar").toFile()), manifest).close();
        List<String> child = child("-cp classes App", "java", "-jar", "its.jar", "x");
        assertTrue(classPath(child).endsWith(":its.jar"), child.toString());
        assertEquals(List.of("InJar", "x"), child.subList(child.size() - 2, child.size()));
        assertTrue(classPath(child("-cp classes App", "java", "-cp", "own", "Child")).endsWith(":own"));
    }

    @Test
    void aProgramIsFoundFromEitherDirectory() throws IOException {
        assertEquals(elsewhere + "/sub", ChildCommand.directory(new SpawnCommand("x", List.of(), 1, "sub"),
            LaunchOptions.parse(new String[] {"-wdir", elsewhere.toString(), "App"}).first()));
        String message = assertThrows(LaunchException.class, () -> child("App", "bin/run")).getMessage();
        assertTrue(message.contains("there is no file " + elsewhere + "/bin/run"), message);
        for (Path each : List.of(parents, elsewhere)) {
            Files.createDirectory(each.resolve("bin"));
            Files.createFile(each.resolve("bin/run"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            assertEquals(List.of(each + "/bin/run", "x"), child("App", "bin/run", "x"));
        }
    }

    /** A spawned command line is no line of a launcher, where a colon would begin another program. */
    @Test
    void aColonIsAnArgumentLikeAnyOther() {
        List<String> child = child("App", "java", "Child", ":");
        assertEquals(List.of("Child", ":"), child.subList(child.size() - 2, child.size()));
    }
}
