package org.brigade.cli.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.brigade.cli.Ended;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs compiled against another package mpi, which has more than Brigade's and other kinds of members. */
class CheckPortTest {
    @TempDir
    Path directory;

    private Path other;
    private Path program;

    @BeforeEach
    void anotherApi() throws IOException {
        other = Files.createDirectory(directory.resolve("other"));
        program = Files.createDirectory(directory.resolve("program"));
        compile(other, null, "mpi/MPI.java", """
            package mpi;
            public class MPI {
                public static final Intracomm COMM_WORLD = null;
                public static Object EXTRA;
                public static String[] Init(String[] arguments) throws MPIException { return arguments; }
            }""", "mpi/MPIException.java", "package mpi; public class MPIException extends Exception {}",
            "mpi/Datatype.java", "package mpi; public class Datatype { public int commit() { return 0; } }",
            "mpi/Comm.java", """
            package mpi;
            public class Comm {
                public void barrier() throws MPIException {}
                public int Rank() throws MPIException { return 0; }
                public static void telepathy(Comm to, int[] thoughts) {}
            }""", "mpi/Intracomm.java", "package mpi; public class Intracomm extends Comm {}",
            "mpi/Telepath.java", "package mpi; public interface Telepath {}");
    }

    private static void compile(Path target, Path classPath, String... namesAndTexts) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-proc:none", "-d", target.toString(), "-cp",
            classPath == null ? target.toString() : classPath.toString()));
        for (int i = 0; i < namesAndTexts.length; i += 2) {
            Path file = target.resolve(namesAndTexts[i]);
            Files.createDirectories(file.getParent());
            Files.writeString(file, namesAndTexts[i + 1]);
            arguments.add(file.toString());
        }
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(new String[0])));
    }

    @Test
    void aProgramThatTakesWhatIsHereFits() throws IOException {
        compile(program, other, "App.java", """
            import mpi.*;
            class App {
                public static void main(String[] arguments) throws MPIException {
                    MPI.Init(arguments);
                    MPI.COMM_WORLD.barrier();
                    System.out.println(MPI.COMM_WORLD.Rank());
                }
            }""");
        Ended ended = Ended.brigade("check-port", program.toString());
        assertEquals(0, ended.code(), ended.err());
        assertTrue(ended.out().startsWith("1 classes use 3 classes and 4 members of package mpi.\n"), ended.out());
        assertTrue(ended.out().endsWith("All of them are here.\n"), ended.out());
    }

    @Test
    void whatIsMissingIsNamedWithTheClassesThatNeedIt() throws IOException {
        compile(program, other, "App.java", """
            import mpi.*;
            class App implements Telepath {
                Runnable later = () -> Comm.telepathy(null, new int[0]);
                static Object extra = MPI.EXTRA;
                int commit(Datatype type) { return type.commit(); }
            }""", "Mine.java", "class Mine extends mpi.Intracomm { @Override public void barrier() {} }");
        Ended ended = Ended.brigade("check-port", program.toString());
        assertEquals(1, ended.code(), ended.err());
        for (String line : new String[] {"missing: class mpi.Telepath\n         needed by App\n",
            "missing: static field mpi.MPI.EXTRA of type java.lang.Object\n",
            "missing: static method mpi.Comm.telepathy(mpi.Comm, int[]) of type void\n",
            "missing: method mpi.Datatype.commit() of type int\n",
            "final here: method mpi.Intracomm.barrier() of type void; no class can override it\n"
                + "         needed by Mine\n",
            " are not here.\n"}) {
            assertTrue(ended.out().contains(line), line + "is not in\n" + ended.out());
        }
        assertFalse(ended.out().contains("class mpi.Comm\n"), ended.out());
    }

    @Test
    void jarsAreReadAndTheOriginalInThemIsPassedOver() throws IOException {
        compile(program, other, "App.java", "class App { Object extra = mpi.MPI.EXTRA; }");
        Path jar = directory.resolve("app.jar");
        try (OutputStream file = Files.newOutputStream(jar); JarOutputStream out = new JarOutputStream(file)) {
            out.putNextEntry(new JarEntry("App.class"));
            out.write(Files.readAllBytes(program.resolve("App.class")));
            out.putNextEntry(new JarEntry("mpi/MPI.class"));
            out.write(Files.readAllBytes(other.resolve("mpi/MPI.class")));
        }
        Ended ended = Ended.brigade("check-port", jar.toString());
        assertEquals(1, ended.code(), ended.err());
        assertTrue(ended.out().startsWith("1 classes of package mpi itself lie among them"), ended.out());
        assertTrue(ended.out().endsWith("1 are not here.\n"), ended.out());
    }

    @Test
    void sourcesAreCompiled() throws IOException {
        Path sources = Files.createDirectory(directory.resolve("sources"));
        Files.writeString(sources.resolve("App.java"), "class App { void run() { mpi.MPI.COMM_WORLD.barrier(); } }");
        Ended good = Ended.brigade("check-port", "--source", sources.toString());
        assertEquals("1 Java files: all compile.\n", good.out(), good.err());
        Files.writeString(sources.resolve("Bad.java"), "class Bad {\n    Object extra = mpi.MPI.EXTRA;\n}");
        Ended bad = Ended.brigade("check-port", "--source", sources.toString());
        assertEquals(1, bad.code());
        assertTrue(bad.out().contains("Bad.java:2: cannot find symbol; symbol:   variable EXTRA"), bad.out());
        assertTrue(bad.out().endsWith("2 Java files: 1 error, 1 about MPI.\n"), bad.out());
    }

    @Test
    void errorsAboutMpiAreCountedApartFromThoseOfMissingLibraries() throws IOException {
        Path sources = Files.createDirectory(directory.resolve("sources"));
        Files.writeString(sources.resolve("App.java"), """
            import mpjbuf.Buffer;
            import org.elsewhere.Matrix;
            class App {
                Matrix matrix;
                Buffer buffer;
                Object extra = mpi.MPI.EXTRA;
                Object none = acme.mpi.Solver.NONE;
            }""");
        Ended ended = Ended.brigade("check-port", "--source", sources.toString());
        assertEquals(1, ended.code());
        assertTrue(ended.out().contains("symbol:   class Buffer; location: package mpjbuf"), ended.out());
        assertTrue(
            ended.out().endsWith(
                "1 Java files: 6 errors, 3 about MPI. For the others, name the program's libraries with -cp.\n"),
            ended.out());
    }

    @Test
    void packagesOfTheProgramsOwnMayEndInMpi() throws IOException {
        compile(program, other, "acme/mpi/Solver.java", """
            package acme.mpi;
            public class Solver { Object extra = mpi.MPI.EXTRA; }""");
        Ended ended = Ended.brigade("check-port", program.toString());
        assertEquals(1, ended.code(), ended.err());
        assertTrue(ended.out().startsWith("1 classes use 1 classes and 1 members of package mpi.\n"), ended.out());
        assertTrue(ended.out().contains("needed by acme.mpi.Solver\n"), ended.out());
    }

    @Test
    void classesOfTheInnerLayersAreNamedUnlessTheProgramBringsThem() throws IOException {
        compile(other, null, "mpjbuf/Buffer.java", "package mpjbuf; public class Buffer {}");
        compile(program, other, "App.java", "class App { mpjbuf.Buffer buffer; }");
        Ended without = Ended.brigade("check-port", program.toString());
        assertTrue(
            without.out()
                .contains("missing: class mpjbuf.Buffer, of MPJ Express's inner layers\n         needed by App\n"),
            without.out());
        Files.createDirectory(program.resolve("mpjbuf"));
        Files.copy(other.resolve("mpjbuf/Buffer.class"), program.resolve("mpjbuf/Buffer.class"));
        Ended with = Ended.brigade("check-port", program.toString());
        assertEquals(0, with.code(), with.out());
    }

    @Test
    void whatLinksButBehavesOtherwiseIsANote() throws IOException {
        compile(program, other, "App.java", """
            import mpi.*;
            class App {
                public static void main(String[] arguments) throws MPIException {
                    int size = Integer.parseInt(arguments[3]);
                    MPI.Init(arguments);
                    java.net.URLClassLoader loader =
                        (java.net.URLClassLoader) Thread.currentThread().getContextClassLoader();
                    System.out.println(MPI.COMM_WORLD.Rank() + size);
                }
            }""");
        Ended ended = Ended.brigade("check-port", program.toString());
        assertEquals(0, ended.code(), ended.err());
        for (String note : new String[] {"note: App calls MPI.Init, and no class calls MPI.Finalize: ",
            "note: App reads main's arguments before MPI.Init: ",
            "note: App casts a class loader to URLClassLoader: "}) {
            assertTrue(ended.out().contains(note), ended.out());
        }
    }

    @Test
    void aProgramThatEndsAndTakesWhatInitReturnsGetsNoNotes() throws IOException {
        compile(other, null, "mpi/MPI.java", """
            package mpi;
            public class MPI {
                public static final Intracomm COMM_WORLD = null;
                public static String[] Init(String[] arguments) throws MPIException { return arguments; }
                public static void Finalize() {}
            }""", "mpi/Comm.java", "package mpi; public class Comm { public int Rank() { return 0; } }",
            "mpi/Intracomm.java", "package mpi; public class Intracomm extends Comm {}",
            "mpi/MPIException.java", "package mpi; public class MPIException extends Exception {}");
        compile(program, other, "App.java", """
            class App {
                public static void main(String[] arguments) throws Exception {
                    String[] own = mpi.MPI.Init(arguments);
                    System.out.println(own[0] + arguments[0] + mpi.MPI.COMM_WORLD.Rank());
                    mpi.MPI.Finalize();
                }
            }""");
        Ended ended = Ended.brigade("check-port", program.toString());
        assertFalse(ended.out().contains("note: "), ended.out());
    }

    @Test
    void whatCannotBeReadIsSaid() throws IOException {
        Path text = Files.writeString(directory.resolve("text.jar"), "no jar");
        Files.writeString(program.resolve("Broken.class"), "no class");
        for (String[] wrong : new String[][] {{"check-port"}, {"check-port", "nowhere"},
            {"check-port", text.toString()}, {"check-port", program.toString()},
            {"check-port", Files.createDirectory(directory.resolve("empty")).toString()}}) {
            Ended ended = Ended.brigade(wrong);
            assertEquals(1, ended.code(), ended.out());
            assertTrue(ended.err().startsWith("brigade check-port: "), ended.err());
        }
    }
}
