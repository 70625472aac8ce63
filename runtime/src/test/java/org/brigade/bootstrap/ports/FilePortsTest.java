package org.brigade.bootstrap.ports;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import mpi.MPI;
import mpi.MPIException;
import org.brigade.bootstrap.Ports;
import org.brigade.bootstrap.Processors;
import org.brigade.process.ProcessIdentity;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ports and letters in a folder of the test's own; without them there is no folder. */
class FilePortsTest {
    private static final String CALL = "test";
    private static final byte[] WORDS = {1, 2, 3};

    @TempDir
    Path directory;
    private Path folder;
    private FilePorts ports;

    @BeforeEach
    void openFolder() throws IOException {
        folder = directory.toRealPath().resolve("ports");
        ports = new FilePorts(folder, "launch-4711", null);
    }

    private void assertClass(int errorClass, Runnable call) {
        MPIException error = assertThrows(MPIException.class, call::run);
        assertEquals(errorClass, error.getErrorClass(), error.getMessage());
    }

    /** A letter of a process that has ended. */
    private static Letter stale() {
        return new Letter(Processors.machine(),
            new ProcessIdentity(ProcessIdentity.self().pid(), 1, ProcessIdentity.self().namespace()), WORDS);
    }

    @Test
    void aLetterIsAnsweredOnceAndNothingIsLeft() {
        String port = ports.open(CALL);
        assertNull(ports.next(CALL, port));
        Ports.Visit visit = ports.visit(CALL, port, WORDS);
        assertNull(visit.answer());
        Ports.Arrival arrival = ports.next(CALL, port);
        assertArrayEquals(WORDS, arrival.letter());
        assertNull(ports.next(CALL, port), "one process takes a letter");
        assertTrue(arrival.answer(new byte[] {9}));
        ports.close(CALL, port);
        assertArrayEquals(new byte[] {9}, visit.answer(), "an answer stays when the port is closed");
        visit.end();
        assertFalse(Files.exists(folder));
    }

    @Test
    void aVisitorMayWithdrawAtAnyTime() {
        String port = ports.open(CALL);
        ports.visit(CALL, port, WORDS).end();
        assertNull(ports.next(CALL, port));
        Ports.Visit visit = ports.visit(CALL, port, WORDS);
        Ports.Arrival taken = ports.next(CALL, port);
        visit.end();
        assertFalse(taken.answer(WORDS));
        Ports.Visit answered = ports.visit(CALL, port, WORDS);
        assertTrue(ports.next(CALL, port).answer(WORDS));
        answered.end();
        ports.closeAll();
        assertFalse(Files.exists(folder));
    }

    @Test
    void aVisitorOfAClosedPortHearsOfIt() {
        String port = ports.open(CALL);
        Ports.Visit visit = ports.visit(CALL, port, WORDS);
        ports.close(CALL, port);
        assertClass(MPI.ERR_PORT, visit::answer);
        visit.end();
        assertClass(MPI.ERR_PORT, () -> ports.visit(CALL, port, WORDS));
        assertClass(MPI.ERR_PORT, () -> ports.close(CALL, port));
        assertFalse(Files.exists(folder));
    }

    @Test
    void whatEndedProcessesHaveLeftCountsForNothing() throws IOException {
        String port = ports.open(CALL);
        ports.publish(CALL, "name", port);
        PortFolder files = new PortFolder(folder);
        String name = Files.list(folder).map(each -> each.getFileName().toString())
            .filter(each -> each.startsWith("name-")).findFirst().orElseThrow();
        files.write("port-dead", stale(), true);
        files.write("port-dead~1", stale(), true);
        files.write(name, stale(), true);
        assertClass(MPI.ERR_PORT, () -> ports.visit(CALL, "brigade:" + folder + "/port-dead", WORDS));
        assertFalse(files.delete("port-dead") || files.delete("port-dead~1"), "they are removed");
        assertClass(MPI.ERR_NAME, () -> ports.lookup(CALL, "name"));
        files.write(name, stale(), true);
        ports.publish(CALL, "name", port);
        assertEquals(port, ports.lookup(CALL, "name"));
    }

    @Test
    void namesMayHaveAnyCharacters() {
        String port = ports.open(CALL);
        String name = "../a name\n".repeat(100);
        ports.publish(CALL, name, port);
        assertClass(MPI.ERR_SERVICE, () -> ports.publish(CALL, name, port));
        assertEquals(port, ports.lookup(CALL, name));
        assertClass(MPI.ERR_NAME, () -> ports.lookup(CALL, "another"));
        assertClass(MPI.ERR_SERVICE, () -> ports.unpublish(CALL, name, "brigade:/x/port-1"));
        ports.unpublish(CALL, name, port);
        assertClass(MPI.ERR_NAME, () -> ports.lookup(CALL, name));
    }

    @Test
    void onlyPortsAreTakenForPorts() {
        for (String wrong : new String[] {null, "", "brigade:", "brigade:/", "brigade:/etc/passwd", "/port-1",
            "brigade:/tmp/port-\0"}) {
            assertClass(MPI.ERR_PORT, () -> ports.visit(CALL, wrong, WORDS));
        }
    }

    @Test
    void aFolderThatOthersCanWriteToIsRefused() throws IOException {
        Files.createDirectory(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.write(folder.resolve("port-1"), Letter.own(WORDS).bytes());
        assertClass(MPI.ERR_PORT, () -> ports.next(CALL, "brigade:" + folder + "/port-1"));
        assertClass(MPI.ERR_PORT, () -> ports.visit(CALL, "brigade:" + folder + "/port-1", WORDS));
        Files.write(folder.resolve("launch-4711~1"), Letter.own(WORDS).bytes());
        assertThrows(IOException.class, () -> new LauncherInbox(folder, "4711").next());
    }

    @Test
    void theLauncherFindsWhatRanksAskFor() throws IOException {
        LauncherInbox door = new LauncherInbox(folder, "4711");
        assertNull(door.next());
        ports.askLauncher(CALL, WORDS);
        assertArrayEquals(WORDS, door.next());
        assertNull(door.next());
        String port = ports.open(CALL);
        assertTrue(door.tell(port, WORDS));
        assertArrayEquals(WORDS, ports.next(CALL, port).letter());
        ports.close(CALL, port);
        assertFalse(door.tell(port, WORDS));
        door.sweep();
        assertFalse(Files.exists(folder));
    }
}
