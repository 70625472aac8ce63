package org.brigade.transport.ucx;

import java.util.ArrayList;
import java.util.List;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.packet.MessageCarrier;
import org.brigade.transport.packet.CarrierException;
import org.brigade.transport.ucx.library.Sockets;
import org.brigade.transport.ucx.library.Ucp;
import org.brigade.transport.ucx.library.UcxException;

/**
 * Carries messages by UCX's tagged messages: a worker of this rank's, and an endpoint to each peer that this rank sends
 * to. A tag has the sender in its upper half. An endpoint reports when its peer's connection ends
 * (UCP_ERR_HANDLING_MODE_PEER), so a process that dies is noticed at once.
 */
final class UcxCarrier implements MessageCarrier {
    private static final int SENDER_SHIFT = 32;
    private static final long ANY_SENDER = 0xffff_ffffL;
    private static final long THIS_SENDER = -1;
    /** The tag of the word by which ranks tell each other that they leave. */
    private static final int LEAVING = 1 << 30;
    private static final long CLOSE_NANOS = 1_000_000_000L;
    static final long ASK_NANOS = 500_000_000L;

    // What is kept of a peer that is told, or tells, of leaving: two requests and a word each.
    private static final int TOLD = 0;
    private static final int HEARD = TOLD + REQUEST_BYTES;
    private static final int WORD = HEARD + REQUEST_BYTES;
    private static final int HEARD_WORD = WORD + Long.BYTES;
    private static final int LEAVING_BYTES = HEARD_WORD + Long.BYTES;

    private final Object lock = new Object();
    private final int rank;
    private final long context;
    private final long worker;
    private byte[][] addresses;
    /** By rank; 0 until this rank sends something there. */
    private final long[] endpoints;
    /** By rank: what has become of the connection; null while nothing has. */
    private final String[] failures;
    /** Kept here, as UCX calls it for as long as there are endpoints. */
    private final Ucp.PeerFailure failure = this::failed;
    /** For each met peer in turn; null for one that could not be told. */
    private final List<NativeMemory> leaving = new ArrayList<>();
    /** Requests of endpoints that are being closed. */
    private final List<Long> closing = new ArrayList<>();
    /** What the worker tells of events by. */
    private final int events;
    private final ThreadLocal<NativeMemory> sleeping = ThreadLocal.withInitial(Sockets::waiting);
    /** Null if hosts may be unreachable for ever. */
    private final WorkerSockets sockets;
    private final long unreachableNanos;
    /** When connections were last ended here, as their hosts acknowledge nothing; 0 for never. */
    private long unreachable;
    private boolean closed;

    private UcxCarrier(int rank, int ranks, long context, long worker, long unreachableNanos) {
        this.rank = rank;
        this.context = context;
        this.worker = worker;
        endpoints = new long[ranks];
        failures = new String[ranks];
        this.unreachableNanos = unreachableNanos;
        events = Ucp.events(worker);
        sockets = unreachableNanos == 0 ? null : new WorkerSockets(events, unreachableNanos);
    }

    /**
     * Starts UCX for a rank.
     *
     * @param unreachableNanos how long a host may acknowledge nothing until its ranks are lost; 0 for ever
     * @throws UcxException if it cannot
     */
    static UcxCarrier open(int rank, int ranks, long unreachableNanos) {
        long context = Ucp.context();
        try {
            return new UcxCarrier(rank, ranks, context, Ucp.worker(context), unreachableNanos);
        } catch (UcxException e) {
            Ucp.closeContext(context);
            throw e;
        }
    }

    /** How the others reach this rank. */
    byte[] address() {
        return Ucp.address(worker);
    }

    /** @param all the addresses of all ranks */
    void reach(byte[][] all) {
        addresses = all;
    }

    private long endpoint(int peer) {
        if (endpoints[peer] == 0) {
            endpoints[peer] = Ucp.connect(worker, addresses[peer], peer, failure);
        }
        return endpoints[peer];
    }

    private void failed(long peer, long endpoint, byte status) {
        failures[(int) peer] = unreachable != 0 && System.nanoTime() - unreachable < CLOSE_NANOS
            ? "cannot be reached: its host has acknowledged nothing for " + unreachableNanos / 1_000_000_000
                + " s (brigade.ucx.unreachable); it is down, or the network to it"
            : "cannot be reached any more: UCX says " + UcxException.text(status);
    }

    @Override
    public boolean wakes() {
        return true;
    }

    @Override
    public boolean arm() {
        return Ucp.arm(worker);
    }

    @Override
    public void sleep(long nanos) {
        Sockets.await(events, nanos, sleeping.get());
    }

    @Override
    public long askNanos() {
        return ASK_NANOS;
    }

    @Override
    public void seekUnreachable() {
        if (sockets != null && sockets.endUnreachable() > 0) {
            unreachable = System.nanoTime() | 1;
            Ucp.progress(worker);
        }
    }

    @Override
    public Object lock() {
        return lock;
    }

    @Override
    public String name() {
        return "UCX";
    }

    @Override
    public String settings() {
        return "brigade.ucx";
    }

    // ---- messages ----

    private static long tag(int sender, int tag) {
        return (long) sender << SENDER_SHIFT | tag;
    }

    @Override
    public void send(long address, int bytes, int peer, int tag, NativeMemory request, int at) {
        request.putLong(at, Ucp.send(endpoint(peer), address, bytes, tag(rank, tag)));
    }

    @Override
    public void sendAwaited(long address, int bytes, int peer, int tag, NativeMemory request, int at) {
        request.putLong(at, Ucp.sendAwaited(endpoint(peer), address, bytes, tag(rank, tag)));
    }

    @Override
    public void receive(long address, int bytes, int peer, int tag, NativeMemory request, int at) {
        request.putLong(at, Ucp.receive(worker, address, bytes, tag(peer, tag), THIS_SENDER));
    }

    @Override
    public void prepare(long address, int bytes, int tag, NativeMemory request, int at) {
        request.putLong(at, Ucp.NONE);
    }

    @Override
    public void start(long address, int bytes, int tag, NativeMemory request, int at) {
        request.putLong(at, Ucp.receive(worker, address, bytes, tag, ANY_SENDER));
    }

    @Override
    public boolean test(NativeMemory request, int at) {
        long its = request.getLong(at);
        if (its == Ucp.NONE) {
            return true;
        }
        boolean running = false;
        try {
            running = !Ucp.ended(its) && (!Ucp.progress(worker) || !Ucp.ended(its));
            return !running;
        } finally {
            if (!running) {
                request.putLong(at, Ucp.NONE);
            }
        }
    }

    @Override
    public void cancel(NativeMemory request, int at) {
        withdraw(request, at);
    }

    @Override
    public boolean carriesLong() {
        return Ucp.withdraws();
    }

    @Override
    public boolean withdraw(NativeMemory request, int at) {
        long its = request.getLong(at);
        if (its == Ucp.NONE || !Ucp.withdraw(worker, its)) {
            return false;
        }
        request.putLong(at, Ucp.NONE);
        return true;
    }

    @Override
    public void cut(int peer) {
        if (failures[peer] == null) {
            failures[peer] = "has been given up";
        }
        if (endpoints[peer] != 0) {
            closing.add(Ucp.close(endpoints[peer], true));
            endpoints[peer] = 0;
        }
    }

    @Override
    public void free(NativeMemory request, int at) {
        // It was freed when it ended.
    }

    // ---- peers that end ----

    /** A receive fails if its sender dies in the middle of a message. */
    @Override
    public boolean receivesOn() {
        return true;
    }

    @Override
    public String lost(int peer) {
        return failures[peer];
    }

    /** Tells each peer that this rank has met, and waits for the same word from it. */
    @Override
    public boolean allLeave(int[] met, int count) {
        boolean all = true;
        for (int i = 0; i < count; i++) {
            if (i == leaving.size()) {
                leaving.add(tell(met[i]));
            }
            all &= failures[met[i]] != null || leaves(met[i], leaving.get(i));
        }
        return all;
    }

    private NativeMemory tell(int peer) {
        NativeMemory its = NativeMemory.allocate(LEAVING_BYTES);
        if (failures[peer] != null) {
            return its;
        }
        try {
            receive(its.address() + HEARD_WORD, Long.BYTES, peer, LEAVING, its, HEARD);
            send(its.address() + WORD, Long.BYTES, peer, LEAVING, its, TOLD);
        } catch (CarrierException gone) {
            failures[peer] = gone.getMessage();
        }
        return its;
    }

    private boolean leaves(int peer, NativeMemory its) {
        try {
            return test(its, TOLD) & test(its, HEARD);
        } catch (CarrierException gone) {
            failures[peer] = gone.getMessage();
            return true;
        }
    }

    // ---- end ----

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        for (NativeMemory its : leaving) {
            cancel(its, HEARD);
        }
        for (int peer = 0; peer < endpoints.length; peer++) {
            if (endpoints[peer] != 0) {
                try {
                    closing.add(Ucp.close(endpoints[peer], failures[peer] != null));
                } catch (UcxException gone) {
                    // nothing is left to close
                }
            }
        }
        long deadline = System.nanoTime() + CLOSE_NANOS;
        while (!haveEnded(closing) && System.nanoTime() - deadline < 0) {
            Ucp.progress(worker);
        }
        closing.forEach(Ucp::release); // UCX ends the process if one is left
        Ucp.closeWorker(worker);
        Ucp.closeContext(context);
    }

    private static boolean haveEnded(List<Long> requests) {
        requests.removeIf(request -> {
            try {
                return request == Ucp.NONE || Ucp.ended(request);
            } catch (UcxException gone) {
                return true;
            }
        });
        return requests.isEmpty();
    }
}
