package org.brigade.launch.hosts;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Mpjrun's connection to the agent of one host, which starts the ranks there. */
public final class AgentConnection {
    /** So long nothing is acknowledged by a host that counts as lost. */
    private static final long CUT_MILLIS = 3000;
    /** A connection is cut for about so long when the first look sees that bytes are sent again. */
    private static final long UNSEEN_MILLIS = 1000;
    private static final int MOST_GREETING = 1 << 16;
    private static final int MOST_CONNECTIONS = 1 << 14;
    private static final long END_MILLIS = 5000;
    /** So long nothing comes of a recording that is given up. */
    private static final long RECORDING_MILLIS = 10_000;
    private static final String CLOSED = "has closed its connection";
    /** The code of a job whose ranks cannot all be started. */
    private static final int NOT_STARTED = 2;

    private final String name;
    private final Process process;
    private final AgentFrames frames;
    private final ConnectionRelay relay;
    /** Where the rendezvous listens here. */
    private final int port;
    /** Where the console listens here; null: there is none. */
    private final SocketAddress console;
    /** By rank; none of ranks that are not traced. */
    private final Map<Integer, Recordings> recordings = new ConcurrentHashMap<>();
    /** Of ranks that have ended: recordings that are not here yet, and bytes that have come of any. */
    private int awaited;
    private boolean givesUp;
    private long recorded;
    private final Map<Integer, RemoteRank> ranks = new ConcurrentHashMap<>();
    private final Map<Integer, BlockingQueue<List<String>>> questions = new ConcurrentHashMap<>();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
    /** Ours and the agent's release and build. */
    private final String release;
    private final BlockingQueue<String> greeted = new LinkedBlockingQueue<>();
    private int asked;
    private volatile boolean heard;
    private volatile boolean isGreeted;
    private volatile boolean ends;
    private volatile boolean isLost;
    private final long patienceMillis;
    /** Looks in a row that have heard nothing, and those that have seen bytes sent again. */
    private long silent;
    private long cut;

    /**
     * Begins to talk with what has been started.
     *
     * @param port where the rendezvous listens here
     * @param console where the console listens here; null: there is none
     * @param patienceMillis for how long the host may say nothing
     */
    AgentConnection(String name, Process process, String release, int port, SocketAddress console,
        long patienceMillis) {
        this.console = console;
        this.patienceMillis = patienceMillis;
        this.name = name;
        this.process = process;
        this.release = release;
        this.port = port;
        frames = new AgentFrames(process.getOutputStream());
        relay = new ConnectionRelay(frames, true);
        daemon("host " + name, this::hear);
        daemon("messages of host " + name, this::passErrors);
    }

    static void daemon(String name, Runnable step) {
        Thread thread = new Thread(step, name);
        thread.setDaemon(true);
        thread.start();
    }

    public String name() {
        return name;
    }

    /**
     * Waits for the agent's greeting.
     *
     * @return null, or why there is none
     */
    String awaitGreeting(long millis) throws InterruptedException {
        String said = greeted.poll(Math.max(0, millis), TimeUnit.MILLISECONDS);
        return said == null ? "has not answered in time; see what takes it so long, or raise brigade.init.timeout"
            + " (seconds)" : said.isEmpty() ? null : said;
    }

    private void hear() {
        String why = CLOSED;
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(process.getInputStream()))) {
            String strange = greeting(in);
            if (strange == null) {
                isGreeted = true;
                heard = true;
                greeted.add("");
                AgentFrames.receive(in, this::take);
            } else {
                greeted.add(strange);
            }
        } catch (IOException | RuntimeException e) {
            why = e instanceof IOException && isLost ? why : "cannot be understood (" + e.getMessage() + ")";
        }
        lose(why);
    }

    /** Reads up to the greeting what a shell there says at its start; returns why there is none, or null. */
    private String greeting(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int bytes = 0; bytes < MOST_GREETING; bytes++) {
            int next = in.read();
            if (next < 0) {
                return AgentFailure.words(name, process, this::text);
            }
            if (next != '\n') {
                line.write(next);
                continue;
            }
            String said = line.toString(StandardCharsets.UTF_8);
            int at = said.indexOf(AgentFrames.GREETING);
            line.reset();
            if (at >= 0) {
                String its = said.substring(at + AgentFrames.GREETING.length());
                return its.equals(release) ? null : "has Brigade " + its + ", and here it is " + release
                    + "; give all hosts the same brigade.jar";
            }
        }
        return "says something else than Brigade's agent: its shell must be silent at its start";
    }

    private String text() {
        synchronized (errors) {
            return errors.toString(StandardCharsets.UTF_8);
        }
    }

    /** Shows what the host says outside frames; before the greeting it is kept, as it may be the reason for none. */
    private void passErrors() {
        byte[] bytes = new byte[1 << 12];
        try {
            InputStream in = process.getErrorStream();
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                if (isGreeted) {
                    System.err.write(bytes, 0, read);
                    System.err.flush();
                } else {
                    synchronized (errors) {
                        errors.write(bytes, 0, Math.min(read, MOST_GREETING - Math.min(errors.size(), MOST_GREETING)));
                    }
                }
            }
        } catch (IOException ended) {
            // with the process
        }
    }

    private void take(byte kind, DataInputStream payload, int bytes) throws IOException {
        heard = true;
        switch (kind) {
            case AgentFrames.OUTPUT -> {
                RemoteRank rank = ranks.get(payload.readInt());
                int stream = payload.readByte();
                rank.output(stream, payload.readAllBytes());
            }
            case AgentFrames.EXIT -> {
                RemoteRank rank = ranks.get(payload.readInt());
                int code = payload.readInt();
                hasRecorded(payload.readBoolean() ? 1 : 0, 0);
                rank.ended(code);
            }
            case AgentFrames.RECORDING -> {
                int rank = payload.readInt();
                recordings(rank).take(rank, payload.readAllBytes());
                hasRecorded(0, bytes);
            }
            case AgentFrames.RECORDED -> {
                int rank = payload.readInt();
                recordings(rank).end(rank, payload.readBoolean());
                hasRecorded(-1, 0);
            }
            case AgentFrames.FAILED -> {
                RemoteRank rank = ranks.get(payload.readInt());
                rank.gone(NOT_STARTED, "cannot be started on host " + name + ": "
                    + new String(payload.readAllBytes(), StandardCharsets.UTF_8));
            }
            case AgentFrames.TAKEN -> {
                RemoteRank rank = ranks.get(payload.readInt());
                payload.readByte();
                rank.input.give(payload.readInt());
            }
            case AgentFrames.ANSWER -> {
                BlockingQueue<List<String>> asker = questions.remove(payload.readInt());
                if (asker != null) {
                    asker.add(RankStart.texts(payload));
                }
            }
            case AgentFrames.OPEN -> open(payload.readInt(), payload.readInt());
            case AgentFrames.DATA -> relay.data(payload.readInt(), payload.readAllBytes());
            case AgentFrames.CLOSE -> relay.close(payload.readInt());
            case AgentFrames.BEAT -> {
                // it is heard
            }
            default -> throw new IOException("a frame of kind " + kind);
        }
    }

    private Recordings recordings(int rank) throws IOException {
        Recordings its = recordings.get(rank);
        if (its == null) {
            throw new IOException("a recording that is not asked for");
        }
        return its;
    }

    private synchronized void hasRecorded(int more, int bytes) {
        awaited += more;
        recorded += bytes;
        notifyAll();
    }

    /** Nobody waits for recordings any more. */
    synchronized void giveUpRecordings() {
        givesUp = true;
        notifyAll();
    }

    /** Waits for the recordings of ranks that have ended, as long as they come. */
    synchronized void awaitRecordings() throws InterruptedException {
        long deadline = System.nanoTime() + RECORDING_MILLIS * 1_000_000;
        long seen = recorded;
        while (awaited > 0 && !isLost && !givesUp && System.nanoTime() - deadline < 0) {
            wait(RECORDING_MILLIS);
            if (recorded > seen) {
                seen = recorded;
                deadline = System.nanoTime() + RECORDING_MILLIS * 1_000_000;
            }
        }
    }

    /** Ranks reach nothing here but the rendezvous and the console. */
    private void open(int number, int whom) throws IOException {
        if (whom == ConnectionRelay.CONSOLE && console == null) {
            throw new IOException("a rank asks for a console");
        }
        relay.open(number, whom == ConnectionRelay.CONSOLE ? console : ConnectionRelay.local(port));
    }

    /** Debuggers that come to a socket here reach a port of the host. */
    void relay(ServerSocketChannel debuggers, int there) {
        relay.accept(debuggers, MOST_CONNECTIONS, there);
    }

    /** Sends a frame; false if the host is lost. */
    boolean say(byte kind, AgentFrames.Filling filling) {
        try {
            frames.send(kind, filling);
            return true;
        } catch (IOException gone) {
            lose(CLOSED);
            return false;
        }
    }

    void job(AgentJob job) {
        say(AgentFrames.JOB, job::write);
    }

    /** Starts a rank there. @param its where its recording goes; null if it is not traced */
    RemoteRank start(RankStart start, Recordings its) {
        RemoteRank rank = new RemoteRank(start.rank(), this);
        ranks.put(start.rank(), rank);
        if (its != null) {
            recordings.put(start.rank(), its);
        }
        if (!say(AgentFrames.START, start::write) || isLost) {
            lost(rank, CLOSED);
        }
        return rank;
    }

    /**
     * Asks the agent.
     *
     * @param rank whom the question is about; -1: all of the host
     * @return no lines if the host is lost, or does not answer in time
     */
    List<String> ask(AgentFrames.Question question, int rank, long millis) throws InterruptedException {
        BlockingQueue<List<String>> answer = new LinkedBlockingQueue<>();
        int number;
        synchronized (questions) {
            number = ++asked;
        }
        questions.put(number, answer);
        boolean said = !isLost && say(AgentFrames.ASK, payload -> {
            payload.writeInt(number);
            payload.writeByte(question.ordinal());
            payload.writeInt(rank);
        });
        List<String> lines = said ? answer.poll(millis, TimeUnit.MILLISECONDS) : null;
        questions.remove(number);
        return lines == null ? List.of() : lines;
    }

    /**
     * Called each {@link AgentFrames#BEAT_MILLIS}. Looks are counted, not time: if mpjrun itself stood still, the host
     * had no time to be heard.
     */
    void look() {
        silent = heard || !isGreeted || isLost ? 0 : silent + 1;
        heard = false;
        cut = silent > 0 && AgentSockets.sendAgain(process) ? cut + 1 : 0;
        if (cut * AgentFrames.BEAT_MILLIS >= CUT_MILLIS - UNSEEN_MILLIS) {
            lose("has acknowledged nothing for " + CUT_MILLIS / 1000 + " s: it is down, or the network to it");
        } else if (silent * AgentFrames.BEAT_MILLIS >= patienceMillis) {
            lose("has not answered for " + patienceMillis / 1000 + " s (brigade.host.patience)");
        }
    }

    void beat() {
        if (isGreeted && !isLost && !ends) {
            say(AgentFrames.BEAT, payload -> {});
        }
    }

    /** The host's ranks are gone, as far as anybody here will hear. */
    private void lose(String why) {
        synchronized (this) {
            if (isLost) {
                return;
            }
            isLost = true;
            notifyAll();
        }
        greeted.add(why);
        relay.end();
        process.destroyForcibly();
        for (RemoteRank rank : ranks.values()) {
            lost(rank, why);
        }
        for (BlockingQueue<List<String>> asker : questions.values()) {
            asker.add(List.of());
        }
    }

    private void lost(RemoteRank rank, String why) {
        rank.gone(RemoteRank.LOST, "is lost with its host " + name + ", which " + why);
    }

    /** The job has ended: the agent ends, too. */
    void end() {
        ends = true;
        if (isGreeted && !isLost) {
            say(AgentFrames.END, payload -> {});
        }
        try {
            process.getOutputStream().close();
        } catch (IOException closed) {
            // it is closed all the same
        }
    }

    /** Waits until what was started for this host has ended; it is killed if it does not. */
    void awaitEnd() throws InterruptedException {
        if (!process.waitFor(isGreeted ? END_MILLIS : 0, TimeUnit.MILLISECONDS)) {
            process.destroyForcibly();
        }
    }
}
