package org.brigade.bootstrap.rendezvous;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import org.brigade.bootstrap.secret.Handshake;

/** The meeting point's end of one connection. Nothing blocks; a stranger has a few hundred bytes of memory. */
final class MemberLine {
    private final SocketChannel channel;
    private final SelectionKey key;
    private final Handshake handshake;
    private final ArrayDeque<ByteBuffer> out = new ArrayDeque<>();
    private ByteBuffer in;
    final long since = System.nanoTime();
    /** Null until it has joined. */
    Frames.Join join;
    byte state = Frames.RUNS;
    /** Whether nothing is taken any more, and nothing follows what is written. */
    private boolean refused;

    /** Receives a whole frame. */
    interface Receiver {
        void frame(MemberLine from, byte kind, ByteBuffer payload) throws IOException;
    }

    MemberLine(SocketChannel channel, SelectionKey key, byte[] secret) {
        this.channel = channel;
        this.key = key;
        handshake = Handshake.ofServer(Frames.PROTOCOL, secret);
        in = ByteBuffer.allocate(handshake.awaits());
    }

    /** Where the other end is. */
    String peer() {
        try {
            return channel.getRemoteAddress() instanceof InetSocketAddress its ? its.getAddress().getHostAddress()
                : "?";
        } catch (IOException closed) {
            return "?";
        }
    }

    /**
     * Takes what has come.
     *
     * @throws IOException if the connection has ended, or the other end is refused, with the reason
     */
    void read(Receiver receiver) throws IOException {
        while (true) {
            if (refused) {
                in.clear(); // what it sends now is thrown away, up to its end
            }
            int bytes = channel.read(in);
            if (bytes < 0) {
                throw new IOException(handshake.awaits() > 0 ? handshake.closed() : "it was closed");
            }
            if (bytes == 0 || in.hasRemaining()) {
                return;
            }
            if (handshake.awaits() > 0) {
                greet();
            } else if (!refused) {
                take(receiver);
            }
        }
    }

    private void greet() throws IOException {
        try {
            send(ByteBuffer.wrap(handshake.answer(in.array())));
        } catch (Handshake.Refused e) {
            throw new IOException(e.getMessage());
        }
        in = ByteBuffer.allocate(handshake.awaits() > 0 ? handshake.awaits() : Frames.HEADER);
    }

    private void take(Receiver receiver) throws IOException {
        int payload = in.getInt(0);
        if (payload < 0 || payload > (join == null ? Frames.MOST_JOIN : Frames.MOST_BYTES)) {
            throw new IOException("it announces a frame of " + payload + " bytes");
        }
        if (in.capacity() < Frames.HEADER + payload) {
            in = ByteBuffer.allocate(Frames.HEADER + payload).put(in.flip());
            return;
        }
        ByteBuffer whole = in;
        in = ByteBuffer.allocate(Frames.HEADER);
        receiver.frame(this, whole.get(Frames.HEADER - 1), whole.position(Frames.HEADER));
    }

    /** Queues a frame; several lines may have the same. */
    void send(ByteBuffer frame) throws IOException {
        if (frame.hasRemaining()) {
            out.add(frame.duplicate());
            write();
        }
    }

    /** Sends why it is refused, and nothing more. */
    void refuse(String sentence) throws IOException {
        send(Frames.failed(sentence));
        end();
    }

    /** Lets the other end read what was sent; nothing more follows. */
    void end() throws IOException {
        refused = true;
        write();
    }

    void write() throws IOException {
        while (!out.isEmpty()) {
            channel.write(out.peek());
            if (out.peek().hasRemaining()) {
                key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
                return;
            }
            out.remove();
        }
        key.interestOps(SelectionKey.OP_READ);
        if (refused) {
            channel.shutdownOutput();
        }
    }

    boolean isRefused() {
        return refused;
    }

    boolean hasWritten() {
        return out.isEmpty();
    }

    void close() {
        try {
            channel.close();
        } catch (IOException closed) {
            // it is closed all the same
        }
    }
}
