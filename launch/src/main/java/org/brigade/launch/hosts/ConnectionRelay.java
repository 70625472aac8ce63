package org.brigade.launch.hosts;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Carries connections in the frames between an agent and mpjrun: those of ranks to the rendezvous, which mpjrun has,
 * those of debuggers to ranks, and those of a shell's ranks to its console. So no host needs an address that the others
 * reach. What passes to the rendezvous is proved with the job's secret at both ends of a connection, not here. The
 * console's connections begin and end at sockets that only the user can reach.
 */
public final class ConnectionRelay {
    /** In place of the port of a rank: mpjrun connects to the rendezvous, or to the console. */
    public static final int RENDEZVOUS = 0;
    public static final int CONSOLE = -1;

    private static final int PART = 1 << 15;
    private static final byte[] END = new byte[0];
    /** A JVM that is to be debugged listens some time after it has been started. */
    private static final int TRIES = 100;
    private static final long TRY_MILLIS = 100;

    /** One connection here. */
    private final class Line {
        private final int number;
        /** Null until it is connected. */
        private volatile SocketChannel socket;
        /** What is to be written: a rank that stands still must not keep the others' frames waiting. */
        private final LinkedBlockingQueue<byte[]> parts = new LinkedBlockingQueue<>();

        Line(int number, SocketChannel socket) {
            this.number = number;
            this.socket = socket;
        }

        /** @param to where to connect to; null if it is connected */
        void start(SocketAddress to) {
            lines.put(number, this);
            daemon("to connection " + number, () -> {
                if (to == null || connects(to)) {
                    daemon("from connection " + number, this::write);
                    pass();
                }
                leave();
            });
        }

        private boolean connects(SocketAddress to) {
            for (int i = 0; i < TRIES && lines.containsKey(number); i++) {
                try {
                    socket = SocketChannel.open(to);
                    return true;
                } catch (IOException notYet) {
                    try {
                        Thread.sleep(TRY_MILLIS);
                    } catch (InterruptedException e) {
                        return false;
                    }
                }
            }
            return false;
        }

        private void pass() {
            byte[] bytes = new byte[PART];
            try {
                if (socket.getRemoteAddress() instanceof InetSocketAddress) {
                    socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
                }
                ByteBuffer in = ByteBuffer.wrap(bytes);
                for (int read = socket.read(in); read >= 0; read = socket.read(in.clear())) {
                    frames.send(AgentFrames.DATA, number, bytes, read);
                }
            } catch (IOException ended) {
                // as at its end
            }
        }

        private void leave() {
            end();
            try {
                frames.send(AgentFrames.CLOSE, number, END, 0);
            } catch (IOException gone) {
                // so are all connections
            }
        }

        private void write() {
            try {
                for (byte[] part = parts.take(); part != END; part = parts.take()) {
                    for (ByteBuffer out = ByteBuffer.wrap(part); out.hasRemaining();) {
                        socket.write(out);
                    }
                }
                socket.shutdownOutput();
            } catch (IOException | InterruptedException ended) {
                end();
            }
        }

        void end() {
            lines.remove(number);
            parts.add(END);
            try {
                SocketChannel its = socket;
                if (its != null) {
                    its.close();
                }
            } catch (IOException closed) {
                // it is closed all the same
            }
        }
    }

    private final AgentFrames frames;
    private final Map<Integer, Line> lines = new ConcurrentHashMap<>();
    /** The two ends give their connections numbers of different signs. */
    private final int step;
    private int last;

    /** @param mpjruns whether it is mpjrun's end, not an agent's */
    public ConnectionRelay(AgentFrames frames, boolean mpjruns) {
        this.frames = frames;
        step = mpjruns ? -1 : 1;
    }

    /**
     * Takes connections here, at most so many at a time.
     *
     * @param port where the other end connects them to
     */
    public void accept(ServerSocketChannel listening, int most, int port) {
        daemon("connections", () -> {
            try {
                while (true) {
                    SocketChannel socket = listening.accept();
                    if (lines.size() >= most) {
                        socket.close();
                    } else {
                        take(socket, port);
                    }
                }
            } catch (IOException ended) {
                // with the agent
            }
        });
    }

    /** Takes so many connections here, then does something. */
    public void accept(ServerSocketChannel listening, int count, int port, Runnable then) {
        daemon("connections", () -> {
            try {
                for (int taken = 0; taken < count; taken++) {
                    take(listening.accept(), port);
                }
            } catch (IOException ended) {
                // with the agent
            }
            then.run();
        });
    }

    private void take(SocketChannel socket, int port) throws IOException {
        int number = next();
        frames.send(AgentFrames.OPEN, payload -> {
            payload.writeInt(number);
            payload.writeInt(port);
        });
        new Line(number, socket).start(null);
    }

    private synchronized int next() {
        last += step;
        return last;
    }

    /** Connects what the other end has taken to what listens here. */
    public void open(int number, SocketAddress to) {
        new Line(number, null).start(to);
    }

    /** The address of a port that only this host reaches. */
    public static SocketAddress local(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Passes on what has come. */
    public void data(int number, byte[] bytes) {
        Line line = lines.get(number);
        if (line != null && bytes.length > 0) {
            line.parts.add(bytes);
        }
    }

    /** The other end of a connection has been closed: what has come is written before this one is. */
    public void close(int number) {
        Line line = lines.get(number);
        if (line != null) {
            line.parts.add(END);
        }
    }

    /** Ends all. */
    void end() {
        lines.values().forEach(Line::end);
    }

    private static void daemon(String name, Runnable step) {
        Thread thread = new Thread(null, step, name, 1 << 17);
        thread.setDaemon(true);
        thread.start();
    }
}
