package org.brigade.aggregation.process;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Connections by TCP, from those that have the secret. */
final class SocketDoor implements Door {
    private final InetSocketAddress parent;
    private final byte[] secret;
    private final Selector selector;
    private final ServerSocketChannel server;
    private final SelectionKey listening;

    /**
     * Listens from now on.
     *
     * @param listen where members and other aggregators reach this one
     * @param parent the aggregator above; null for a root
     * @param secret that both ends of every connection must have
     */
    SocketDoor(InetSocketAddress listen, InetSocketAddress parent, byte[] secret) throws IOException {
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
    public void look(House house, long millis) throws IOException {
        if (listening.interestOps() == 0 && !house.isCrowded()) {
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

    private void accept(House house) {
        if (house.isCrowded()) {
            listening.interestOps(0); // they wait until those before them have proved something, or been thrown out
            return;
        }
        try {
            SocketChannel channel = server.accept();
            if (channel != null) {
                FrameChannel frames = frames(new SocketCarrier(channel), Handshake.ofServer(secret));
                if (!house.enter(frames)) {
                    frames.close();
                }
            }
        } catch (IOException e) {
            house.refused(e.getMessage());
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
        return parent == null ? null : parent.toString();
    }

    @Override
    public FrameChannel climb() throws IOException {
        return frames(SocketCarrier.to(parent), Handshake.ofClient(secret));
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
            // they are closed for us
        }
    }
}
