package org.brigade.communicator;

import java.util.Arrays;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.InterCommunicator;
import mpi.spi.Operation;
import mpi.spi.PersistentOperation;
import mpi.spi.SendMode;
import mpi.spi.SpawnCommand;
import org.brigade.communicator.job.Contexts;
import org.brigade.communicator.job.LinkedJob;
import org.brigade.communicator.job.Processes;
import org.brigade.engine.Membership;
import org.brigade.matching.CommunicatorMessages;
import org.brigade.matching.PartitionedMessages;

/**
 * A communicator between two groups. Its messages are those of a communicator whose members are the other group, so
 * point-to-point calls are passed on as they are. Its collectives are {@link GroupExchange}s. What one group must agree
 * on goes over an intracommunicator of its own.
 */
final class InterGroupCommunicator extends BaseCommunicator implements InterCommunicator {
    /** Tag of the library's own message that tells the context of a duplicate. */
    private static final int DUPLICATE = 1 << 20;

    /** Tag of the first prepared call. */
    private static final int PREPARED = DUPLICATE + 1;

    private final long id;
    private final IntraCommunicator local;
    private final int[] remote;
    /** The processes of the other group. */
    private final int[] remoteMembers;
    /** Whether the context is from this group, whose rank 0 then keeps it. */
    private final boolean first;
    /** The other group, as messages of the user's see it. */
    private final Membership membership;
    /** The other group, as collectives see it: who waits for one member waits for all. */
    private final Membership together;
    private final Membership both;
    /** The collectives' messages, and the library's own. */
    private final CommunicatorMessages aside;
    private final PartitionedMessages partitioned;
    private int prepared;
    /** Null before the first call of {@link #aside}. */
    private CommunicatorMessages leaders;

    /**
     * @param id its context, and the number of its first call, as {@link Contexts} hands them out
     * @param local this rank's group; freed with this communicator
     * @param remote the other group, as ranks of the job
     */
    InterGroupCommunicator(LinkedJob job, long id, IntraCommunicator local, int[] remote, boolean first,
        String name, boolean returnsErrors) {
        super(job, name);
        this.id = id;
        this.local = local;
        this.remote = remote;
        this.remoteMembers = job.numbers(remote);
        this.first = first || remote.length == 0;
        membership = new Membership(local.rank(), local.size(), remote, name, returnsErrors);
        together = new Membership(local.rank(), local.size(), remote, name, returnsErrors, true);
        both = Membership.ofBoth(local.membership(), this.first, name, membership, together);
        messages = job.messages((int) id, membership);
        aside = messages.another((int) id | IntraCommunicator.INTERNAL, together);
        survivors = new SurvivorCalls(job, (int) id, id >>> Integer.SIZE, both, local.context());
        partitioned = new PartitionedMessages(aside);
        job.opened();
        job.progress().recorder.names((int) id, name);
    }

    @Override
    int context() {
        return (int) id;
    }

    @Override
    PartitionedMessages partitioned() {
        return partitioned;
    }

    @Override
    public int rank() {
        return local.rank();
    }

    @Override
    public int size() {
        return local.size();
    }

    @Override
    public int[] members() {
        return local.members();
    }

    @Override
    public int[] remoteMembers() {
        return remoteMembers;
    }

    @Override
    public void rename(String newName) {
        name = newName;
        both.rename(newName);
        job.progress().recorder.names((int) id, newName);
    }

    @Override
    public void returnErrors(boolean wish) {
        local.returnErrors(wish);
        job.progress().lock.lock();
        try {
            both.returnErrors(wish);
        } finally {
            job.progress().lock.unlock();
        }
    }

    /** Calls between groups are not compared. */
    @Override
    public void refused(String call, RuntimeException why) {
    }

    /** The library's own messages between two members, whose calls concern no other. */
    CommunicatorMessages aside() {
        if (leaders == null) {
            leaders = messages.another((int) id | IntraCommunicator.INTERNAL, membership);
        }
        return leaders;
    }

    // ---- collectives ----

    @Override
    public Operation start(Call call) {
        Operation exchange = exchange(call, call.collective.ordinal());
        if (!call.blocking) {
            return exchange;
        }
        exchange.await();
        return null;
    }

    /** Prepared calls may be started in any order, so each has a tag. */
    @Override
    public PersistentOperation prepare(Call call) {
        if (both.isRevoked()) {
            throw both.revoked(call.collective.key());
        }
        int tag = PREPARED + prepared++;
        return new PreparedExchange(() -> exchange(call, tag));
    }

    private Operation exchange(Call call, int tag) {
        return new GroupExchange(job.progress(), job.combiners(), aside, together, both, name, call,
            tag);
    }

    /** The words of each rank of the other group, which gets this rank's. */
    private long[] allgather(long... mine) {
        long[] all = new long[mine.length * remote.length];
        Call call = new Call(-1, remote.length).begin(Collective.ALLGATHER, true);
        call.send.own(mine, 0, (long) mine.length * Long.BYTES);
        call.recv.each(all, 0, (long) mine.length * Long.BYTES, remote.length);
        start(call);
        return all;
    }

    // ---- making communicators ----

    @Override
    public Communicator duplicate() {
        Communicator[] made = new Communicator[1];
        iduplicate(made).await();
        return made[0];
    }

    /** One rank makes the context and tells it to all, so that no rank has to pass it on. */
    @Override
    public Operation iduplicate(Communicator[] result) {
        boolean leads = first && local.rank() == 0;
        long[] context = {0};
        Communicator[] copy = new Communicator[1];
        OperationSet parts = new OperationSet(job.progress(), both, "dup") {
            @Override
            protected void finish() {
                result[0] = new InterGroupCommunicator(job, context[0], (IntraCommunicator) copy[0], remote, first,
                    name + " (duplicate)", membership.returnsErrors());
            }
        };
        context[0] = leads ? job.newContext() : 0;
        parts.add(local.iduplicate(copy));
        parts.add(first ? local.bcast(context, false) : aside.irecv(context, 0, Long.BYTES, 0, DUPLICATE, "dup"));
        for (int peer = 0; leads && peer < remote.length; peer++) {
            parts.add(aside.isend(context, 0, Long.BYTES, peer, DUPLICATE, SendMode.STANDARD));
        }
        return parts;
    }

    @Override
    public Communicator merge(boolean high) {
        long offer = local.rank() == 0 ? job.newContext() : 0;
        long[] ours = local.allgather(high ? 1 : 0, offer);
        long[] theirs = allgather(high ? 1 : 0, offer);
        boolean alike = areAlike(ours) && areAlike(theirs);
        boolean ahead = theirs.length == 0 || (ours[0] == theirs[0] ? first : ours[0] < theirs[0]);
        if (local.rank() == 0 && !(alike && ahead)) {
            job.contexts().giveBack(offer);
        }
        if (!alike) {
            throw error(ErrorClass.ARG, "merge",
                "ranks of one group pass different values of high; pass the same on all ranks of a group");
        }
        int[] union = ahead ? union(local.ranks(), remote) : union(remote, local.ranks());
        return new IntraCommunicator(job, ahead ? ours[1] : theirs[1],
            ahead ? local.rank() : remote.length + local.rank(), union, name + " (merged)", membership.returnsErrors());
    }

    private static boolean areAlike(long[] words) {
        for (int i = 0; i < words.length; i += 2) {
            if (words[i] != words[0]) {
                return false;
            }
        }
        return true;
    }

    private static int[] union(int[] before, int[] after) {
        int[] union = Arrays.copyOf(before, before.length + after.length);
        System.arraycopy(after, 0, union, before.length, after.length);
        return union;
    }

    @Override
    public Communicator split(int colour, int key) {
        throw onlyWithin("split");
    }

    @Override
    public Communicator splitShared(int key) {
        throw onlyWithin("splitType");
    }

    @Override
    public Communicator create(int[] ranks) {
        throw onlyWithin("create");
    }

    @Override
    public Communicator createGroup(int[] ranks, int tag) {
        throw onlyWithin("createGroup");
    }

    @Override
    public InterCommunicator connect(String call, int leader, Communicator peer, int remoteLeader, int tag,
        RuntimeException wrong) {
        throw onlyWithin(call);
    }

    @Override
    public InterCommunicator meet(String call, String port, boolean accepts, int root, RuntimeException wrong) {
        throw onlyWithin(call);
    }

    @Override
    public InterCommunicator spawn(String call, SpawnCommand[] programs, int root, RuntimeException wrong) {
        throw onlyWithin(call);
    }

    /** Both APIs have these calls for intracommunicators only. */
    private MPIException onlyWithin(String call) {
        return error(ErrorClass.COMM, call,
            "the communicator is between two groups, and the call is for one group; merge() makes such a communicator");
    }

    private MPIException error(ErrorClass errorClass, String call, String what) {
        return errorClass.in(call, local.rank(), local.size(), name, what);
    }

    // ---- after the loss of a member ----

    /** Three contexts are agreed on: that of the new communicator, and one for each group. */
    @Override
    public Communicator shrink(String call) {
        int[][] left = new int[1][];
        long[] ids = survivors.shrink(call, left, 3);
        int[] own = left(left[0], first ? 0 : remote.length, local.ranks());
        int[] others = left(left[0], first ? local.size() : 0, remote);
        if (others.length == 0 && left[0][0] == both.rank) {
            job.contexts().giveBack(ids[first ? 2 : 1]); // nobody is left in the other group
        }
        IntraCommunicator group = new IntraCommunicator(job, ids[first ? 1 : 2],
            Processes.indexOf(own, local.ranks()[local.rank()]), own, local.name() + " (shrunk)",
            both.returnsErrors());
        return new InterGroupCommunicator(job, ids[0], group, others, first, name + " (shrunk)",
            both.returnsErrors());
    }

    /** Those of a group that are left. @param begin where the group's members begin among those of both */
    private static int[] left(int[] left, int begin, int[] group) {
        int[] found = new int[group.length];
        int count = 0;
        for (int member : left) {
            if (member >= begin && member < begin + group.length) {
                found[count++] = group[member - begin];
            }
        }
        return Arrays.copyOf(found, count);
    }

    @Override
    public void free() {
        boolean clean = messages.isQuiet() && aside.isQuiet() && !both.isRevoked();
        long unreceived = messages.unreceived() + aside.unreceived() + (leaders == null ? 0 : leaders.unreceived());
        long next = Math.max(id >>> Integer.SIZE, survivors.free());
        job.ended((int) id, both.members, unreceived, next, clean);
        local.free();
        job.closed();
    }

    @Override
    public void disconnect() {
        if (job.isUnion()) {
            start(new Call(-1, remote.length).begin(Collective.BARRIER, true));
        }
        free();
    }
}
