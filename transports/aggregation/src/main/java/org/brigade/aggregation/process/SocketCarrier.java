package org.brigade.aggregation.process;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;

/** Frames over TCP. */
public final class SocketCarrier implements Carrier {
    /** A host that vanishes silently is noticed after a minute and six probes, not after the system's two hours. */
    private static final int KEEP_IDLE_SECONDS = 60;
    private static final int KEEP_INTERVAL_SECONDS = 10;
    private static final int KEEP_COUNT = 6;

    private final SocketChannel channel;
    private final String peer;
    /** Null without a selector. */
    private SelectionKey key;

    /** Over a connection that exists or is being made. */
    public SocketCarrier(SocketChannel channel, InetSocketAddress peer) throws IOException {
        this.channel = channel;
        this.peer = peer == null ? "somewhere" : peer.getHostString() + ":" + peer.getPort();
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        if (channel.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
            channel.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, KEEP_IDLE_SECONDS);
            channel.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, KEEP_INTERVAL_SECONDS);
            channel.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, KEEP_COUNT);
        }
    }

    /**
     * Begins to connect.
     *
     * @throws IOException if there is no such host, or the connection is refused at once
     */
    public static SocketCarrier to(InetSocketAddress address) throws IOException {
        if (address.isUnresolved()) {
            throw new IOException("there is no such host");
        }
        SocketChannel channel = SocketChannel.open();
        try {
            SocketCarrier carrier = new SocketCarrier(channel, address);
            channel.connect(address);
            return carrier;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw unreachable(e);
        }
    }

    private static IOException unreachable(Exception e) {
        return new IOException(e instanceof ConnectException ? e.getMessage()
            + ": no process listens there; start brigade aggregator --listen on that host, or correct"
            + " brigade.aggregation"
            : e.getMessage());
    }

    public SocketChannel channel() {
        return channel;
    }

    /** From now on the key's interest is updated. */
    public void selectedBy(SelectionKey key) {
        this.key = key;
    }

    @Override
    public boolean connected() throws IOException {
        try {
            return channel.isConnected() || channel.finishConnect();
        } catch (ConnectException e) {
            throw unreachable(e);
        }
    }

    @Override
    public String peer() {
        return peer;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return channel.read(target);
    }

    @Override
    public void write(ByteBuffer... parts) throws IOException {
        channel.write(parts);
    }

    @Override
    public void awaitRoom(boolean wanted) {
        if (key != null && key.isValid()) {
            key.interestOps(!channel.isConnected() ? SelectionKey.OP_CONNECT
                : wanted ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
        }
    }

    @Override
    public void close() {
        if (key != null) {
            key.cancel();
        }
        try {
            channel.close();
        } catch (IOException e) {
            // the channel closes it
        }
    }
}
