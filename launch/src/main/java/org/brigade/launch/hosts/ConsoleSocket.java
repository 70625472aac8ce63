package org.brigade.launch.hosts;

import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** A socket at which ranks meet their console. It is in a folder that only this user can enter. */
public final class ConsoleSocket implements Closeable {
    private final ServerSocketChannel listening;
    private final Path file;

    private ConsoleSocket(ServerSocketChannel listening, Path file) {
        this.listening = listening;
        this.file = file;
    }

    /** In a new folder of java.io.tmpdir, which must have a short path. */
    public static ConsoleSocket open() throws IOException {
        Path file = Files.createTempDirectory("brigade-shell-").resolve("ranks"); // rwx------
        ConsoleSocket socket = new ConsoleSocket(ServerSocketChannel.open(StandardProtocolFamily.UNIX), file);
        try {
            socket.listening.bind(UnixDomainSocketAddress.of(file));
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Where ranks connect. */
    public ServerSocketChannel listening() {
        return listening;
    }

    /** Its path. */
    public String place() {
        return file.toString();
    }

    /** Leaves nothing. Twice is fine. */
    @Override
    public void close() {
        try {
            listening.close();
            Files.deleteIfExists(file);
            Files.deleteIfExists(file.getParent());
        } catch (IOException gone) {
            // Then somebody has removed it.
        }
    }
}
