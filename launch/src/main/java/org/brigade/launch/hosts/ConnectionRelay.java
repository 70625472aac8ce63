package org.brigade.launch.hosts;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Carries connections of ranks to the rendezvous in the frames between an agent and mpjrun: no host needs an address
 * that the others reach. What passes is proved with the job's secret at both ends of a connection, not here. The relay
 * of an agent listens, that of mpjrun connects.
 */
public final class RendezvousRelay {
    private static final int PART = 1 << 15;
    private static final byte[] END = new byte[0];

    /** One connection here. */
    private final class Line {
        private final int number;
        private final Socket socket;
        /** What is to be written: a rank that stands still must not keep the others' frames waiting. */
        private final LinkedBlockingQueue<byte[]> parts = new LinkedBlockingQueue<>();

        Line(int number, Socket socket) {
            this.number = number;
            this.socket = socket;
        }

        void start() {
            daemon("to the rendezvous " + number, this::pass);
            daemon("from the rendezvous " + number, this::write);
        }

        private void pass() {
            byte[] bytes = new byte[PART];
            try {
                socket.setTcpNoDelay(true);
                InputStream in = socket.getInputStream();
                for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                    frames.send(AgentFrames.DATA, number, bytes, read);
                }
            } catch (IOException ended) {
                // as at its end
            }
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
                    socket.getOutputStream().write(part);
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
                socket.close();
            } catch (IOException closed) {
                // it is closed all the same
            }
        }
    }

    private final AgentFrames frames;
    private final Map<Integer, Line> lines = new ConcurrentHashMap<>();
    private int last;

    public RendezvousRelay(AgentFrames frames) {
        this.frames = frames;
    }

    /** Takes connections of this host's ranks; at most so many at a time. */
    public void accept(ServerSocket listening, int most) {
        daemon("rendezvous", () -> {
            try {
                while (true) {
                    Socket socket = listening.accept();
                    if (lines.size() >= most) {
                        socket.close();
                    } else {
                        int number = ++last;
                        frames.send(AgentFrames.OPEN, number, END, 0);
                        start(new Line(number, socket));
                    }
                }
            } catch (IOException ended) {
                // with the agent
            }
        });
    }

    /** Connects another rank to what listens here. */
    void open(int number, int port) throws IOException {
        start(new Line(number, new Socket(InetAddress.getLoopbackAddress(), port)));
    }

    private void start(Line line) {
        lines.put(line.number, line);
        line.start();
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
