package org.brigade.cli.shell;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * Messages between the console and a rank: each is a length of four bytes and a serialized {@link ShellMessage}. The
 * socket lies in a folder that only its user can enter. Any thread may send; one receives.
 */
final class ShellChannel implements Closeable {
    private static final ObjectInputFilter OURS =
        ObjectInputFilter.Config.createFilter("org.brigade.cli.shell.*;jdk.jshell.spi.*;java.lang.*;!*");

    private final SocketChannel socket;

    ShellChannel(SocketChannel socket) {
        this.socket = socket;
    }

    void send(ShellMessage message) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(message);
        }
        ByteBuffer frame = ByteBuffer.allocate(Integer.BYTES + bytes.size());
        frame.putInt(bytes.size()).put(bytes.toByteArray()).flip();
        synchronized (this) {
            while (frame.hasRemaining()) {
                socket.write(frame);
            }
        }
    }

    /** The next message; null if the other end has closed. */
    ShellMessage receive() throws IOException {
        ByteBuffer head = ByteBuffer.allocate(Integer.BYTES);
        ByteBuffer body = fill(head) ? ByteBuffer.allocate(head.getInt(0)) : null;
        if (body == null || !fill(body)) {
            return null;
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(body.array()))) {
            in.setObjectInputFilter(OURS);
            return (ShellMessage) in.readObject();
        } catch (ClassNotFoundException e) {
            throw new IOException("a message of another version of Brigade: " + e.getMessage(), e);
        }
    }

    private boolean fill(ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (socket.read(buffer) < 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
