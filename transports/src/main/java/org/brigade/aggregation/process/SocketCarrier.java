package org.brigade.aggregation.process;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/** Frames over TCP. */
final class SocketCarrier implements Carrier {
    private final SocketChannel channel;
    /** Null if nobody selects. */
    private SelectionKey key;

    /** Over a connection that is there or in the making. */
    SocketCarrier(SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    }

    /**
     * Begins to connect.
     *
     * @throws IOException if there is no such host, or the connection is refused at once
     */
    static SocketCarrier to(InetSocketAddress address) throws IOException {
        if (address.isUnresolved()) {
            throw new IOException("no such host");
        }
        SocketChannel channel = SocketChannel.open();
        try {
            SocketCarrier carrier = new SocketCarrier(channel);
            channel.connect(address);
            return carrier;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e instanceof IOException refused ? refused : new IOException(e.getMessage());
        }
    }

    SocketChannel channel() {
        return channel;
    }

    /** From now on interest follows what there is to do. */
    void selectedBy(SelectionKey key) {
        this.key = key;
    }

    @Override
    public boolean connected() throws IOException {
        return channel.isConnected() || channel.finishConnect();
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
            key.interestOps(!channel.isConnected() ? SelectionKey.OP_CONNECT : wanted ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
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
            // it is closed for us
        }
    }
}
