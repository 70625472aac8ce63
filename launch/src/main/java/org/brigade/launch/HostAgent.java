package org.brigade.launch;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.brigade.launch.hosts.AgentFrames;
import org.brigade.launch.hosts.AgentFrames.Question;
import org.brigade.launch.hosts.AgentJob;
import org.brigade.launch.hosts.ConnectionRelay;
import org.brigade.launch.hosts.ConsoleSocket;
import org.brigade.launch.hosts.HostAgents;
import org.brigade.launch.hosts.RankStart;
import org.brigade.launch.hosts.Recordings;
import org.brigade.launch.hosts.StreamWindow;
import org.brigade.launch.options.Binding;
import org.brigade.process.NamelessFile;
import org.brigade.process.ProcessWatch;
import org.brigade.transport.shm.StaleSegments;

/**
 * The main class of the process that mpjrun starts on each host, by ssh or another command. It starts the ranks of its
 * host, passes on what they say, and says when they end; what follows from that is decided by mpjrun. The end of its
 * standard input means that mpjrun or the network is gone: all ranks are killed.
 */
public final class HostAgent {
    /** So long nothing is heard of mpjrun, which may stand still: then it counts as gone. */
    private static final long SILENCE_MILLIS = 30_000;
    private static final long ENDING_MILLIS = 20_000;
    private static final int STRANGERS = 64;
    private static final int PART = 1 << 14;
    private static final String[] SECRET_FOLDERS = {"/dev/shm", System.getProperty("java.io.tmpdir")};
    private static final String OURS = "BRIGADE_";

    private final AgentFrames frames;
    private final ConnectionRelay relay;
    private final SharedStream messages = new SharedStream(FileDescriptor.err, false);
    private final Map<Integer, HostRank> ranks = new ConcurrentHashMap<>();
    private AgentJob job;
    private LocalRanks place;
    private NamelessFile secret;
    private int port;
    /** Null if the job has no console. */
    private volatile ConsoleSocket console;
    private RankEnvironment environment;
    private volatile boolean heard;
    private volatile boolean over;

    /** A rank of this host. */
    private final class HostRank {
        final int number;
        final String trace;
        final Process process;
        final LinkedBlockingQueue<byte[]> input = new LinkedBlockingQueue<>();
        final StreamWindow[] windows = {new StreamWindow(), new StreamWindow()};

        HostRank(int number, String trace, Process process) {
            this.number = number;
            this.trace = trace;
            this.process = process;
        }

        void start(RankStart how) {
            daemon("output of rank " + number, () -> pass(0, process.getInputStream()));
            if (!how.joined()) {
                daemon("errors of rank " + number, () -> pass(1, process.getErrorStream()));
            }
            if (how.fed()) {
                daemon("input of rank " + number, this::feed);
            }
            daemon("end of rank " + number, this::watch);
        }

        private void pass(int stream, InputStream in) {
            byte[] bytes = new byte[PART];
            try {
                for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                    windows[stream].take(read);
                    say(stream, bytes, read);
                }
            } catch (IOException | InterruptedException ended) {
                // as at its end
            }
            say(stream, bytes, 0);
        }

        private void say(int stream, byte[] bytes, int length) {
            tell(AgentFrames.OUTPUT, payload -> {
                payload.writeInt(number);
                payload.writeByte(stream);
                payload.write(bytes, 0, length);
            });
        }

        private void feed() {
            try (OutputStream out = process.getOutputStream()) {
                for (byte[] part = input.take(); part.length > 0; part = input.take()) {
                    out.write(part);
                    out.flush();
                    int taken = part.length;
                    tell(AgentFrames.TAKEN, payload -> {
                        payload.writeInt(number);
                        payload.writeByte(0);
                        payload.writeInt(taken);
                    });
                }
            } catch (IOException | InterruptedException ended) {
                // it reads no more
            }
        }

        private void watch() {
            try {
                int code = process.waitFor();
                boolean recorded = hasRecording();
                tell(AgentFrames.EXIT, payload -> {
                    payload.writeInt(number);
                    payload.writeInt(code);
                    payload.writeBoolean(recorded);
                });
                if (recorded) {
                    boolean whole = sendRecording();
                    tell(AgentFrames.RECORDED, payload -> {
                        payload.writeInt(number);
                        payload.writeBoolean(whole);
                    });
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private boolean hasRecording() {
            try {
                return Recordings.areLeft(trace, job.key(), number);
            } catch (IOException | RuntimeException e) { // the rank's end must be told all the same
                return isLost(e);
            }
        }

        private boolean sendRecording() {
            try {
                Recordings.send(trace, number, frames);
                return true;
            } catch (IOException | RuntimeException e) {
                return isLost(e);
            }
        }

        private boolean isLost(Exception why) {
            System.err.println("mpjrun: the recording of rank " + number + " is lost: " + why);
            return false;
        }
    }

    private HostAgent(OutputStream out) {
        frames = new AgentFrames(out);
        relay = new ConnectionRelay(frames, false);
    }

    /** No arguments: all comes through standard input. */
    public static void main(String[] line) throws IOException {
        FileOutputStream out = new FileOutputStream(FileDescriptor.out);
        System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.err), true)); // for whatever prints
        out.write((AgentFrames.GREETING + HostAgents.release() + "\n").getBytes(StandardCharsets.UTF_8));
        HostAgent agent = new HostAgent(out);
        try {
            agent.daemon("silence of mpjrun", agent::watch);
            AgentFrames.receive(
                new DataInputStream(new BufferedInputStream(new FileInputStream(FileDescriptor.in), PART)),
                agent::take);
        } catch (IOException | RuntimeException e) {
            if (!agent.over) {
                System.err.println("mpjrun: the agent of this host cannot go on: " + e);
            }
        }
        agent.end();
    }

    private static void start(String name, Runnable step) {
        Thread thread = new Thread(null, step, name, 1 << 17);
        thread.setDaemon(true);
        thread.start();
    }

    private void daemon(String name, Runnable step) {
        start(name, step);
    }

    /** Says that this host is there, and ends if mpjrun is not. Looks are counted, as both may stand still. */
    private void watch() {
        int silent = 0;
        try {
            while (true) {
                Thread.sleep(AgentFrames.BEAT_MILLIS);
                frames.send(AgentFrames.BEAT);
                silent = heard ? 0 : silent + 1;
                heard = false;
                if (silent * AgentFrames.BEAT_MILLIS >= SILENCE_MILLIS) {
                    break;
                }
            }
        } catch (IOException | InterruptedException gone) {
            // so is mpjrun
        }
        end();
    }

    private void tell(byte kind, AgentFrames.Filling filling) {
        try {
            frames.send(kind, filling);
        } catch (IOException gone) {
            end();
        }
    }

    private void take(byte kind, DataInputStream payload, int bytes) throws IOException {
        heard = true;
        switch (kind) {
            case AgentFrames.JOB -> open(AgentJob.read(payload));
            case AgentFrames.START -> start(RankStart.read(payload));
            case AgentFrames.INPUT -> {
                HostRank rank = ranks.get(payload.readInt());
                if (rank != null) {
                    rank.input.add(payload.readAllBytes());
                }
            }
            case AgentFrames.SIGNAL -> {
                HostRank rank = ranks.get(payload.readInt());
                if (rank != null && payload.readBoolean()) {
                    place.kill(rank.process);
                } else if (rank != null) {
                    place.ask(rank.process);
                }
            }
            case AgentFrames.TAKEN -> {
                HostRank rank = ranks.get(payload.readInt());
                int stream = payload.readByte();
                rank.windows[stream].give(payload.readInt());
            }
            case AgentFrames.ASK -> ask(payload.readInt(), Question.values()[payload.readByte()], payload.readInt());
            case AgentFrames.OPEN -> relay.open(payload.readInt(), ConnectionRelay.local(payload.readInt()));
            case AgentFrames.DATA -> relay.data(payload.readInt(), payload.readAllBytes());
            case AgentFrames.CLOSE -> relay.close(payload.readInt());
            case AgentFrames.END -> end();
            case AgentFrames.BEAT -> {
                // it is heard
            }
            default -> throw new IOException("a frame of kind " + kind);
        }
    }

    private void open(AgentJob its) throws IOException {
        job = its;
        if (job.secret().length > 0) {
            secret = secret();
            try (FileChannel file = secret.open()) {
                file.write(ByteBuffer.wrap(job.secret()));
            }
            ServerSocketChannel listening = ServerSocketChannel.open();
            listening.bind(ConnectionRelay.local(0), 1 << 12);
            port = listening.socket().getLocalPort();
            relay.accept(listening, job.ranks().length + STRANGERS, ConnectionRelay.RENDEZVOUS);
        }
        if (!job.console().isEmpty()) {
            console = ConsoleSocket.open();
            relay.accept(console.listening(), job.ranks().length, ConnectionRelay.CONSOLE, console::close);
        }
        place = new LocalRanks(RankBinder.of(Binding.valueOf(job.binding()), job.reports(),
            job.spare().isEmpty() ? null : job.spare()));
        place.layout(job.ranks(), messages);
    }

    /** A file that only this user can read, and that is gone with this process: ranks find it in /proc. */
    private static NamelessFile secret() throws IOException {
        IOException why = null;
        for (String folder : SECRET_FOLDERS) {
            try {
                return NamelessFile.make(Path.of(folder), "secret");
            } catch (IOException notHere) {
                why = notHere;
            }
        }
        throw why;
    }

    private void start(RankStart how) {
        ProcessBuilder builder = new ProcessBuilder(command(how)).directory(new File(how.directory()))
            .redirectErrorStream(how.joined());
        Map<String, String> variables = builder.environment();
        variables.keySet().removeIf(name -> name.startsWith(OURS)); // of an outer job, perhaps
        for (String each : how.variables()) {
            int equals = each.indexOf('=');
            variables.put(each.substring(0, equals), each.substring(equals + 1));
        }
        variables.put("BRIGADE_LAUNCHER_PID", Long.toString(ProcessHandle.current().pid()));
        variables.put("BRIGADE_LAUNCHER_START", ProcessWatch.selfForRanks());
        if (secret != null) {
            variables.put("BRIGADE_RENDEZVOUS", InetAddress.getLoopbackAddress().getHostAddress() + ":" + port);
            variables.put("BRIGADE_SECRET_FILE", secret.place());
        }
        place.tell(variables);
        if (!how.fed()) {
            builder.redirectInput(new File("/dev/null"));
        }
        try {
            if (!builder.directory().isDirectory()) {
                throw new IOException("there is no folder " + how.directory() + "; make it there, or name one that all"
                    + " hosts have by --wdir");
            }
            Recordings.begin(how.trace(), job.key(), how.rank());
            HostRank rank = new HostRank(how.rank(), how.trace(), place.start(builder, index(how.rank())));
            ranks.put(how.rank(), rank);
            rank.start(how);
        } catch (IOException e) {
            byte[] why = e.getMessage().getBytes(StandardCharsets.UTF_8);
            tell(AgentFrames.FAILED, payload -> {
                payload.writeInt(how.rank());
                payload.write(why);
            });
        }
    }

    private List<String> command(RankStart how) {
        List<String> command = new ArrayList<>(how.command());
        if (console != null) {
            Collections.replaceAll(command, job.console(), console.place());
        }
        return command;
    }

    /** A rank's number among those of this host. */
    private int index(int rank) {
        int index = 0;
        while (job.ranks()[index] != rank) {
            index++;
        }
        return index;
    }

    private void ask(int number, Question question, int rank) {
        daemon("question " + number, () -> {
            List<String> lines = answer(question, rank);
            tell(AgentFrames.ANSWER, payload -> {
                payload.writeInt(number);
                RankStart.texts(payload, lines);
            });
        });
    }

    private List<String> answer(Question question, int rank) {
        HostRank its = ranks.get(rank);
        return switch (question) {
            case GOES_ON -> List.of(Boolean.toString(its != null && place.goesOn(its.process)));
            case IS_ENDING -> List.of(Boolean.toString(its == null || place.isEnding(its.process)));
            case LAST_CALLS -> place.lastCalls(
                ranks.values().stream().map(each -> each.process).toArray(Process[]::new), ENDING_MILLIS);
            case WAITS -> place.waits(job.key());
        };
    }

    /** Ends this process, and all ranks at once. */
    private void end() {
        synchronized (this) {
            if (over) {
                return; // another thread does it
            }
            over = true;
        }
        try {
            for (HostRank rank : ranks.values()) {
                rank.process.toHandle().destroyForcibly();
            }
            for (HostRank rank : ranks.values()) {
                rank.process.waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (console != null) {
            console.close();
        }
        if (job != null) {
            StaleSegments.removeOf(job.key());
            StaleSegments.remove();
        }
        Runtime.getRuntime().halt(0);
    }
}
