package org.brigade.launch.hosts;

import java.io.FileInputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import mpi.spi.release.Release;
import org.brigade.bootstrap.Build;
import org.brigade.bootstrap.rendezvous.MeetingPoint;
import org.brigade.launch.options.DebugPorts;
import org.brigade.launch.options.JobHosts;
import org.brigade.launch.options.LaunchException;

/** The agents of a job's hosts, one for each, and the rendezvous at which the ranks of different hosts meet. */
public final class HostAgents implements AutoCloseable {
    private static final int SECRET_BYTES = 32;

    private final JobHosts hosts;
    private final List<AgentConnection> agents = new ArrayList<>();
    /** Null if all ranks are on one host. */
    private MeetingPoint point;
    /** By folder. */
    private final Map<String, Recordings> recordings = new HashMap<>();
    private volatile boolean closed;
    private final AtomicBoolean closing = new AtomicBoolean();

    private HostAgents(JobHosts hosts) {
        this.hosts = hosts;
    }

    /**
     * What all agents must know of the job.
     *
     * @param traces by rank the folder for its recording; empty: it is not traced
     * @param console the socket at which a console waits for the ranks, on this machine; null: there is none
     */
    public record Place(String binding, boolean reports, String spare, List<String> traces, String console) {
    }

    /**
     * How long others are waited for, in milliseconds.
     *
     * @param startMillis for the agents to answer, and for the ranks to meet
     * @param silenceMillis for a host that says nothing
     */
    public record Patience(long startMillis, long silenceMillis) {
    }

    /**
     * Starts an agent on each host, and waits until all have answered.
     *
     * @param java the path of java on all hosts
     * @param path Brigade's class path, absolute
     * @param key of the job
     * @throws LaunchException with a sentence that names the host, and the cure
     */
    public static HostAgents open(JobHosts hosts, String java, String path, String key, Place place,
        Patience patience) {
        HostAgents all = new HostAgents(hosts);
        boolean opened = false;
        try {
            all.start(java, path, key, place, patience);
            opened = true;
            return all;
        } catch (IOException e) {
            throw new LaunchException("the ranks of several hosts cannot meet: " + e.getMessage());
        } finally {
            if (!opened) {
                all.close();
            }
        }
    }

    private void start(String java, String path, String key, Place place, Patience patience) throws IOException {
        List<List<String>> commands = new ArrayList<>();
        for (int host = 0; host < hosts.names().size(); host++) {
            commands.add(AgentCommand.of(hosts, host, java, path));
        }
        byte[] secret = {};
        int port = 0;
        if (commands.size() > 1) {
            secret = secret();
            ServerSocketChannel listening = ServerSocketChannel.open();
            listening.bind(ConnectionRelay.local(0), 1 << 12);
            port = listening.socket().getLocalPort();
            point = new MeetingPoint(listening, secret, hosts.hostOf().length, key, patience.startMillis);
        }
        for (int rank = 0; rank < place.traces.size(); rank++) {
            String folder = place.traces.get(rank);
            if (!folder.isEmpty()) {
                recordings.computeIfAbsent(folder, each -> Recordings.of(Path.of(each), key)).expect(rank);
            }
        }
        String release = release();
        for (int host = 0; host < commands.size(); host++) {
            String name = hosts.names().get(host);
            try {
                agents.add(new AgentConnection(name, new ProcessBuilder(commands.get(host)).start(), release, port,
                    place.console == null ? null : UnixDomainSocketAddress.of(place.console),
                    patience.silenceMillis));
            } catch (IOException e) {
                throw new LaunchException("host " + name + ": " + e.getMessage() + "; install what is missing (ssh:"
                    + " Debian, Ubuntu: apt-get install openssh-client), or name another command by --launch-agent");
            }
        }
        AgentConnection.daemon("hosts that are silent", this::look);
        AgentConnection.daemon("beats to hosts", this::beat);
        greet(patience.startMillis);
        for (int host = 0; host < commands.size(); host++) {
            agents.get(host).job(new AgentJob(key, secret, ranks(host), place.binding, place.reports, place.spare,
                place.console == null ? "" : place.console));
        }
    }

    /** Random digits. Not by SecureRandom, whose classes cost a launcher 20 ms. */
    private static byte[] secret() throws IOException {
        byte[] digits = new byte[2 * SECRET_BYTES];
        try (FileInputStream random = new FileInputStream("/dev/urandom")) {
            byte[] bytes = random.readNBytes(SECRET_BYTES);
            for (int i = 0; i < digits.length; i++) {
                digits[i] = (byte) Character.forDigit(bytes[i / 2] >> i % 2 * 4 & 15, 16);
            }
        }
        return digits;
    }

    /** This release and build, which agents must have, too. */
    public static String release() {
        return Release.number() + " (build " + Long.toHexString(Build.fingerprint()) + ")";
    }

    private int[] ranks(int host) {
        int[] ranks = new int[hosts.ranks(host)];
        for (int rank = 0, next = 0; rank < hosts.hostOf().length; rank++) {
            if (hosts.hostOf()[rank] == host) {
                ranks[next++] = rank;
            }
        }
        return ranks;
    }

    private void greet(long timeoutMillis) {
        long deadline = System.nanoTime() + timeoutMillis * 1_000_000;
        try {
            for (AgentConnection agent : agents) {
                String why = agent.awaitGreeting((deadline - System.nanoTime()) / 1_000_000);
                if (why != null) {
                    throw new LaunchException("host " + agent.name() + " " + why);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LaunchException("interrupted while hosts were reached");
        }
    }

    private void look() {
        while (pause()) {
            for (AgentConnection agent : agents) {
                agent.look();
            }
        }
    }

    /** A thread of its own: it may have to wait for a host that takes nothing, until that is lost. */
    private void beat() {
        while (pause()) {
            for (AgentConnection agent : agents) {
                agent.beat();
            }
        }
    }

    private boolean pause() {
        try {
            Thread.sleep(AgentFrames.BEAT_MILLIS);
            return !closed;
        } catch (InterruptedException e) {
            return false;
        }
    }

    /** Debuggers reach the ranks of other hosts at ports of this machine. */
    public void relay(DebugPorts debug) {
        for (int rank = 0; rank < hosts.hostOf().length; rank++) {
            if (!hosts.here()[hosts.hostOf()[rank]]) {
                try {
                    ServerSocketChannel listening = ServerSocketChannel.open();
                    listening.bind(ConnectionRelay.local(debug.here(rank)), 1);
                    agents.get(hosts.hostOf()[rank]).relay(listening, debug.there(rank));
                } catch (IOException taken) {
                    throw new LaunchException("--debug: port " + debug.here(rank) + " of this machine is taken; name"
                        + " another");
                }
            }
        }
    }

    /** Starts a rank on its host. */
    public RemoteRank start(RankStart start) {
        return agents.get(hosts.hostOf()[start.rank()]).start(start, recordings.get(start.trace()));
    }

    /** Asks the host of a rank whether something is so. */
    public boolean ask(AgentFrames.Question question, RemoteRank rank, long millis) throws InterruptedException {
        return rank.host().ask(question, rank.rank(), millis).contains("true");
    }

    /** Asks all hosts; each one's lines under its name. */
    public List<String> askAll(AgentFrames.Question question, long millis, boolean named) throws InterruptedException {
        List<String> all = new ArrayList<>();
        for (AgentConnection agent : agents) {
            List<String> lines = agent.ask(question, -1, millis);
            if (named && !lines.isEmpty()) {
                all.add("host " + agent.name() + ":");
            }
            all.addAll(lines);
        }
        return all;
    }

    /**
     * Ends all agents; whatever runs there ends with them. A second thread, that of an interrupt, waits until the first
     * has done it, which waits for no recordings from then on.
     */
    @Override
    public void close() {
        if (closing.getAndSet(true)) {
            agents.forEach(AgentConnection::giveUpRecordings);
        }
        closeOnce();
    }

    private synchronized void closeOnce() {
        if (closed) {
            return;
        }
        try {
            for (AgentConnection agent : agents) {
                agent.awaitRecordings();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        closed = true;
        for (AgentConnection agent : agents) {
            agent.end();
        }
        try {
            for (AgentConnection agent : agents) {
                agent.awaitEnd();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (point != null) {
            point.close();
        }
        recordings.values().forEach(Recordings::close);
    }
}
