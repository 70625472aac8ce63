package org.brigade.cli.shell;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import org.brigade.cli.shared.BenchException;
import org.brigade.cli.shell.ShellMessage.Answer;
import org.brigade.cli.shell.ShellMessage.Hello;
import org.brigade.cli.shell.ShellMessage.Output;
import org.brigade.transport.shm.RunningJob;
import org.brigade.waiting.WaitReport;

/**
 * The console's ends of the channels to all ranks of a session. They meet at a socket in a folder that only this user
 * can enter; both are gone once all ranks are there.
 */
final class SessionRanks {
    private static final long DRAIN_MILLIS = 1000;
    private static final long LAST_WORDS_MILLIS = 2000;
    /** How long after its ranks a process may learn of Ctrl-C. */
    private static final long INTERRUPT_MILLIS = 200;
    /** A wait of so long, for ranks that have nothing more to do, does not end. */
    private static final long HOPELESS_NANOS = 3_000_000_000L;

    private final Screen screen;
    private final ShellChannel[] channels;
    private final long[] pids;
    private final List<Thread> receivers = new ArrayList<>();
    private final ServerSocketChannel meeting;
    private final Path socket;
    /** Runs that ranks have not answered, by number. */
    private final TreeMap<Integer, SnippetRun> open = new TreeMap<>();
    private int runs;
    /** Whether ranks may end from now on. */
    private volatile boolean over;
    private volatile boolean abandoned;

    /** @throws BenchException if there can be no socket */
    SessionRanks(int size, Screen screen) {
        this.screen = screen;
        channels = new ShellChannel[size];
        pids = new long[size];
        try {
            Path folder = Files.createTempDirectory("brigade-shell-"); // rwx------
            socket = folder.resolve("ranks");
            folder.toFile().deleteOnExit();
            socket.toFile().deleteOnExit(); // the last named is deleted first
            meeting = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            meeting.bind(UnixDomainSocketAddress.of(socket));
        } catch (IOException e) {
            throw new BenchException("the ranks cannot meet in " + System.getProperty("java.io.tmpdir") + ": "
                + e.getMessage() + "; name a folder with a short path that you can write to, as in"
                + " JDK_JAVA_OPTIONS=-Djava.io.tmpdir=/tmp");
        }
    }

    Path socket() {
        return socket;
    }

    int size() {
        return channels.length;
    }

    /** Waits until all ranks have joined the job. */
    void meet() throws IOException {
        for (int i = 0; i < channels.length; i++) {
            ShellChannel channel = new ShellChannel(meeting.accept());
            if (!(channel.receive() instanceof Hello hello) || channels[hello.rank()] != null) {
                throw new IOException("another process than a rank has come to " + socket);
            }
            channels[hello.rank()] = channel;
            pids[hello.rank()] = hello.pid();
        }
        meeting.close();
        Files.delete(socket);
        Files.delete(socket.getParent());
        for (int rank = 0; rank < channels.length; rank++) {
            int its = rank;
            Thread receiver = new Thread(() -> receive(its), "answers of rank " + rank);
            receiver.setDaemon(true);
            synchronized (receivers) {
                receivers.add(receiver);
            }
            receiver.start();
        }
    }

    /** When the ranks have ended: waits until all that they have sent is shown. */
    void hearOut() throws InterruptedException {
        List<Thread> all;
        synchronized (receivers) {
            all = List.copyOf(receivers);
        }
        for (Thread receiver : all) {
            receiver.join(LAST_WORDS_MILLIS);
        }
    }

    private void receive(int rank) {
        try {
            for (ShellMessage message = channels[rank].receive(); message != null; message = channels[rank].receive()) {
                if (message instanceof Output output) {
                    screen.output(rank, output.error(), output.line());
                } else if (message instanceof Answer answer) {
                    take(rank, answer);
                }
            }
        } catch (IOException e) {
            // as if it had closed the channel
        } finally {
            lose(rank); // whatever it was: nobody hears the rank any more
        }
    }

    private void take(int rank, Answer answer) {
        SnippetRun run;
        synchronized (open) {
            run = open.get(answer.run());
        }
        if (run.take(rank, answer)) {
            screen.late(rank, answer, run.name());
        }
        synchronized (open) {
            if (run.running().isEmpty()) {
                open.remove(run.number());
            }
            open.notifyAll();
        }
    }

    /** A rank has ended: ends the others. The launcher says how it ended. */
    private void lose(int rank) {
        synchronized (open) {
            if (over) {
                return;
            }
            over = true;
        }
        if (isInterrupted()) {
            return;
        }
        screen.complain("rank " + rank + " has ended, and the session with it");
        for (ShellChannel channel : channels) {
            try {
                channel.close();
            } catch (IOException e) {
                // It is closed already.
            }
        }
    }

    /** A terminal's Ctrl-C reaches ranks and console at once: no rank has ended by itself then. */
    private boolean isInterrupted() {
        try {
            Thread.sleep(INTERRUPT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return abandoned;
    }

    /** Whether a rank has ended, or all have been told to. */
    boolean isOver() {
        return over;
    }

    /** Sends classes to all ranks, also to those that a line does not pick: a name means the same on all. */
    void load(ShellMessage.Load classes) {
        sendAll(classes);
    }

    /** Lets ranks run a method; see {@link ShellMessage.Invoke}. */
    SnippetRun invoke(BitSet ranks, String owner, String method, int repeats, boolean aligned) {
        SnippetRun run;
        synchronized (open) {
            run = new SnippetRun(++runs, ranks, busy());
            open.put(run.number(), run);
        }
        ShellMessage invoke = new ShellMessage.Invoke(run.number(), owner, method, repeats, aligned);
        ranks.stream().forEach(rank -> send(rank, invoke));
        return run;
    }

    private void sendAll(ShellMessage message) {
        for (int rank = 0; rank < channels.length; rank++) {
            send(rank, message);
        }
    }

    private void send(int rank, ShellMessage message) {
        try {
            channels[rank].send(message);
        } catch (IOException e) {
            lose(rank);
        }
    }

    /** The ranks that have not answered all that they were given. */
    BitSet busy() {
        BitSet busy = new BitSet();
        synchronized (open) {
            open.values().forEach(run -> busy.or(run.running()));
        }
        return busy;
    }

    /** What these ranks wait for, a line each; nothing of those that wait in no call. */
    List<String> waits(BitSet ranks) {
        WaitReport report = report();
        return report == null ? List.of()
            : report.lines().stream().filter(line -> line.contains(" has waited for ")
                && ranks.stream().anyMatch(rank -> line.startsWith("rank " + rank + " "))).toList();
    }

    private WaitReport report() {
        try {
            for (RunningJob job : RunningJob.ofThisUser()) {
                // Another job of this user may have more ranks.
                if (job.ranks().stream()
                    .anyMatch(state -> state.rank() < pids.length && state.pid() == pids[state.rank()])) {
                    return new WaitReport(job.ranks(), System.nanoTime());
                }
            }
        } catch (IOException e) {
            // No /proc: nothing is known.
        }
        return null;
    }

    /**
     * Waits until all ranks have answered.
     *
     * @return false if those that have not all wait for one that has
     */
    boolean drain() throws InterruptedException {
        for (BitSet busy = busy(); !busy.isEmpty(); busy = busy()) {
            synchronized (open) {
                open.wait(DRAIN_MILLIS);
            }
            WaitReport report = report();
            if (report != null && busy.equals(busy()) && busy.cardinality() < size()
                && busy.stream().allMatch(rank -> report.waits(rank, HOPELESS_NANOS))) {
                return false;
            }
        }
        return true;
    }

    /** No rank is listened to any more: they are being ended. */
    void abandon() {
        over = true;
        abandoned = true;
    }

    boolean isAbandoned() {
        return abandoned;
    }

    /** Lets all ranks finalize and exit. */
    void quit() {
        over = true;
        sendAll(new ShellMessage.Quit());
    }
}
