package org.brigade.communicator;

import java.util.Arrays;
import java.util.Map;
import mpi.MPIException;
import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.DeviceBuffer;
import mpi.spi.ElementKind;
import mpi.spi.Envelope;
import mpi.spi.InterCommunicator;
import mpi.spi.Operation;
import mpi.spi.PersistentOperation;
import mpi.spi.SendMode;
import mpi.spi.SpawnCommand;
import mpi.spi.TypeLayout;
import mpi.spi.window.WindowEnd;
import mpi.spi.window.WindowKind;
import mpi.spi.window.WindowMaker;
import org.brigade.bootstrap.Nodes;
import org.brigade.communicator.call.CallCheck;
import org.brigade.communicator.call.CallSequence;
import org.brigade.communicator.call.WordComparison;
import org.brigade.communicator.device.DeviceRoutes;
import org.brigade.communicator.job.Contexts;
import org.brigade.communicator.job.LinkedJob;
import org.brigade.communicator.job.Processes;
import org.brigade.communicator.route.Routes;
import org.brigade.communicator.wires.WireSource;
import org.brigade.device.DeviceCallAnnouncements;
import org.brigade.device.DeviceCommunicator;
import org.brigade.device.DeviceGroup;
import org.brigade.device.Devices;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.matching.CommunicatorMessages;
import org.brigade.matching.PartitionedMessages;
import org.brigade.select.Choice;
import org.brigade.select.trial.SizeClass;
import org.brigade.window.WindowCreation;

/**
 * A communicator: its members, the context that separates its messages from all others, and its point-to-point and
 * collective parts.
 */
final class IntraCommunicator extends BaseCommunicator implements DeviceCommunicator, WindowMaker {
    private static final TypeLayout LONG = TypeLayout.of("MPI.LONG", ElementKind.LONG, 1);
    /** Set in the context of the library's own messages. */
    static final int INTERNAL = Progress.INTERNAL;
    private static final int WORLD_CONTEXT = 1;

    private final int context;
    private final long firstCall;
    private final int rank;
    private final int[] members;
    private final Membership membership;
    private final DeviceCallAnnouncements line;
    private final CallSequence sequence;
    private final Routes routes;
    /** Null until a collective's buffer is device memory. */
    private DeviceRoutes onDevices;
    /** Counts the exchanges that {@link #onDevices} makes for itself; null as long as that is. */
    private CallSequence deviceExchanges;
    /** The library's own messages of some members: sent minus received. */
    private long unreceivedAside;
    /** For the library's own messages between all members; null before the first. */
    private CommunicatorMessages aside;
    /** Null before the first message in partitions. */
    private PartitionedMessages partitioned;

    /**
     * @param id its context and the number of its first call, as {@link Contexts} hands them out
     * @param returnsErrors whether the communicator that this one is made from returns errors
     */
    IntraCommunicator(LinkedJob job, long id, int rank, int[] members, String name, boolean returnsErrors) {
        super(job, name);
        this.context = (int) id;
        this.firstCall = id >>> Integer.SIZE;
        this.rank = rank;
        this.members = members;
        this.membership = new Membership(rank, members, name, returnsErrors);
        this.messages = job.messages(context, membership);
        this.line = job.devices().line(id, rank, members);
        CallCheck check = job.checks()
            ? new CallCheck(new WordComparison(job.progress(), membership), rank, members.length) : null;
        this.sequence = new CallSequence(context, firstCall, line, check, name);
        this.routes = new Routes(job.progress(), job.selector(), job.combiners(), sequence,
            membership, job.wires(), context == WORLD_CONTEXT);
        this.survivors = new SurvivorCalls(job, context, firstCall, membership);
        job.opened();
        noteName();
    }

    /** The communicator of all ranks of a job. */
    static IntraCommunicator world(LinkedJob job) {
        return new IntraCommunicator(job, WORLD_CONTEXT, job.endpoint().rank(), job.ranks(), "MPI_COMM_WORLD", false);
    }

    private void noteName() {
        job.progress().lock.lock();
        job.progress().recorder.names(context, name);
        job.progress().lock.unlock();
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return members.length;
    }

    @Override
    public int[] members() {
        return job.numbers(members);
    }

    /** The members as ranks of the job, or of the union of jobs, whose links join them. */
    int[] ranks() {
        return members;
    }

    @Override
    int context() {
        return context;
    }

    /** The number of the next collective call. */
    long nextCall() {
        return sequence.number();
    }

    Membership membership() {
        return membership;
    }

    @Override
    public void rename(String name) {
        this.name = name;
        membership.rename(name);
        sequence.rename(name);
        noteName();
    }

    @Override
    public void returnErrors(boolean wish) {
        job.progress().lock.lock();
        try {
            membership.returnErrors(wish);
            if (wish) {
                job.progress().losses.tolerate();
            }
        } finally {
            job.progress().lock.unlock();
        }
    }

    boolean returnsErrors() {
        return membership.returnsErrors();
    }

    @Override
    public void refused(String call, RuntimeException why) {
        if (!job.checks()) {
            return;
        }
        job.progress().lock.lock();
        try {
            sequence.refuse(call, (MPIException) why);
        } finally {
            job.progress().lock.unlock();
        }
    }

    /** Tells the members that this rank finalizes, if calls are compared. */
    void checkFinalize() {
        job.progress().lock.lock();
        try {
            sequence.finish();
        } finally {
            job.progress().lock.unlock();
        }
    }

    @Override
    synchronized PartitionedMessages partitioned() {
        if (partitioned == null) {
            partitioned = new PartitionedMessages(messages.another(context | INTERNAL, membership));
        }
        return partitioned;
    }

    // ---- collectives: on devices if all members' data is there, else through the host ----

    @Override
    public Operation start(Call call) {
        return call.isOnDevice() ? onDevices().start(call) : routes.start(call);
    }

    @Override
    public PersistentOperation prepare(Call call) {
        PersistentOperation prepared = call.isOnDevice() ? onDevices().prepare(call) : null;
        if (prepared != null) {
            return prepared;
        }
        routes.announce(call);
        // A context of its own for the keys of its starts: ranks may start prepared calls in any order.
        long[] id = {rank == 0 ? job.newContext() : 0};
        bcast(id, true);
        CallSequence starts = new CallSequence((int) id[0], id[0] >>> Integer.SIZE, null, null, name);
        return routes.prepare(call, starts,
            () -> job.ended((int) id[0], members, 0, starts.number(), true));
    }

    private DeviceRoutes onDevices() {
        if (onDevices == null) {
            deviceExchanges = new CallSequence(context | INTERNAL, firstCall, null, null, name);
            onDevices = job.devices().routes(membership, sequence, deviceExchanges, line, job.combiners(),
                job.wires(), routes);
        }
        return onDevices;
    }

    @Override
    public DeviceGroup deviceGroup(DeviceBuffer buffer) {
        return onDevices().group(buffer);
    }

    @Override
    public boolean isOnOneNode() {
        Nodes nodes = job.nodes();
        return nodes == null || nodes.spannedBy(members) == 1;
    }

    @Override
    public Devices devices() {
        return job.devices().devices();
    }

    @Override
    public Map<SizeClass, Choice> measured() {
        return onDevices().measured();
    }

    @Override
    public byte[][] exchange(byte[] mine) {
        return onDevices().exchange(mine);
    }

    /** Makes a call for the library itself. */
    private Call call(Collective collective, boolean blocking) {
        return new Call(rank, members.length).begin(collective, blocking);
    }

    void barrier() {
        start(call(Collective.BARRIER, true));
    }

    /** Broadcasts a word from rank 0. */
    Operation bcast(long[] word, boolean blocking) {
        return bcast(word, 0, blocking);
    }

    /** Broadcasts words. */
    Operation bcast(long[] words, int root, boolean blocking) {
        Call call = call(Collective.BCAST, blocking).root(root);
        call.recv.vector(words, 0, words.length, LONG.extent);
        return start(call);
    }

    /** Gathers the words of all ranks, in rank order; every rank gives equally many. */
    long[] allgather(long... mine) {
        long[] all = new long[mine.length * members.length];
        Call call = call(Collective.ALLGATHER, true);
        call.recv.each(all, 0, (long) mine.length * LONG.extent, members.length);
        call.send.own(mine, 0, (long) mine.length * LONG.extent);
        start(call);
        return all;
    }

    // ---- making communicators ----

    @Override
    public Communicator duplicate() {
        long[] id = {rank == 0 ? job.newContext() : 0};
        bcast(id, true);
        return duplicate(id[0]);
    }

    @Override
    public Operation iduplicate(Communicator[] result) {
        long[] id = {rank == 0 ? job.newContext() : 0};
        return new DuplicateOperation(this, bcast(id, false), id, result);
    }

    Communicator duplicate(long newContext) {
        return new IntraCommunicator(job, newContext, rank, members, name + " (duplicate)",
            membership.returnsErrors());
    }

    @Override
    public Communicator split(int colour, int key) {
        long mine = job.newContext();
        long[] all = allgather(colour, key, mine);
        if (colour < 0) {
            job.contexts().giveBack(mine);
            return null;
        }
        long[] keyed = new long[members.length];
        int count = 0;
        for (int i = 0; i < members.length; i++) {
            if (all[3 * i] == colour) {
                keyed[count++] = all[3 * i + 1] << Integer.SIZE | i; // equal keys stay in rank order
            }
        }
        Arrays.sort(keyed, 0, count);
        int[] chosen = new int[count];
        for (int i = 0; i < count; i++) {
            chosen[i] = (int) keyed[i];
        }
        if (chosen[0] != rank) {
            job.contexts().giveBack(mine);
        }
        return member(all[3 * chosen[0] + 2], chosen, name + " (split " + colour + ")");
    }

    @Override
    public Communicator splitShared(int key) {
        Nodes nodes = job.nodes();
        return split(nodes == null ? 0 : nodes.own(), key);
    }

    @Override
    public Communicator create(int[] ranks) {
        // Disjoint sets of callers may pass different groups, so every rank offers a context; the offer of the group's
        // first rank is used.
        long mine = job.newContext();
        long[] all = allgather(mine);
        if (ranks.length == 0 || ranks[0] != rank) {
            job.contexts().giveBack(mine);
        }
        return ranks.length == 0 ? null : member(all[ranks[0]], ranks, name + " (group)");
    }

    @Override
    public Communicator createGroup(int[] ranks, int tag) {
        long[] id = new long[1];
        int newRank = Processes.indexOf(ranks, rank);
        if (newRank < 0) {
            return null;
        }
        if (membership.isRevoked()) {
            throw membership.revoked("createGroup");
        }
        // Only the named ranks take part: other members may be lost.
        CommunicatorMessages aside = messages.another(context | INTERNAL,
            new Membership(newRank, worldOf(ranks), name, membership.returnsErrors()));
        if (newRank == 0) {
            id[0] = job.newContext();
            for (int i = 1; i < ranks.length; i++) {
                aside.send(id, 0, 8, i, tag, SendMode.STANDARD);
            }
        } else {
            aside.recv(id, 0, 8, 0, tag, new Envelope(), "createGroup");
        }
        synchronized (this) { // groups of this communicator may be made by several threads at once
            unreceivedAside += aside.unreceived();
        }
        return member(id[0], ranks, name + " (group)");
    }

    @Override
    public InterCommunicator meet(String call, String port, boolean accepts, int root, RuntimeException wrong) {
        return new Joining(job, this, call, root).meet(port, accepts, (MPIException) wrong);
    }

    @Override
    public InterCommunicator spawn(String call, SpawnCommand[] programs, int root, RuntimeException wrong) {
        return new Joining(job, this, call, root).spawn(programs, (MPIException) wrong);
    }

    @Override
    public InterCommunicator connect(String call, int leader, Communicator peer, int remoteLeader, int tag,
        RuntimeException wrong) {
        return new GroupIntroduction(job, this, call, leader, (MPIException) wrong).connect(peer, remoteLeader,
            tag);
    }

    @Override
    public WindowEnd window(WindowKind kind, Object buffer, long bytes, int unit, boolean locks, String its,
        RuntimeException wrong) {
        return new WindowCreation(job.windows(), job.progress(), this, membership,
            new CommunicatorContexts(job, this), job.devices()::devices)
            .open(kind, buffer, bytes, unit, locks, its, job.checks(), (MPIException) wrong);
    }

    /** Messages of a window that has this communicator to itself. */
    CommunicatorMessages windowMessages() {
        // They arrive unasked: a lost member is an error of the calls that wait, not of theirs.
        aside = messages.another(context | INTERNAL, new Membership(rank, members, name, true));
        return aside;
    }

    /** The library's own messages between the members. */
    CommunicatorMessages aside() {
        if (aside == null) {
            aside = messages.another(context | INTERNAL, membership);
        }
        return aside;
    }

    /** Makes a communicator of these members; null if this rank is not one of them. */
    private Communicator member(long newContext, int[] ranks, String newName) {
        int newRank = Processes.indexOf(ranks, rank);
        if (newRank < 0) {
            return null;
        }
        return new IntraCommunicator(job, newContext, newRank, worldOf(ranks), newName,
            membership.returnsErrors());
    }

    /** The job ranks of these members. */
    private int[] worldOf(int[] ranks) {
        int[] world = new int[ranks.length];
        for (int i = 0; i < ranks.length; i++) {
            world[i] = members[ranks[i]];
        }
        return world;
    }

    @Override
    public boolean sharesProcessor() {
        return job.progress().waiting().sharesProcessor();
    }

    @Override
    public int[][] levels(boolean ask) {
        if (!ask) {
            return job.wires().known(members).levels().groupOf();
        }
        // Two words: a member that makes a communicator instead gives one, and the difference is noticed.
        long[] all = allgather(place(), 0);
        long[] places = new long[members.length];
        for (int i = 0; i < places.length; i++) {
            places[i] = all[2 * i];
        }
        return WireSource.levels(places).groupOf();
    }

    private long place() {
        job.progress().lock.lock();
        try {
            return job.wires().place();
        } finally {
            job.progress().lock.unlock();
        }
    }

    // ---- after the loss of a member ----

    @Override
    public Communicator shrink(String call) {
        int[][] left = new int[1][];
        long[] id = survivors.shrink(call, left, 1);
        return member(id[0], left[0], name + " (shrunk)");
    }

    @Override
    public void free() {
        // Operations under way hold what they need. Everything else is collected with this object, except the line on
        // the board, which others may still read.
        routes.free();
        job.devices().forget(line, onDevices);
        long unreceived = aside == null ? unreceivedAside : unreceivedAside + aside.unreceived();
        boolean clean = messages.isQuiet() && !membership.isRevoked();
        if (partitioned != null) {
            unreceived += partitioned.unreceived();
            clean &= partitioned.isQuiet();
        }
        long next = onDevices == null ? sequence.number() : Math.max(sequence.number(), deviceExchanges.number());
        next = Math.max(next, survivors.free());
        job.ended(context, members, messages.unreceived() + unreceived, next, clean);
        job.closed();
    }

    @Override
    public void disconnect() {
        if (job.isUnion()) {
            barrier();
        }
        free();
    }
}
