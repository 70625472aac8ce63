package org.brigade.cli.shell;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import org.brigade.cli.shared.BenchException;
import org.brigade.cli.shell.ShellMessage.Answer;
import org.brigade.cli.shell.ShellMessage.Hello;
import org.brigade.cli.shell.ShellMessage.Look;
import org.brigade.cli.shell.ShellMessage.Output;
import org.brigade.cli.shell.ShellMessage.Seen;
import org.brigade.launch.hosts.ConsoleSocket;

/**
 * The console's ends of the channels to all ranks of a session. They meet at a socket that only this user can reach,
 * and that is gone once all ranks are there. Ranks of other hosts come by way of their agents.
 */
final class SessionRanks {
    private static final long DRAIN_MILLIS = 1000;
    private static final long LAST_WORDS_MILLIS = 2000;
    /** How long after its ranks a process may learn of Ctrl-C. */
    private static final long INTERRUPT_MILLIS = 200;
    /** A wait of so long, for ranks that have nothing more to do, does not end. */
    private static final long HOPELESS_NANOS = 3_000_000_000L;
    /** How long ranks are waited for that are asked what they do; they answer although they wait. */
    private static final long LOOK_MILLIS = 1000;

    private final Screen screen;
    private final ShellChannel[] channels;
    private final long[] pids;
    private final List<Thread> receivers = new ArrayList<>();
    private final ConsoleSocket meeting;
    /** What ranks have answered to the last look, by rank. */
    private final TreeMap<Integer, Seen> seen = new TreeMap<>();
    private int looks;
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
            meeting = ConsoleSocket.open();
            Runtime.getRuntime().addShutdownHook(new Thread(meeting::close));
        } catch (IOException e) {
            throw new BenchException("the ranks cannot meet in " + System.getProperty("java.io.tmpdir") + ": "
                + e.getMessage() + "; name a folder with a short path that you can write to, as in"
                + " JDK_JAVA_OPTIONS=-Djava.io.tmpdir=/tmp");
        }
    }

    String socket() {
        return meeting.place();
    }

    int size() {
        return channels.length;
    }

    /** Waits until all ranks have joined the job. */
    void meet() throws IOException {
        for (int i = 0; i < channels.length; i++) {
            ShellChannel channel = new ShellChannel(meeting.listening().accept());
            if (!(channel.receive() instanceof Hello hello) || channels[hello.rank()] != null) {
                throw new IOException("another process than a rank has come to " + socket());
            }
            channels[hello.rank()] = channel;
            pids[hello.rank()] = hello.pid();
        }
        meeting.close();
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
                } else if (message instanceof Seen its) {
                    take(rank, its);
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

    private void take(int rank, Seen its) {
        synchronized (seen) {
            if (its.look() == looks) {
                seen.put(rank, its);
                seen.notifyAll();
            }
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
    List<String> waits(BitSet ranks) throws InterruptedException {
        List<String> lines = new ArrayList<>();
        look(ranks).forEach((rank, its) -> {
            if (its.nanos() > 0) {
                lines.add("rank " + rank + " (pid " + pids[rank] + ") " + its.words());
            }
        });
        return lines;
    }

    /** Asks ranks what they wait for. Who has ended does not answer. */
    private TreeMap<Integer, Seen> look(BitSet ranks) throws InterruptedException {
        int number;
        synchronized (seen) {
            number = ++looks;
            seen.clear();
        }
        ranks.stream().forEach(rank -> send(rank, new Look(number)));
        long deadline = System.nanoTime() + LOOK_MILLIS * 1_000_000;
        synchronized (seen) {
            for (long left = LOOK_MILLIS; seen.size() < ranks.cardinality() && left > 0;) {
                seen.wait(left);
                left = (deadline - System.nanoTime()) / 1_000_000;
            }
            return new TreeMap<>(seen);
        }
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
            TreeMap<Integer, Seen> its = look(busy);
            if (its.size() == busy.cardinality() && busy.equals(busy()) && busy.cardinality() < size()
                && its.values().stream().allMatch(each -> each.nanos() >= HOPELESS_NANOS)) {
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
