package org.brigade.engine;

import java.util.Arrays;
import mpi.MPIException;
import mpi.spi.Call;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.op.LocalCopy;
import org.brigade.recording.CallRecording;
import org.brigade.recording.Stages;
import org.brigade.schedule.Opcode;
import org.brigade.schedule.Slice;
import org.brigade.transport.InboundLink;
import org.brigade.transport.Link;
import org.brigade.transport.OutboundLink;
import org.brigade.waiting.Wait;
import org.brigade.waiting.Waiter;

/**
 * A running schedule: a plan, the buffers and counts of one call, and the position of each lane. Reused from call to
 * call. Advanced under the progress lock.
 *
 * <p>
 * A lane runs until a link refuses or has nothing, or until it must wait for a step of the other lane; then the other
 * lane has its turn. Messages longer than a link's capacity go piece by piece.
 */
public final class Cursor implements Waiter {
    /** Bytes that a local copy or reduction moves before the other lane gets a turn. */
    private static final long LOCAL_PIECE = 256 << 10;

    private static final Region NOTHING = new Region();

    private final Progress progress;
    /** The reducing networks, if there are any: schedules see them as members after the last. */
    private Link[] networks;
    /** The members, which wait for each other in this cursor's calls. */
    final Membership membership;
    private final int[] members;
    /** The call's buffers and how they are divided. */
    public final Operands operands = new Operands();
    private final LocalCopy local = new LocalCopy();
    /** By lane: messages with items that the link's pieces would cut in two. */
    private Scratch[] arrived = {};

    private Plan plan;
    private long key;
    /** The call that this is a part of; null if it is a call. */
    private String within;
    private Combiner incomingLast;
    private Combiner incomingFirst;
    private int windows;
    private boolean finished = true;
    private RuntimeException failure;
    /** Mostly null. */
    private Sequel sequel;
    /**
     * By lane: the rank of the job whose link has a message of another call at its head, in the lane's way; -1 if there
     * is none.
     */
    private int[] blockedBy = {};

    private int laneCount;
    private int lanesLeft;
    private int[] pc = {};
    private int[] round = {};
    private int[] window = {};
    private int[] rounds = {};
    private boolean[] inWindows = {};
    private boolean[] ended = {};
    /** Bytes of the lane's current step that have moved; -1 until its awaits are fulfilled. */
    private long[] moved = {};
    /** Null unless calls are recorded. */
    private final Stages stages = CallRecording.ON ? new Stages() : null;
    private int[] runs = {};

    public Cursor(Progress progress, Membership membership) {
        this.progress = progress;
        this.membership = membership;
        this.members = membership.members;
    }

    /**
     * Sets the reducing networks that schedules may use; null for none. One that this rank does not use is null. Each
     * takes the call's messages for itself.
     */
    public void networks(Link[] links) {
        networks = links;
    }

    private Link link(int member) {
        return member < members.length ? progress.link(members[member]) : networks[member - members.length];
    }

    /**
     * Begins a call. The call's description must stay unchanged until the call has ended.
     *
     * @param key of all its messages
     * @param incomingLast the reduction with the local operand on the left; null if the collective has none
     */
    public void begin(Plan plan, long key, Call call, Combiner incomingLast, Combiner incomingFirst) {
        this.plan = plan;
        this.key = key;
        this.incomingLast = incomingLast;
        this.incomingFirst = incomingFirst;
        within = null;
        finished = false;
        failure = null;
        operands.bind(call, plan.schedule.blocks(),
            Operands.mostStaged(call.collective, plan.schedule.geometry().wires(), plan.choice.chunkBytes()));
        windows = operands.prepare(plan.choice.chunkBytes(), call.extent, plan.schedule.areas());
        laneCount = plan.lanes.length;
        lanesLeft = laneCount;
        if (pc.length < laneCount) {
            makeLanes();
        }
        for (int lane = 0; lane < laneCount; lane++) {
            pc[lane] = 0;
            round[lane] = 0;
            window[lane] = 0;
            inWindows[lane] = false;
            ended[lane] = false;
            moved[lane] = -1;
            blockedBy[lane] = -1;
        }
        int steps = plan.steps.length;
        if (runs.length < steps) {
            runs = new int[steps];
        } else {
            Arrays.fill(runs, 0, steps, 0);
        }
    }

    private void makeLanes() {
        blockedBy = new int[laneCount];
        pc = new int[laneCount];
        round = new int[laneCount];
        window = new int[laneCount];
        rounds = new int[laneCount];
        inWindows = new boolean[laneCount];
        ended = new boolean[laneCount];
        moved = new long[laneCount];
        arrived = new Scratch[laneCount];
    }

    public boolean finished() {
        return finished;
    }

    /** What went wrong in the last call that ended, or null. */
    public RuntimeException failure() {
        return failure;
    }

    public Plan plan() {
        return plan;
    }

    /** What to do at the end of a call. */
    public interface Sequel {
        /**
         * A cursor's call has ended, well or not; it is no longer among the running ones. Called under the lock, from
         * within another wait: it may start cursors, but must not wait.
         */
        void ended(Cursor cursor);
    }

    /** Throws if the communicator has been revoked. */
    public void requireOpen(String call) {
        if (membership.isRevoked()) {
            throw membership.revoked(call);
        }
    }

    /** Starts; when the call ends, {@code next} is told. Other threads' and calls' waits advance it. */
    public void start(Sequel next) {
        sequel = next;
        progress.start(this);
    }

    /** Returns and clears the sequel, so that it is told once only. */
    Sequel takeSequel() {
        Sequel next = sequel;
        sequel = null;
        return next;
    }

    /** Starts and waits for the end, under the lock. Throws what went wrong. */
    public void run(String call) {
        progress.start(this);
        progress.await(this, call);
        if (failure != null) {
            throw failure;
        }
    }

    /** The same for a part of another call, which messages name. */
    public void runWithin(String call) {
        within = call;
        run(call);
    }

    /** Starts; other waits will advance it. */
    public void launch() {
        progress.start(this);
        progress.poll();
    }

    // ---- for Progress ----

    /** The call, for messages. */
    String call() {
        return within != null ? within : plan.schedule.geometry().collective().key();
    }

    int lanes() {
        return laneCount;
    }

    /**
     * The rank of the job whose link has a message of another call at its head, in a lane's way; -1 if there is none.
     */
    int blockedBy(int lane) {
        return blockedBy[lane];
    }

    /** What this call must throw if it has failed on another rank, else null. */
    MPIException failedElsewhere(FailedCalls calls) {
        return calls.take(key, membership);
    }

    /** Whether messages with this key are for this cursor. */
    boolean has(long itsKey) {
        return itsKey == key;
    }

    /**
     * The rank of the job from which a lane waits to receive although that rank is in Finalize, or has left; -1 if
     * there is none. Not for the barrier within Finalize.
     */
    int starvedBy() {
        for (int lane = 0; lane < laneCount && !finished && key >>> 32 != Progress.FINALIZE_CONTEXT; lane++) {
            int world = moved[lane] == 0 ? peerOf(lane, false) : -1;
            if (world >= 0 && progress.losses.isGone(world)) {
                return world;
            }
        }
        return -1;
    }

    /**
     * The rank of the job from which a lane waits to receive although that rank is in another collective; -1 if none.
     */
    int contradictedBy() {
        for (int lane = 0; lane < laneCount && !finished; lane++) {
            int world = moved[lane] == 0 ? peerOf(lane, false) : -1;
            if (world >= 0 && progress.contradicts(world, key)) {
                return world;
            }
        }
        return -1;
    }

    /** The rank of the job to which a lane sends although that rank has left, and whose link is full; -1 if none. */
    int sendsInVain() {
        for (int lane = 0; lane < laneCount && !finished; lane++) {
            int world = moved[lane] >= 0 ? peerOf(lane, true) : -1;
            if (world >= 0 && progress.losses.hasLeft(world)) {
                return world;
            }
        }
        return -1;
    }

    /** The rank of the job to which a lane's present step sends, or from which it receives; -1 if it does not. */
    private int peerOf(int lane, boolean sends) {
        if (ended[lane]) {
            return -1;
        }
        int step = plan.lanes[lane][pc[lane] + 1];
        Opcode opcode = plan.steps[step].opcode();
        boolean does = sends ? opcode == Opcode.SEND : opcode == Opcode.RECV || opcode == Opcode.RECV_REDUCE;
        int peer = does ? plan.peers[step].at(round[lane]) : members.length;
        return peer < members.length ? members[peer] : -1;
    }

    @Override
    public void describe(Wait wait) {
        wait.on(membership.name());
        wait.collective(key);
        for (int lane = 0; lane < laneCount && !finished; lane++) {
            if (!ended[lane] && moved[lane] >= 0) {
                int step = plan.lanes[lane][pc[lane] + 1];
                Opcode opcode = plan.steps[step].opcode();
                boolean moves = opcode == Opcode.SEND || opcode == Opcode.RECV || opcode == Opcode.RECV_REDUCE;
                int peer = moves ? plan.peers[step].at(round[lane]) : members.length;
                if (peer < members.length) {
                    wait.peer(members[peer]);
                }
            }
        }
    }

    /** Whether this call receives from a rank of the job. */
    boolean hears(int world) {
        for (int step = 0; step < plan.steps.length; step++) {
            Opcode opcode = plan.steps[step].opcode();
            for (int at = 0; (opcode == Opcode.RECV || opcode == Opcode.RECV_REDUCE) && at < plan.rounds[step]; at++) {
                int peer = plan.peers[step].at(at);
                if (peer < members.length && members[peer] == world) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Ends the call because a rank has sent a message for it that no step here expects. */
    void failBecauseOf(int stranger) {
        int peer = 0;
        while (members[peer] != stranger) {
            peer++;
        }
        fail(progress.mismatched(call(), membership, key, membership.truncated(call(), "rank " + peer
            + " has sent a message that this rank does not expect: the two run different algorithms, as the ranks"
            + " called with different counts, or called different collectives")));
    }

    /** Moves what can move now; true if anything did. */
    boolean advance() {
        boolean any = operands.fetching;
        boolean again = true;
        if (any) {
            fetch();
        }
        while (again && !finished) {
            again = false;
            for (int lane = 0; lane < laneCount && !finished; lane++) {
                if (!ended[lane]) {
                    again |= runLane(lane);
                }
            }
            any |= again;
        }
        return any;
    }

    // ---- running ----

    private void fetch() {
        try {
            operands.fetch();
        } catch (RuntimeException | Error e) {
            fail(progress.failed(call(), membership, key, e));
        }
    }

    private boolean runLane(int lane) {
        int[] code = plan.lanes[lane];
        boolean any = false;
        blockedBy[lane] = -1;
        while (true) {
            int at = pc[lane];
            switch (code[at]) {
                case Plan.STEP : {
                    int step = code[at + 1];
                    if (moved[lane] < 0) {
                        if (!fulfilled(step, lane)) {
                            return any;
                        }
                        moved[lane] = 0;
                        if (CallRecording.ON) {
                            stages.begin(lane, laneCount);
                        }
                    }
                    long before = moved[lane];
                    boolean done;
                    if (CallRecording.ON) {
                        stages.attempt(lane);
                    }
                    try {
                        done = execute(step, lane);
                    } catch (RuntimeException | Error e) {
                        fail(progress.failed(call(), membership, key, e));
                        return true;
                    }
                    if (!done) {
                        if (CallRecording.ON && moved[lane] > before) {
                            stages.moved(lane);
                        }
                        return any | moved[lane] > before;
                    }
                    if (CallRecording.ON) {
                        record(step, lane);
                    }
                    moved[lane] = -1;
                    runs[step]++;
                    pc[lane] = at + 2;
                    any = true;
                    break;
                }
                case Plan.LOOP : {
                    boolean overWindows = code[at + 1] == Plan.WINDOWS;
                    int times = overWindows ? windows : code[at + 2];
                    if (times == 0) {
                        pc[lane] = code[at + 3];
                        break;
                    }
                    if (overWindows) {
                        window[lane] = 0;
                        inWindows[lane] = true;
                    } else {
                        round[lane] = 0;
                        rounds[lane] = times;
                    }
                    pc[lane] = at + 4;
                    break;
                }
                case Plan.NEXT : {
                    boolean overWindows = code[at + 1] == Plan.WINDOWS;
                    boolean more = overWindows ? ++window[lane] < windows : ++round[lane] < rounds[lane];
                    if (more) {
                        pc[lane] = code[at + 2];
                    } else {
                        if (overWindows) {
                            inWindows[lane] = false;
                            window[lane] = 0;
                        } else {
                            round[lane] = 0;
                        }
                        pc[lane] = at + 3;
                    }
                    break;
                }
                default :
                    ended[lane] = true;
                    if (--lanesLeft == 0) {
                        end();
                    }
                    return true;
            }
        }
    }

    /** Records a step that is done. */
    private void record(int step, int lane) {
        Opcode opcode = plan.steps[step].opcode();
        boolean moves = opcode == Opcode.SEND || opcode == Opcode.RECV || opcode == Opcode.RECV_REDUCE;
        int peer = moves ? plan.peers[step].at(round[lane]) : members.length;
        boolean empty = plan.sources[step] == null && plan.targets[step] == null;
        stages.end(lane, call(), membership.name(), key, plan.choice.algorithm().name(), opcode.name(),
            peer < members.length ? members[peer] : -1, empty ? 0 : operands.bytes);
    }

    private boolean fulfilled(int step, int lane) {
        int[] awaits = plan.awaits[step];
        for (int i = 0; i < awaits.length; i += 3) {
            if (runs[awaits[i]] < plan.needed(step, i, round[lane], window[lane], windows)) {
                return false;
            }
        }
        return true;
    }

    private boolean execute(int step, int lane) {
        switch (plan.steps[step].opcode()) {
            case SEND :
                return send(step, lane);
            case RECV :
            case RECV_REDUCE :
                return receive(step, lane);
            default :
                return move(step, lane);
        }
    }

    private boolean send(int step, int lane) {
        OutboundLink link = link(plan.peers[step].at(round[lane]));
        Slice source = plan.sources[step];
        if (source == null) {
            return link.trySend(Progress.PART, key, NOTHING, 0, 0, 0) >= 0;
        }
        Region region = resolve(source, lane);
        if (operands.bytes == 0) {
            return !operands.emptied || link.trySend(operands.kind, key, region, operands.at, 0, 0) >= 0;
        }
        long sent = link.trySend(operands.kind, key, region, operands.at, operands.bytes, moved[lane]);
        if (sent > 0) {
            moved[lane] += sent;
        }
        return moved[lane] == operands.bytes;
    }

    private boolean receive(int step, int lane) {
        int peer = plan.peers[step].at(round[lane]);
        Slice target = plan.targets[step];
        Region into = NOTHING;
        long intoAt = 0;
        long length = 0;
        int kind = Progress.PART;
        if (target != null) {
            into = resolve(target, lane);
            intoAt = operands.at;
            length = operands.bytes;
            kind = operands.kind;
            if (length == 0) {
                return true;
            }
        }
        Region operand = null;
        long operandAt = 0;
        Combiner combiner = null;
        if (plan.sources[step] != null) {
            operand = resolve(plan.sources[step], lane);
            operandAt = operands.at;
            combiner = plan.steps[step].incomingFirst() ? incomingFirst : incomingLast;
        }
        if (peer >= members.length) {
            return receiveFromNetwork(networks[peer - members.length], lane, length, into, intoAt);
        }
        int world = members[peer];
        Stash stash = progress.stash();
        if (!stash.isEmpty()) {
            Stash.Message message = stash.find(world, Progress.COLLECTIVE, key);
            if (message != null) {
                if (!message.whole()) {
                    blockedBy[lane] = world;
                    return false;
                }
                if (message.data.length != length || message.kind != kind) {
                    shorter(step, lane, peer, length, message.data.length, message.kind);
                }
                stash.deliver(world, message, combiner, operand, operandAt, into, intoAt);
                return true;
            }
        }
        InboundLink link = link(peer);
        if (!link.poll()) {
            return false;
        }
        if (link.key() != key || (link.kind() & ~Progress.FORMS) != Progress.COLLECTIVE || stash.isTaking(world)) {
            blockedBy[lane] = world;
            return false;
        }
        long done = moved[lane];
        if (done == 0 && (link.bytes() != length || link.kind() != kind)) {
            length = shorter(step, lane, peer, length, link.bytes(), link.kind());
        }
        if (combiner != null && 16 % combiner.itemBytes() != 0) {
            return receiveThenReduce(link, lane, length, combiner, operand, operandAt, into, intoAt);
        }
        long taken = combiner == null ? link.tryRecv(into, intoAt + done)
            : link.tryRecvReduce(combiner, operand, operandAt + done, into, intoAt + done);
        moved[lane] = done + taken;
        return moved[lane] == length;
    }

    /**
     * The length of a message that is not as long as expected: a shorter block, which no step reduces. Throws if the
     * length is an error.
     */
    private long shorter(int step, int lane, int peer, long expected, long came, int kind) {
        boolean ends = kind == Progress.COLLECTIVE && came <= expected && plan.steps[step].opcode() == Opcode.RECV
            && plan.targets[step] != null;
        if (!ends || !operands.shorten(plan.targets[step], round[lane], inWindows[lane] ? window[lane] : -1, came)) {
            throw mismatch(peer, expected, came, kind);
        }
        return came;
    }

    /** What a network sends belongs to this call, and is already reduced. */
    private boolean receiveFromNetwork(Link network, int lane, long length, Region into, long intoAt) {
        if (network.poll()) {
            moved[lane] += network.tryRecv(into, intoAt + moved[lane]);
        }
        return moved[lane] == length;
    }

    /** For items that the link's pieces would cut in two: receives the whole message first, then reduces it. */
    private boolean receiveThenReduce(InboundLink link, int lane, long length, Combiner combiner, Region operand,
        long operandAt, Region into, long intoAt) {
        if (arrived[lane] == null) {
            arrived[lane] = new Scratch();
        }
        if (moved[lane] == 0) {
            arrived[lane].reserve(length);
        }
        moved[lane] += link.tryRecv(arrived[lane].region, moved[lane]);
        if (moved[lane] < length) {
            return false;
        }
        if (operand != into || operandAt != intoAt) {
            local.copy(into, intoAt, operand, operandAt, length);
        }
        local.reduce(combiner, into, intoAt, arrived[lane].region, 0, length);
        return true;
    }

    private boolean move(int step, int lane) {
        Region source = resolve(plan.sources[step], lane);
        long sourceAt = operands.at;
        long bytes = operands.bytes;
        Region target = resolve(plan.targets[step], lane);
        if (bytes > operands.bytes) {
            throw mismatch(membership.rank, operands.bytes, bytes, Progress.COLLECTIVE);
        }
        long piece = Math.min(bytes - moved[lane], LOCAL_PIECE);
        if (piece > 0) {
            long done = moved[lane];
            if (plan.steps[step].opcode() == Opcode.COPY) {
                local.copy(target, operands.at + done, source, sourceAt + done, piece);
            } else {
                Combiner combiner = plan.steps[step].incomingFirst() ? incomingFirst : incomingLast;
                local.reduce(combiner, target, operands.at + done, source, sourceAt + done, piece);
            }
            moved[lane] += piece;
        }
        return moved[lane] == bytes;
    }

    private Region resolve(Slice slice, int lane) {
        return operands.resolve(slice, round[lane], inWindows[lane] ? window[lane] : -1);
    }

    // ---- ending ----

    private void end() {
        try {
            operands.deliver();
        } catch (RuntimeException | Error e) {
            fail(progress.failed(call(), membership, key, e));
            return;
        }
        finish();
    }

    private void finish() {
        finished = true;
        operands.clear();
    }

    /** Ends the call with an error. The caller removes it from its list. */
    void fail(RuntimeException e) {
        failure = e;
        for (int lane = 0; lane < laneCount; lane++) {
            abandonHalfReceived(lane);
        }
        for (int lane = 0; lane < laneCount; lane++) {
            handOverHalfSent(lane);
        }
        progress.poison(key);
        finish();
    }

    /**
     * A link takes nothing else until a begun message has ended. So the rest of what this call has half sent is sent
     * without it.
     */
    private void handOverHalfSent(int lane) {
        if (ended[lane] || moved[lane] <= 0) {
            return;
        }
        int step = plan.lanes[lane][pc[lane] + 1];
        if (plan.steps[step].opcode() == Opcode.SEND) {
            Region region = resolve(plan.sources[step], lane);
            byte[] copy = new byte[Math.toIntExact(operands.bytes)];
            try {
                local.copy(new Region().wrap(copy, 0), 0, region, operands.at, operands.bytes);
            } catch (RuntimeException deviceLost) {
                // Its memory is gone. The receiver gets zeros and has an error of its own.
            }
            progress
                .sendRest(new HalfSent(link(plan.peers[step].at(round[lane])), operands.kind, key, copy, moved[lane]));
        }
    }

    /** The caller's memory is its own again as soon as the call has failed. */
    private void abandonHalfReceived(int lane) {
        if (ended[lane] || moved[lane] < 0) {
            return;
        }
        int step = plan.lanes[lane][pc[lane] + 1];
        Opcode opcode = plan.steps[step].opcode();
        int peer = opcode == Opcode.RECV || opcode == Opcode.RECV_REDUCE ? plan.peers[step].at(round[lane])
            : members.length;
        if (peer < members.length && !progress.stash().isTaking(members[peer])) {
            InboundLink link = link(peer);
            if (link.poll() && link.key() == key) {
                link.abandon();
            }
        }
    }

    private RuntimeException mismatch(int peer, long expected, long came, int kind) {
        return membership.truncated(call(), peer, came, (kind & Progress.MORE) != 0, expected);
    }
}
