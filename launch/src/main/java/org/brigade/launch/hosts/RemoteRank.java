package org.brigade.launch.hosts;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;

/** A rank that an agent has started: a process like those of this machine, but for its number. */
public final class RemoteRank extends Process {
    private static final int NO_CODE = Integer.MIN_VALUE;
    /** Of a rank whose host is lost: as if it was killed. */
    static final int LOST = 128 + 9;

    private final int rank;
    private final AgentConnection host;
    private final RemoteStream[] streams = new RemoteStream[2];
    final StreamWindow input = new StreamWindow();
    private int code = NO_CODE;
    private String fate;

    RemoteRank(int rank, AgentConnection host) {
        this.rank = rank;
        this.host = host;
        for (byte i = 0; i < streams.length; i++) {
            byte stream = i;
            streams[i] = new RemoteStream(bytes -> host.say(AgentFrames.TAKEN, payload -> {
                payload.writeInt(rank);
                payload.writeByte(stream);
                payload.writeInt(bytes);
            }));
        }
    }

    int rank() {
        return rank;
    }

    /** The agent of its host. */
    public AgentConnection host() {
        return host;
    }

    void output(int stream, byte[] bytes) {
        if (bytes.length == 0) {
            streams[stream].end();
        } else {
            streams[stream].add(bytes);
        }
    }

    synchronized void ended(int its) {
        if (code == NO_CODE) {
            code = its;
            input.close();
            notifyAll();
        }
    }

    /** It is gone, unless it has ended before: with its host, or as it could not be started. */
    void gone(int its, String why) {
        synchronized (this) {
            fate = code == NO_CODE ? why : fate;
        }
        ended(its);
        streams[0].end();
        streams[1].end();
    }

    /** Why it is gone, in words that follow its name; null if its process has ended, or runs. */
    public synchronized String fate() {
        return fate;
    }

    /** Waits until so many bytes of its input may be sent, and sends them; false if nobody reads them any more. */
    public boolean feed(byte[] bytes, int length) throws InterruptedException {
        return input.take(length) && host.say(AgentFrames.INPUT, payload -> {
            payload.writeInt(rank);
            payload.write(bytes, 0, length);
        });
    }

    @Override
    public OutputStream getOutputStream() {
        throw new UnsupportedOperationException("a rank on another host gets its input by feed");
    }

    @Override
    public InputStream getInputStream() {
        return streams[0];
    }

    @Override
    public InputStream getErrorStream() {
        return streams[1];
    }

    @Override
    public synchronized int waitFor() throws InterruptedException {
        while (code == NO_CODE) {
            wait();
        }
        return code;
    }

    @Override
    public synchronized boolean waitFor(long time, TimeUnit unit) throws InterruptedException {
        long deadline = System.nanoTime() + unit.toNanos(time);
        long left = unit.toNanos(time);
        while (code == NO_CODE && left > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
            left = deadline - System.nanoTime();
        }
        return code != NO_CODE;
    }

    @Override
    public synchronized int exitValue() {
        if (code == NO_CODE) {
            throw new IllegalThreadStateException("it runs");
        }
        return code;
    }

    @Override
    public synchronized boolean isAlive() {
        return code == NO_CODE;
    }

    @Override
    public void destroy() {
        signal(false);
    }

    @Override
    public Process destroyForcibly() {
        signal(true);
        return this;
    }

    private void signal(boolean kills) {
        if (isAlive()) {
            host.say(AgentFrames.SIGNAL, payload -> {
                payload.writeInt(rank);
                payload.writeBoolean(kills);
            });
        }
    }
}
