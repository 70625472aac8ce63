package org.brigade.launch.scripts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the commands of bin/ share. */
@Tag("calculation") // of scripts, which the JDK cannot change
@Timeout(300)
class CommonScriptTest {
    private static final Path SCRIPT = Path.of("../bin/common.sh").toAbsolutePath().normalize();
    private static final int STRANGER = 54_321;

    @TempDir
    Path folder;
    private Path archive;

    @BeforeEach
    void files() throws IOException {
        assumeTrue(Files.exists(SCRIPT), "no bin/ beside this module");
        Files.createFile(folder.resolve("brigade.jar"));
        archive = Files.createFile(folder.resolve("brigade.jsa"));
        Files.setPosixFilePermissions(archive, PosixFilePermissions.fromString("rw-r--r--"));
    }

    private String run(Map<String, String> environment, String script) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", ". " + SCRIPT + "; " + script)
            .redirectErrorStream(true).directory(folder.toFile());
        builder.environment().putAll(environment);
        Process shell = builder.start();
        return new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
    }

    private String trust(String file) throws Exception {
        return run(Map.of(), "jar=brigade.jar; is_trusted " + file + " && echo trusted || echo refused");
    }

    @Test
    void aClassArchiveOfThisUserIsUsed() throws Exception {
        assertEquals("trusted", trust("brigade.jsa"));
    }

    @Test
    void aClassArchiveThatOthersCanChangeIsNot() throws Exception {
        Files.createSymbolicLink(folder.resolve("link.jsa"), archive);
        assertEquals("refused", trust("link.jsa"));
        Files.setPosixFilePermissions(archive, PosixFilePermissions.fromString("rw-rw-rw-"));
        assertEquals("refused", trust("brigade.jsa"));
    }

    @Test
    void aClassArchiveOfAnotherUserIsNotUnlessTheJarIsHisToo() throws Exception {
        assumeTrue((int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0,
            "needs root to make files of another user");
        Files.setAttribute(archive, "unix:uid", STRANGER);
        assertEquals("refused", trust("brigade.jsa"));
        Files.setAttribute(folder.resolve("brigade.jar"), "unix:uid", STRANGER);
        assertEquals("trusted", trust("brigade.jsa"));
    }

    /** Makes an archive with a java that only plays its part; returns the names of the files that are there then. */
    private String make(String java) throws Exception {
        Files.delete(archive);
        Files.createDirectory(folder.resolve("home"));
        Files.createFile(folder.resolve("home/release"));
        Path fake = folder.resolve("java");
        Files.writeString(fake, "#!/bin/bash\nfor word; do case $word in -XX:ArchiveClassesAtExit=*) "
            + "archive=${word#*=};; esac; done\n[[ $archive ]] || exit 0\n" + java);
        Files.setPosixFilePermissions(fake, PosixFilePermissions.fromString("rwxr-xr-x"));
        return run(Map.of(), "jar=brigade.jar java=" + fake + " java_version=17 home=home; "
            + "make_archive brigade.jsa; echo brigade.jsa*");
    }

    @Test
    void aClassArchiveIsMade() throws Exception {
        assertEquals("brigade.jsa", make("echo classes > \"$archive\""));
    }

    @Test
    void anInterruptedRehearsalLeavesNoArchiveAndIsTriedAgain() throws Exception {
        assertEquals("brigade.jsa*", make("echo some > \"$archive\"; exit 130"));
    }

    @Test
    void aRehearsalThatFailsIsNotTriedAgain() throws Exception {
        assertEquals("brigade.jsa.none", make("echo some > \"$archive\"; exit 1"));
    }

    @Test
    void aJavaThatMakesNoArchiveIsNotAskedAgain() throws Exception {
        assertEquals("brigade.jsa.none", make("exit 0"));
    }

    @Test
    void whileOneCommandMakesTheArchiveOthersGoOnWithout() throws Exception {
        Files.createFile(folder.resolve("brigade.jsa.lock"));
        assertEquals("brigade.jsa.lock\nbrigade.jsa.none", run(Map.of(),
            "rm brigade.jsa; exec 8>> brigade.jsa.lock; flock 8; jar=brigade.jar java=false java_version=17 home=.; "
                + "make_archive brigade.jsa; ls brigade.jsa*; exec 8>&-; make_archive brigade.jsa; ls brigade.jsa.*"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Xshare:off", "-Xmx1g -XX:SharedArchiveFile=a", "-XX:AOTCache=a"})
    void anArchiveThatTheEnvironmentChoosesIsNotContradicted(String options) throws Exception {
        String find =
            "jar=brigade.jar java=$PWD/jdk/bin/java java_version=17; mkdir jdk; touch -d yesterday jdk/release"
                + " brigade.jar; touch brigade-java17.jsa; find_archive; echo ${#archive_flags[@]}";
        assertEquals("0", run(Map.of("JAVA_TOOL_OPTIONS", options), find));
        assertEquals("3", run(Map.of("JAVA_TOOL_OPTIONS", "-ea"), "rm -r jdk; " + find));
    }

    @ParameterizedTest
    @CsvSource({"rwxr-xr-x,false", "rwxrwxr-x,false", "rwxrwxrwx,true"})
    void noArchiveIsMadeInAFolderThatEverybodyMayWriteTo(String permissions, boolean elsewhere) throws Exception {
        Path jars = Files.createDirectory(folder.resolve("jars"));
        Files.createFile(jars.resolve("brigade.jar"));
        Files.setPosixFilePermissions(jars, PosixFilePermissions.fromString(permissions));
        String made = run(Map.of("XDG_CACHE_HOME", folder.toRealPath() + "/cache"),
            "jar=$(readlink -f jars)/brigade.jar java=$PWD/jdk/bin/java java_version=17;"
                + " mkdir -p jdk/bin; touch jdk/release;"
                + " make_archive() { echo $1; }; find_archive");
        String beside = jars.toRealPath() + "/brigade-java17.jsa";
        assertEquals(elsewhere ? folder.toRealPath() + "/cache/brigade/" + beside.replace('/', '%') : beside, made);
    }

    @Test
    void aUserWhoCannotWriteBesideTheJarHasAnArchiveInAFolderOfHisOwn() throws Exception {
        Map<String, String> cache = Map.of("XDG_CACHE_HOME", folder + "/cache");
        String find = "find_cache && echo found $cache || echo none";
        Path place = folder.toRealPath().resolve("cache/brigade");
        assertEquals("found " + place, run(cache, find));
        Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxrwx---"));
        assertEquals("none", run(cache, find));
        assertEquals("none", run(Map.of("XDG_CACHE_HOME", "/dev/null"), find));
    }

    /** As UserFolders has it. */
    @Test
    void theCacheIsInTheHomeUnlessAnAbsolutePathIsNamed() throws Exception {
        String find = "umask 077; find_cache && echo found $cache || echo none";
        String home = folder.toRealPath().toString();
        assertEquals("found " + home + "/.cache/brigade", run(Map.of("XDG_CACHE_HOME", "", "HOME", home), find));
        assertEquals("found " + home + "/.cache/brigade", run(Map.of("XDG_CACHE_HOME", "cache", "HOME", home), find));
        assertEquals("none", run(Map.of("XDG_CACHE_HOME", "", "HOME", home + "/nowhere"), find));
        String system = System.getProperty("user.home");
        assertEquals(system, run(Map.of("XDG_CACHE_HOME", "", "HOME", "?"),
            "mkdir() { return 1; }; find_cache; echo ${cache%/.cache/brigade}"));
    }

    @ParameterizedTest
    @CsvSource({"'',-XX:+UseSerialGC", "-XX:+UseG1GC,''", "-Xmx1g -XX:+UseZGC -ea,''", "-XX:+UseNUMA,-XX:+UseSerialGC"})
    void aCollectorThatTheEnvironmentChoosesIsNotContradicted(String options, String collector) throws Exception {
        assertEquals(collector,
            run(Map.of("JAVA_TOOL_OPTIONS", options, "JDK_JAVA_OPTIONS", ""), "choose_collector; echo $collector"));
    }

    /** A locale that the user has chosen stays: only C, which containers and cron have, becomes UTF-8. */
    @ParameterizedTest
    @CsvSource({"'','','',C.UTF-8", "C,'','',C.UTF-8", "'',POSIX,'',C.UTF-8", "'','',C,C.UTF-8", "'','',de_DE,de_DE",
        "'',en_GB.ISO-8859-1,C,en_GB.ISO-8859-1", "C.UTF-8,C,C,C.UTF-8"})
    void inTheLocaleCPathsAreUtf8(String all, String type, String lang, String effective) throws Exception {
        assertEquals(effective, run(Map.of("LC_ALL", all, "LC_CTYPE", type, "LANG", lang),
            "bash -c 'echo ${LC_ALL:-${LC_CTYPE:-$LANG}}' 2> /dev/null").lines().reduce((a, b) -> b).orElse(""));
    }

    @Test
    void aPathWithAnUmlautWorksWithoutALocale() throws Exception {
        assertEquals("found", run(Map.of("LC_ALL", "", "LC_CTYPE", "", "LANG", ""), """
            mkdir $'\\xc3\\xb6'
            echo 'class Say { public static void main(String[] none) { System.out.println("found"); } }' > $'\\xc3\\xb6'/Say.java
            find_java; "$java" $'\\xc3\\xb6'/Say.java"""));
    }
}
