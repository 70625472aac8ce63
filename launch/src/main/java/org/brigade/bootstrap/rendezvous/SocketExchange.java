package org.brigade.bootstrap.rendezvous;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;
import mpi.ErrorClass;
import mpi.MPIException;
import org.brigade.bootstrap.Deadline;
import org.brigade.bootstrap.Exchange;
import org.brigade.bootstrap.Job;
import org.brigade.bootstrap.secret.Handshake;
import org.brigade.interrupt.Nap;
import org.brigade.topology.profile.MachineFingerprint;
import org.brigade.transport.Endpoint;

/**
 * An exchange through connections to rank 0, for ranks that anything has started on any hosts, or to mpjrun. Both ends
 * prove that they have the job's secret before anything else. The connections stay: the kernel closes those of a dead
 * process, so the others hear of it at once.
 */
public final class SocketExchange implements Exchange {
    private static final int CONNECT_MILLIS = 2000;
    private static final int GREET_MILLIS = 10_000;
    private static final long AGAIN_NANOS = 50_000_000;
    /** The meeting point notices first that a rank is late, and names it. */
    private static final long GRACE_MILLIS = 5000;

    private final Job job;
    private final Rendezvous place;
    private final long timeoutMillis;
    /** Only on rank 0. */
    private MeetingPoint point;
    private Socket socket;
    private final ConcurrentLinkedQueue<byte[][]> arrived = new ConcurrentLinkedQueue<>();
    private final AtomicReferenceArray<String> lost;
    private volatile String failed;
    /** What rank 0 has said of its end. */
    private volatile byte ending = Frames.RUNS;
    /** What this rank has said of its end. */
    private volatile byte said = Frames.RUNS;
    private volatile boolean closed;

    private SocketExchange(Job job, Rendezvous place, long timeoutMillis) {
        this.job = job;
        this.place = place;
        this.timeoutMillis = timeoutMillis;
        lost = new AtomicReferenceArray<>(job.size());
    }

    /**
     * Joins the exchange; rank 0 begins it, or mpjrun has.
     *
     * @param name all ranks of the job have the same
     * @param timeoutMillis how long to wait for others in each call
     * @throws MPIException if the ranks do not meet, with the cure
     */
    public static SocketExchange open(Job job, Rendezvous place, byte[] secret, String name, long timeoutMillis) {
        SocketExchange exchange = new SocketExchange(job, place, timeoutMillis);
        try {
            if (job.rank() == 0 && !place.isLaunched()) {
                exchange.requireFree(secret);
                ServerSocketChannel listening = place.listen();
                exchange.point = new MeetingPoint(listening, secret, job.size(), name, timeoutMillis);
                exchange.connect(List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(),
                    listening.socket().getLocalPort())), secret);
            } else {
                exchange.connect(secret);
            }
            exchange.send(new Frames.Join(job.rank(), job.size(), ProcessHandle.current().pid(), name,
                MachineFingerprint.hostName()).frame());
            exchange.listen();
            return exchange;
        } catch (IOException e) {
            exchange.close();
            throw exchange.error("the ranks cannot meet at " + place + ": " + e.getMessage());
        }
    }

    /** Rank 0 of another job may have written its addresses in the folder; one that was killed has left them. */
    private void requireFree(byte[] secret) throws IOException {
        boolean another;
        try {
            another = place.isTaken() && connect(place.addresses(), secret);
        } catch (IOException nobody) {
            another = false;
        }
        if (another) {
            socket.close();
            throw new IOException("another job meets in this folder now; give each job a folder of its own, or a name"
                + " by BRIGADE_JOB");
        }
    }

    private void connect(byte[] secret) throws IOException {
        Deadline patience = new Deadline(timeoutMillis);
        while (true) {
            String why;
            try {
                if (connect(place.addresses(), secret)) {
                    return;
                }
                why = "nobody listens there";
            } catch (Stranger e) {
                if (!place.isFolder()) {
                    throw e;
                }
                why = e.getMessage(); // at an address of an earlier job, perhaps
            } catch (IOException e) {
                why = e.getMessage();
            }
            if (patience.exhausted()) {
                throw new IOException("waited " + timeoutMillis / 1000 + " s for "
                    + (place.isLaunched() ? "mpjrun" : "rank 0") + ", and " + why
                    + "; start rank 0, see that this host can reach its port, or raise brigade.init.timeout"
                    + " (seconds)");
            }
            Nap.nanos(AGAIN_NANOS);
        }
    }

    /** Who listens at an address is not this job's rank 0. */
    private static final class Stranger extends IOException {
        private static final long serialVersionUID = 1;

        Stranger(String why) {
            super(why);
        }
    }

    /** Whether rank 0 was found at one of these addresses. */
    private boolean connect(List<InetSocketAddress> addresses, byte[] secret) throws IOException {
        IOException last = null;
        for (InetSocketAddress address : addresses) {
            Socket next = new Socket();
            try {
                next.connect(address, CONNECT_MILLIS);
                // While nobody listens, a socket may happen to be connected with itself.
                if (!next.getLocalSocketAddress().equals(next.getRemoteSocketAddress())) {
                    next.setTcpNoDelay(true);
                    next.setKeepAlive(true);
                    next.setSoTimeout(GREET_MILLIS);
                    greet(next, Handshake.ofClient(Frames.PROTOCOL, secret));
                    next.setSoTimeout(0);
                    socket = next;
                    return true;
                }
            } catch (IOException e) {
                last = last instanceof Stranger ? last : e;
            }
            next.close();
        }
        if (last != null) {
            throw last;
        }
        return false;
    }

    private static void greet(Socket socket, Handshake handshake) throws IOException {
        InputStream in = socket.getInputStream();
        socket.getOutputStream().write(handshake.first());
        while (handshake.awaits() > 0) {
            byte[] message = in.readNBytes(handshake.awaits());
            if (message.length < handshake.awaits()) {
                throw new Stranger(handshake.closed());
            }
            try {
                socket.getOutputStream().write(handshake.answer(message));
            } catch (Handshake.Refused e) {
                throw new Stranger(e.getMessage());
            }
        }
    }

    private synchronized void send(ByteBuffer frame) throws IOException {
        socket.getOutputStream().write(frame.array(), 0, frame.limit());
    }

    private void listen() {
        Thread thread = new Thread(this::hear, "brigade-rendezvous-rank");
        thread.setDaemon(true);
        thread.start();
    }

    private void hear() {
        try {
            DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            while (true) {
                byte[] payload = new byte[in.readInt()];
                byte kind = in.readByte();
                in.readFully(payload);
                take(kind, ByteBuffer.wrap(payload));
            }
        } catch (IOException | RuntimeException e) {
            if (!closed && place.isLaunched()) {
                failed = "mpjrun is gone, or this host's agent";
            } else if (!closed && job.rank() != 0 && ending != Frames.FINALIZED) {
                lost.set(0, ending == Frames.ENDS ? Endpoint.exited(0) : "rank 0 died");
            }
        }
    }

    private void take(byte kind, ByteBuffer payload) throws IOException {
        switch (kind) {
            case Frames.ALL -> {
                byte[][] all = new byte[job.size()][];
                for (int rank = 0; rank < all.length; rank++) {
                    all[rank] = Frames.part(payload);
                }
                arrived.add(all);
            }
            case Frames.LOST -> lost.set(payload.getInt(), Frames.text(payload));
            case Frames.FAILED -> failed = Frames.text(payload);
            case Frames.ENDING -> ending = payload.get();
            default -> throw new IOException("a frame of kind " + kind);
        }
    }

    @Override
    public byte[][] allgather(byte[] mine) {
        if (mine.length > Frames.MOST_BYTES) {
            throw new IllegalArgumentException(
                "a rank may give an exchange at most " + Frames.MOST_BYTES + " bytes, not " + mine.length);
        }
        try {
            send(Frames.of(Frames.BRING, mine));
        } catch (IOException gone) {
            // what was heard before says why
        }
        Deadline patience = new Deadline(timeoutMillis + GRACE_MILLIS);
        byte[][] all = arrived.poll();
        while (all == null) {
            if (failed != null) {
                throw error(failed);
            }
            for (int rank = 0; rank < lost.length() && patience.slow(); rank++) {
                if (lost(rank) != null && arrived.isEmpty()) {
                    throw error(failed != null ? failed : lost(rank) + " during Init; its own messages say why");
                }
            }
            if (patience.exhausted()) {
                throw error((place.isLaunched() ? "mpjrun" : "rank 0") + " does not answer at " + place
                    + "; see whether its process and host run");
            }
            patience.pause();
            all = arrived.poll();
        }
        return all;
    }

    @Override
    public String lost(int rank) {
        return closed || rank == job.rank() ? null : lost.get(rank);
    }

    @Override
    public void ends(boolean finalized) {
        byte state = finalized ? Frames.FINALIZED : Frames.ENDS;
        if (closed || said == state) {
            return;
        }
        said = state;
        try {
            send(Frames.of(Frames.ENDING, new byte[] {state}));
        } catch (IOException gone) {
            return; // so is who would hear it
        }
        Deadline patience = new Deadline(1000);
        while (point != null && !point.hasTold(state) && !patience.exhausted()) {
            patience.pause();
        }
    }

    @Override
    public void close() {
        closed = true;
        if (point != null) {
            point.close();
            place.forget();
        }
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException e) {
            // it is closed all the same
        }
    }

    private MPIException error(String what) {
        return ErrorClass.OTHER.in("Init on rank " + job.rank() + " of " + job.size(), what);
    }
}
