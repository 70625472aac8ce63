package org.brigade.bootstrap.rendezvous;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.brigade.bootstrap.Deadline;
import org.brigade.transport.Endpoint;

/**
 * What listens in rank 0, or in mpjrun: it gathers the bytes of all ranks and sends them to all, and tells them of
 * ranks that are gone. One thread.
 */
public final class MeetingPoint implements Runnable {
    /** Connections of strangers beside those of the ranks. */
    private static final int STRANGERS = 64;
    /** How long a connection may need to join. */
    private static final long JOIN_NANOS = 10_000_000_000L;
    /** How long the others may need to read the last words of a rank 0 that fails in Init. */
    private static final long LINGER_NANOS = 1_000_000_000L;
    private static final long LOOK_MILLIS = 100;
    private static final int NAMED = 8;

    private final ServerSocketChannel listening;
    private final Selector selector;
    private final byte[] secret;
    private final String job;
    private final long timeoutNanos;
    private final List<MemberLine> lines = new ArrayList<>();
    private final MemberLine[] members;
    private final String[] lost;
    private byte[][] brought;
    private int missing;
    /** When the first rank brought something in this round; 0: none has. */
    private long since;
    /** The last connection that was refused, for those who wait for it; else null. */
    private String refused;
    /** Why no round will end any more; else null. */
    private String failed;
    /** The state of rank 0 that the others were told, once {@code written}. */
    private volatile byte told = Frames.RUNS;
    private volatile boolean written;
    /** Whether something must be looked at although nobody says anything. A job that runs has nothing of that kind. */
    private boolean isDue;
    private volatile boolean closing;
    private volatile boolean closed;

    /**
     * Begins to listen.
     *
     * @param listening bound
     * @param job its name, which all ranks must have
     * @param timeoutMillis how long ranks may take in each round after the first has come
     */
    public MeetingPoint(ServerSocketChannel listening, byte[] secret, int size, String job, long timeoutMillis)
        throws IOException {
        this.listening = listening;
        this.secret = secret;
        this.job = job;
        this.timeoutNanos = timeoutMillis * 1_000_000;
        members = new MemberLine[size];
        lost = new String[size];
        brought = new byte[size][];
        missing = size;
        selector = Selector.open();
        listening.configureBlocking(false);
        listening.register(selector, SelectionKey.OP_ACCEPT);
        Thread thread = new Thread(this, "brigade-rendezvous");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void run() {
        try {
            while (!closing) {
                selector.select(this::ready, isDue ? LOOK_MILLIS : 0);
                look();
            }
            if (told != Frames.FINALIZED) {
                linger();
            }
        } catch (IOException e) {
            System.err.println("brigade: rank 0 no longer hears of ranks that die on other hosts: " + e);
        } finally {
            lines.forEach(MemberLine::close);
            close(listening);
            close(selector);
            closed = true;
        }
    }

    /** Lets the others read what they were sent: closing a socket with unread bytes would destroy that. */
    private void linger() throws IOException {
        for (MemberLine line : List.copyOf(lines)) {
            try {
                line.end();
            } catch (IOException gone) {
                drop(line, gone.getMessage());
            }
        }
        long until = System.nanoTime() + LINGER_NANOS;
        while (!lines.isEmpty() && System.nanoTime() - until < 0) {
            selector.select(this::ready, 10);
        }
    }

    private static void close(AutoCloseable each) {
        try {
            each.close();
        } catch (Exception closed) {
            // it is closed all the same
        }
    }

    private void ready(SelectionKey key) {
        if (!key.isValid()) {
            return;
        }
        if (key.channel() == listening) {
            accept();
            return;
        }
        MemberLine line = (MemberLine) key.attachment();
        try {
            if (key.isWritable()) {
                line.write();
            }
            if (key.isReadable()) {
                line.read(this::frame);
            }
        } catch (IOException | BufferUnderflowException | CancelledKeyException e) {
            drop(line, e.getMessage());
        }
    }

    private void accept() {
        try {
            SocketChannel channel = listening.accept();
            if (channel == null) {
                return;
            }
            if (lines.size() >= members.length + STRANGERS) {
                channel.close();
                return;
            }
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
            MemberLine line = new MemberLine(channel, key, secret);
            key.attach(line);
            lines.add(line);
        } catch (IOException e) {
            refused = "a connection failed: " + e.getMessage(); // of one that has gone, or no descriptor is left
        }
    }

    private void frame(MemberLine line, byte kind, ByteBuffer payload) throws IOException {
        if (line.join == null) {
            if (kind != Frames.JOIN) {
                throw new IOException("it does not say who it is");
            }
            join(line, Frames.Join.of(payload));
            return;
        }
        int rank = line.join.rank();
        switch (kind) {
            case Frames.BRING -> bring(rank, payload);
            case Frames.ENDING -> {
                line.state = payload.get();
                if (rank == 0) {
                    written = false;
                    tell(Frames.of(Frames.ENDING, new byte[] {line.state}));
                    told = line.state;
                }
            }
            default -> throw new IOException("it sends a frame of kind " + kind);
        }
    }

    private void join(MemberLine line, Frames.Join join) throws IOException {
        String why = strange(join);
        if (why != null) {
            refused = "a process on " + join.host() + " was refused: " + why;
            line.refuse(why);
            return;
        }
        line.join = join;
        members[join.rank()] = line;
        for (int rank = 0; rank < lost.length; rank++) {
            if (lost[rank] != null) {
                line.send(Frames.lost(rank, lost[rank]));
            }
        }
        if (failed != null) {
            line.send(Frames.failed(failed));
        }
    }

    /** Why this process cannot be a rank of this job; null if it can. */
    private String strange(Frames.Join join) {
        String cure = "; give each job an address of its own by BRIGADE_RENDEZVOUS, and start each rank once";
        if (!join.job().equals(job)) {
            return "two jobs meet at one address: there BRIGADE_JOB is '" + job + "', here '" + join.job() + "'" + cure;
        }
        if (join.size() != members.length) {
            return "rank 0 was given BRIGADE_SIZE=" + members.length + ", this process BRIGADE_SIZE=" + join.size()
                + "; give all ranks of a job the same, and each job an address of its own by BRIGADE_RENDEZVOUS";
        }
        if (join.rank() < 0 || join.rank() >= members.length) {
            return "BRIGADE_RANK=" + join.rank() + " is no rank of " + members.length;
        }
        MemberLine there = members[join.rank()];
        return there == null && lost[join.rank()] == null ? null
            : (there == null ? lost[join.rank()] : there.join + " is there already") + cure;
    }

    private void bring(int rank, ByteBuffer payload) throws IOException {
        if (brought[rank] != null) {
            throw new IOException("it does not wait for the others");
        }
        byte[] bytes = new byte[payload.remaining()];
        payload.get(bytes);
        brought[rank] = bytes;
        since = since == 0 ? System.nanoTime() | 1 : since;
        if (--missing == 0) {
            ByteBuffer all = Frames.all(brought);
            brought = new byte[members.length][];
            missing = members.length;
            since = 0;
            if (all == null) {
                fail("the ranks exchange more than a GiB; start fewer ranks");
            } else {
                tell(all);
            }
        }
    }

    private void tell(ByteBuffer frame) {
        for (MemberLine member : members) {
            if (member != null) {
                try {
                    member.send(frame);
                } catch (IOException gone) {
                    // its end is seen when it is read
                }
            }
        }
    }

    private void fail(String why) {
        if (failed == null) {
            failed = why;
            tell(Frames.failed(why));
        }
    }

    private void drop(MemberLine line, String why) {
        String peer = line.peer();
        line.close();
        lines.remove(line);
        if (line.join == null) {
            refused = line.isRefused() ? refused : "a process at " + peer + " was refused: " + why;
            return;
        }
        int rank = line.join.rank();
        members[rank] = null;
        if (line.state == Frames.FINALIZED) {
            lost[rank] = null;
            return;
        }
        lost[rank] =
            line.state == Frames.ENDS ? Endpoint.exited(rank) : line.join + " died";
        tell(Frames.lost(rank, lost[rank]));
    }

    /** What is due without a word of anybody. */
    private void look() {
        long now = System.nanoTime();
        for (MemberLine line : List.copyOf(lines)) {
            if (line.join == null && now - line.since > JOIN_NANOS) {
                drop(line, "it did not say who it is");
            }
        }
        if (since != 0 && failed == null && now - since > timeoutNanos) {
            fail("waited " + timeoutNanos / 1_000_000_000 + " s for " + late()
                + " to call Init; start all ranks of the job with the same BRIGADE_RENDEZVOUS, or raise"
                + " brigade.init.timeout (seconds)" + (refused == null ? "" : "; " + refused));
        }
        boolean all = true;
        boolean joined = true;
        for (MemberLine line : lines) {
            all &= line.hasWritten();
            joined &= line.join != null;
        }
        written = all;
        isDue = since != 0 || !joined;
    }

    private String late() {
        StringBuilder names = new StringBuilder();
        int count = 0;
        for (int rank = 0; rank < brought.length; rank++) {
            if (brought[rank] == null && count++ < NAMED) {
                names.append(names.isEmpty() ? "" : ", ").append(rank);
            }
        }
        return (count == 1 ? "rank " : "ranks ") + names + (count > NAMED ? " and " + (count - NAMED) + " more" : "");
    }

    /** Whether what rank 0 has said of its end is on its way to the others. */
    boolean hasTold(byte state) {
        if (told == state && written) {
            return true;
        }
        selector.wakeup();
        return false;
    }

    /** Returns when all is closed. */
    public void close() {
        closing = true;
        selector.wakeup();
        Deadline patience = new Deadline(2 * LINGER_NANOS / 1_000_000);
        while (!closed && !patience.exhausted()) {
            patience.pause();
        }
    }
}
