package org.brigade.communicator;

import java.io.IOException;
import java.util.Arrays;
import mpi.ErrorClass;
import mpi.spi.Call;
import mpi.spi.Communicator;
import mpi.spi.Envelope;
import mpi.spi.InterCommunicator;
import mpi.spi.Operation;
import mpi.spi.PersistentOperation;
import mpi.spi.SendMode;
import mpi.spi.TypeLayout;
import mpi.spi.interpose.ForwardingOperation;
import mpi.spi.interpose.ForwardingPersistentOperation;
import mpi.spi.interpose.ForwardingWindow;
import mpi.spi.interpose.Interposer;
import mpi.spi.window.Access;
import mpi.spi.window.WindowEnd;
import mpi.spi.window.WindowKind;
import mpi.spi.window.WindowMaker;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.communicator.job.LinkedJob;
import org.brigade.recording.CallRecording;
import org.brigade.recording.ClockEvent;
import org.brigade.recording.CollectiveEvent;
import org.brigade.recording.CommunicatorEvent;
import org.brigade.recording.MessageEvent;
import org.brigade.recording.WindowEvent;
import org.brigade.select.Choice;

/** Makes events of a program's calls for the flight recorder; there is one in a process that records. */
final class CallRecorder extends Interposer {
    private static final int ANYONE = -1;
    private static final int CLOCK_TAG = 1;
    /** Messages that compare the clocks of two ranks; the fastest exchange counts. */
    private static final int CLOCK_ROUNDS = 10;

    private final LinkedJob job;
    private final String key;

    CallRecorder(LinkedJob job, String key) {
        this.job = job;
        this.key = key;
    }

    /** Adds it to a process, and begins the file of a traced rank. */
    static CallRecorder of(LinkedJob job, String key, int rank, int size) {
        if (CallRecording.folder() != null) {
            try {
                CallRecording.begin(rank);
            } catch (IOException | RuntimeException e) {
                throw ErrorClass.OTHER.in("Init on rank " + rank + " of " + size,
                    "brigade.trace: this rank cannot record"
                        + " into " + CallRecording.folder() + " (" + e
                        + "); name a folder that all ranks may write to");
            }
        }
        return new CallRecorder(job, key);
    }

    // ---- clocks ----

    @Override
    public void joined(Communicator world) {
        tellClock((IntraCommunicator) world);
    }

    @Override
    public void leaving(Communicator world) {
        tellClock((IntraCommunicator) world);
    }

    /**
     * Records by how much this rank's clock is ahead of rank 0's. Rank 0 answers each other rank in turn; the answer is
     * taken as read halfway through the fastest exchange. Ranks of one node have one clock.
     */
    private void tellClock(IntraCommunicator world) {
        int rank = world.rank();
        int size = world.size();
        ClockEvent event = new ClockEvent();
        if (job.nodes() != null) {
            if (rank == 0) {
                for (int peer = 1; peer < size; peer++) {
                    answer(world, peer);
                }
            } else {
                ask(world, event);
            }
        }
        event.begin(); // the first one is slow
        event.reading = System.nanoTime();
        event.begin();
        event.job = key;
        event.rank = rank;
        event.size = size;
        event.node = job.nodes() == null ? 0 : job.nodes().own();
        event.host = HostName.get();
        event.commit();
    }

    private static void answer(IntraCommunicator world, int peer) {
        long[] word = new long[1];
        for (int round = 0; round < CLOCK_ROUNDS; round++) {
            world.aside().recv(word, 0, Long.BYTES, peer, CLOCK_TAG, new Envelope(), "Init");
            word[0] = System.nanoTime();
            world.aside().send(word, 0, Long.BYTES, peer, CLOCK_TAG, SendMode.STANDARD);
        }
    }

    private static void ask(IntraCommunicator world, ClockEvent event) {
        long[] word = new long[1];
        event.roundTrip = Long.MAX_VALUE;
        for (int round = 0; round < CLOCK_ROUNDS; round++) {
            long before = System.nanoTime();
            world.aside().send(word, 0, Long.BYTES, 0, CLOCK_TAG, SendMode.STANDARD);
            world.aside().recv(word, 0, Long.BYTES, 0, CLOCK_TAG, new Envelope(), "Init");
            long after = System.nanoTime();
            if (after - before < event.roundTrip) {
                event.roundTrip = after - before;
                event.ahead = before + (after - before) / 2 - word[0];
            }
        }
    }

    // ---- collectives ----

    @Override
    public Operation start(Communicator below, Call call) {
        CollectiveEvent event = collective(below, call, call.blocking ? "blocking" : "start");
        event.begin();
        Operation operation = below.start(call);
        end(event, Diagnostics.lastChoice());
        return operation == null ? null : new CollectiveWait(operation, event);
    }

    private static CollectiveEvent collective(Communicator below, Call call, String mode) {
        CollectiveEvent event = new CollectiveEvent();
        event.collective = call.collective.key();
        event.mode = mode;
        event.communicator = below.name();
        event.context = context(below);
        event.number = below.core() instanceof IntraCommunicator intra ? intra.nextCall() : -1;
        event.ranks = call.ranks;
        event.root = call.collective.rooted ? call.root : -1;
        event.bytes = call.bytes() == Call.UNKNOWN ? Math.max(call.send.blocks.total(), call.recv.blocks.total())
            : call.bytes();
        event.type = call.type == null ? null : call.type.name;
        event.operation = call.op == null ? null : call.op.operator.name();
        return event;
    }

    /** @param choice what ran; null if nothing was chosen */
    private static void end(CollectiveEvent event, Choice choice) {
        event.end();
        if (event.shouldCommit()) {
            if (choice != null) {
                event.algorithm = choice.algorithm().name();
                event.parameters = choice.words();
                event.rule = choice.rule();
            }
            event.commit();
        }
    }

    /** The same call in another part of its life. */
    private static CollectiveEvent again(CollectiveEvent first, String mode) {
        CollectiveEvent event = new CollectiveEvent();
        event.collective = first.collective;
        event.mode = mode;
        event.communicator = first.communicator;
        event.context = first.context;
        event.number = first.number;
        event.ranks = first.ranks;
        event.root = first.root;
        event.bytes = first.bytes;
        event.type = first.type;
        event.operation = first.operation;
        event.algorithm = first.algorithm;
        event.parameters = first.parameters;
        event.rule = first.rule;
        return event;
    }

    /** Records how long the program waits for a collective. */
    private static final class CollectiveWait extends ForwardingOperation {
        private final CollectiveEvent begun;

        CollectiveWait(Operation below, CollectiveEvent begun) {
            super(below);
            this.begun = begun;
        }

        @Override
        public void await() {
            CollectiveEvent wait = again(begun, "wait");
            wait.begin();
            super.await();
            end(wait, null);
        }
    }

    @Override
    public PersistentOperation prepare(Communicator below, Call call) {
        CollectiveEvent event = collective(below, call, "prepare");
        event.begin();
        PersistentOperation operation = below.prepare(call);
        end(event, null);
        event.number = -1; // its starts have a numbering of their own
        return new ForwardingPersistentOperation(operation) {
            @Override
            public void start() {
                CollectiveEvent started = again(event, "start");
                started.begin();
                super.start();
                end(started, Diagnostics.lastChoice());
            }

            @Override
            public void await() {
                CollectiveEvent wait = again(event, "wait");
                wait.begin();
                super.await();
                end(wait, null);
            }
        };
    }

    // ---- point to point ----

    private static MessageEvent message(Communicator below, String call, int peer, int tag, long bytes) {
        MessageEvent event = new MessageEvent();
        event.call = call;
        event.communicator = below.name();
        event.context = context(below);
        event.peer = jobRank(below, peer);
        event.tag = tag;
        event.bytes = bytes;
        event.begin();
        return event;
    }

    private static int context(Communicator below) {
        Communicator core = below.core();
        return core instanceof IntraCommunicator intra ? intra.context() : ((InterGroupCommunicator) core).context();
    }

    private static int jobRank(Communicator below, int peer) {
        int[] peers = below instanceof InterCommunicator inter ? inter.remoteMembers() : below.members();
        return peer < 0 || peer >= peers.length ? ANYONE : peers[peer];
    }

    /** Ends the event of a call that has found out about a message. */
    private static void end(MessageEvent event, Communicator below, Envelope envelope) {
        event.peer = jobRank(below, envelope.source);
        event.tag = envelope.tag;
        event.bytes = envelope.bytes();
        event.commit();
    }

    @Override
    public void send(Communicator below, Object buffer, long offset, int count, TypeLayout type, int destination,
        int tag, SendMode mode) {
        MessageEvent event = message(below, "send", destination, tag, (long) count * type.extent);
        below.send(buffer, offset, count, type, destination, tag, mode);
        event.commit();
    }

    @Override
    public Operation isend(Communicator below, Object buffer, long offset, int count, TypeLayout type, int destination,
        int tag, SendMode mode) {
        long bytes = (long) count * type.extent;
        MessageEvent event = message(below, "isend", destination, tag, bytes);
        Operation operation = below.isend(buffer, offset, count, type, destination, tag, mode);
        event.commit();
        return new ForwardingOperation(operation) {
            @Override
            public void await() {
                MessageEvent wait = message(below, "wait for isend", destination, tag, bytes);
                operation.await();
                wait.commit();
            }
        };
    }

    @Override
    public void recv(Communicator below, Object buffer, long offset, int count, TypeLayout type, int source, int tag,
        Envelope envelope, String call) {
        MessageEvent event = message(below, "recv", source, tag, 0);
        below.recv(buffer, offset, count, type, source, tag, envelope, call);
        end(event, below, envelope);
    }

    @Override
    public Operation irecv(Communicator below, Object buffer, long offset, int count, TypeLayout type, int source,
        int tag, String call) {
        MessageEvent event = message(below, "irecv", source, tag, (long) count * type.extent);
        Operation operation = below.irecv(buffer, offset, count, type, source, tag, call);
        event.commit();
        return new ForwardingOperation(operation) {
            @Override
            public void await() {
                MessageEvent wait = message(below, "wait for irecv", source, tag, 0);
                operation.await();
                Envelope envelope = new Envelope();
                operation.describe(envelope);
                end(wait, below, envelope);
            }
        };
    }

    @Override
    public void probe(Communicator below, int source, int tag, Envelope envelope) {
        MessageEvent event = message(below, "probe", source, tag, 0);
        below.probe(source, tag, envelope);
        end(event, below, envelope);
    }

    @Override
    public int awaitAny(AnyWait below, Operation[] operations, int n) {
        MessageEvent event = new MessageEvent();
        event.call = "wait for any";
        event.peer = ANYONE;
        event.begin();
        int index = below.await(operations, n);
        event.commit();
        return index;
    }

    // ---- communicators ----

    private static CommunicatorEvent making(String call) {
        CommunicatorEvent event = new CommunicatorEvent();
        event.call = call;
        event.begin();
        return event;
    }

    private static <C extends Communicator> C made(CommunicatorEvent event, C made) {
        event.end();
        if (made != null) {
            event.communicator = made.name();
            event.context = context(made);
            event.members = Arrays.toString(made.members());
        }
        event.commit();
        return made;
    }

    @Override
    public Communicator duplicate(Communicator below) {
        CommunicatorEvent event = making("dup");
        return made(event, below.duplicate());
    }

    @Override
    public Communicator split(Communicator below, int colour, int key) {
        CommunicatorEvent event = making("split");
        return made(event, below.split(colour, key));
    }

    @Override
    public Communicator splitShared(Communicator below, int key) {
        CommunicatorEvent event = making("splitType");
        return made(event, below.splitShared(key));
    }

    @Override
    public Communicator create(Communicator below, int[] ranks) {
        CommunicatorEvent event = making("create");
        return made(event, below.create(ranks));
    }

    @Override
    public Communicator createGroup(Communicator below, int[] ranks, int tag) {
        CommunicatorEvent event = making("createGroup");
        return made(event, below.createGroup(ranks, tag));
    }

    @Override
    public InterCommunicator connect(Communicator below, String call, int leader, Communicator peer, int remoteLeader,
        int tag, RuntimeException wrong) {
        CommunicatorEvent event = making("createIntercomm");
        return made(event, below.connect(call, leader, peer, remoteLeader, tag, wrong));
    }

    @Override
    public Communicator merge(InterCommunicator below, boolean high) {
        CommunicatorEvent event = making("merge");
        return made(event, below.merge(high));
    }

    // ---- windows ----

    @Override
    public WindowEnd window(WindowMaker below, WindowKind kind, Object buffer, long bytes, int unit, boolean locks,
        String name, RuntimeException wrong) {
        Communicator membership = (Communicator) below;
        WindowEvent event = windowCall(membership, name, "window", ANYONE, bytes);
        WindowEnd end = below.window(kind, buffer, bytes, unit, locks, name, wrong);
        event.commit();
        return new RecordedWindow(end, membership);
    }

    private static WindowEvent windowCall(Communicator membership, String name, String call, int target,
        long bytes) {
        WindowEvent event = new WindowEvent();
        event.call = call;
        event.communicator = name;
        event.peer = jobRank(membership, target);
        event.bytes = bytes;
        event.begin();
        return event;
    }

    /** Records the calls of a window that move data or wait. */
    private static final class RecordedWindow extends ForwardingWindow {
        private final Communicator membership;

        RecordedWindow(WindowEnd below, Communicator membership) {
            super(below);
            this.membership = membership;
        }

        @Override
        public Operation access(Access access) {
            WindowEvent event = windowCall(membership, name(), access.call, access.target, access.bytes);
            Operation operation = super.access(access);
            event.commit();
            return operation;
        }

        @Override
        public void fence(boolean nothingBefore, boolean nothingAfter) {
            WindowEvent event = windowCall(membership, name(), "fence", ANYONE, 0);
            super.fence(nothingBefore, nothingAfter);
            event.commit();
        }

        @Override
        public void start(int[] targets) {
            WindowEvent event = windowCall(membership, name(), "start", targets.length == 1 ? targets[0] : ANYONE, 0);
            super.start(targets);
            event.commit();
        }

        @Override
        public void complete() {
            WindowEvent event = windowCall(membership, name(), "complete", ANYONE, 0);
            super.complete();
            event.commit();
        }

        @Override
        public void await() {
            WindowEvent event = windowCall(membership, name(), "wait", ANYONE, 0);
            super.await();
            event.commit();
        }

        @Override
        public void lock(int target, boolean exclusive, boolean check) {
            WindowEvent event = windowCall(membership, name(), "lock", target, 0);
            super.lock(target, exclusive, check);
            event.commit();
        }

        @Override
        public void unlock(int target) {
            WindowEvent event = windowCall(membership, name(), "unlock", target, 0);
            super.unlock(target);
            event.commit();
        }

        @Override
        public void flush(String call, int target) {
            WindowEvent event = windowCall(membership, name(), call, target, 0);
            super.flush(call, target);
            event.commit();
        }
    }
}
