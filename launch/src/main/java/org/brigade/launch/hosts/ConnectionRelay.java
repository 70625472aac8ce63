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
 * Carries connections in the frames between an agent and mpjrun: those of ranks to the rendezvous, which mpjrun has,
 * and those of debuggers to ranks. So no host needs an address that the others reach. What passes to the rendezvous is
 * proved with the job's secret at both ends of a connection, not here.
 */
public final class ConnectionRelay {
    private static final int PART = 1 << 15;
    private static final byte[] END = new byte[0];
    /** A JVM that is to be debugged listens some time after it has been started. */
    private static final int TRIES = 100;
    private static final long TRY_MILLIS = 100;

    /** One connection here. */
    private final class Line {
        private final int number;
        /** Null until it is connected. */
        private volatile Socket socket;
        /** What is to be written: a rank that stands still must not keep the others' frames waiting. */
        private final LinkedBlockingQueue<byte[]> parts = new LinkedBlockingQueue<>();

        Line(int number, Socket socket) {
            this.number = number;
            this.socket = socket;
        }

        /** @param port where to connect to; 0 if it is connected */
        void start(int port) {
            lines.put(number, this);
            daemon("to connection " + number, () -> {
                if (port == 0 || connects(port)) {
                    daemon("from connection " + number, this::write);
                    pass();
                }
                leave();
            });
        }

        private boolean connects(int port) {
            for (int i = 0; i < TRIES && lines.containsKey(number); i++) {
                try {
                    Socket its = new Socket(InetAddress.getLoopbackAddress(), port);
                    socket = its;
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
                socket.setTcpNoDelay(true);
                InputStream in = socket.getInputStream();
                for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
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
                Socket its = socket;
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
     * @param port where the other end connects them to; 0: to the rendezvous
     */
    public void accept(ServerSocket listening, int most, int port) {
        daemon("connections", () -> {
            try {
                while (true) {
                    Socket socket = listening.accept();
                    if (lines.size() >= most) {
                        socket.close();
                    } else {
                        int number = next();
                        frames.send(AgentFrames.OPEN, payload -> {
                            payload.writeInt(number);
                            payload.writeInt(port);
                        });
                        new Line(number, socket).start(0);
                    }
                }
            } catch (IOException ended) {
                // with the agent
            }
        });
    }

    private synchronized int next() {
        last += step;
        return last;
    }

    /** Connects what the other end has taken to what listens here. */
    public void open(int number, int port) {
        new Line(number, null).start(port);
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
