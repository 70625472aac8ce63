package org.brigade.aggregation.aggregator;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.brigade.aggregation.process.AggregatorHandshake;
import org.brigade.aggregation.process.FrameChannel;
import org.brigade.aggregation.process.SocketCarrier;
import org.brigade.bootstrap.secret.Handshake;

/** Connections by TCP, from peers that have the secret. */
final class SocketAcceptor implements Acceptor {
    private static final long AGAIN_NANOS = 200_000_000;

    private final InetSocketAddress parent;
    private final byte[] secret;
    private final Selector selector;
    private final ServerSocketChannel server;
    private final SelectionKey listening;
    /** When to try again, while this system cannot accept connections; else 0. */
    private long again;

    /**
     * Listens from now on.
     *
     * @param listen address for members and other aggregators
     * @param parent the parent aggregator; null for a root
     * @param secret that both ends of every connection must have
     */
    SocketAcceptor(InetSocketAddress listen, InetSocketAddress parent, byte[] secret) throws IOException {
        this.parent = parent;
        this.secret = secret;
        selector = Selector.open();
        server = ServerSocketChannel.open();
        server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        server.bind(listen);
        server.configureBlocking(false);
        listening = server.register(selector, SelectionKey.OP_ACCEPT);
    }

    InetSocketAddress address() throws IOException {
        return (InetSocketAddress) server.getLocalAddress();
    }

    @Override
    public void look(Handler house, long millis) throws IOException {
        if (again != 0 && System.nanoTime() - again > 0) {
            again = 0;
            listening.interestOps(SelectionKey.OP_ACCEPT);
        }
        selector.select(millis);
        for (SelectionKey key : selector.selectedKeys()) {
            if (key.isValid() && key.isAcceptable()) {
                accept(house);
            } else if (key.isValid()) {
                house.serve((FrameChannel) key.attachment());
            }
        }
        selector.selectedKeys().clear();
    }

    private void accept(Handler house) {
        SocketChannel channel = null;
        FrameChannel frames = null;
        try {
            channel = server.accept();
            if (channel != null) {
                frames = frames(new SocketCarrier(channel, (InetSocketAddress) channel.getRemoteAddress()),
                    AggregatorHandshake.ofServer(secret));
            }
        } catch (IOException e) {
            house.refused(e.getMessage());
            if (channel == null) { // too many open files: peers go on waiting to be accepted
                again = System.nanoTime() + AGAIN_NANOS;
                listening.interestOps(0);
            } else {
                close(channel);
            }
        }
        if (frames != null && !house.enter(frames)) {
            frames.close();
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // the channel closes it
        }
    }

    private FrameChannel frames(SocketCarrier carrier, Handshake handshake) throws IOException {
        FrameChannel frames = new FrameChannel(carrier, handshake);
        carrier.selectedBy(carrier.channel().register(selector, 0, frames));
        carrier.awaitRoom(false);
        return frames;
    }

    @Override
    public String above() {
        return parent == null ? null : parent.getHostString() + ":" + parent.getPort();
    }

    @Override
    public FrameChannel climb() throws IOException {
        return frames(SocketCarrier.to(parent), AggregatorHandshake.ofClient(secret));
    }

    @Override
    public boolean hasEnded() {
        return false;
    }

    @Override
    public void wake() {
        selector.wakeup();
    }

    @Override
    public void close() {
        try {
            server.close();
            selector.close();
        } catch (IOException e) {
            // their channels close them
        }
    }
}
