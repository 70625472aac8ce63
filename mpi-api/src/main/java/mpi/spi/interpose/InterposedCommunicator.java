package mpi.spi.interpose;

import mpi.spi.Call;
import mpi.spi.Communicator;
import mpi.spi.Envelope;
import mpi.spi.InterCommunicator;
import mpi.spi.MatchedMessage;
import mpi.spi.Operation;
import mpi.spi.PersistentOperation;
import mpi.spi.SendMode;
import mpi.spi.SpawnCommand;
import mpi.spi.TypeLayout;
import mpi.spi.window.WindowEnd;
import mpi.spi.window.WindowKind;
import mpi.spi.window.WindowMaker;

/** A communicator whose calls go through one {@link Interposer}, and so do those of the communicators that it makes. */
class InterposedCommunicator implements Communicator, WindowMaker {
    final Interposer tool;
    private final Communicator below;

    private InterposedCommunicator(Interposer tool, Communicator below) {
        this.tool = tool;
        this.below = below;
    }

    /** Null stays null. */
    static Communicator wrap(Interposer tool, Communicator below) {
        return below == null ? null
            : below instanceof InterCommunicator inter ? new Inter(tool, inter)
                : new InterposedCommunicator(tool, below);
    }

    private Communicator wrap(Communicator made) {
        return wrap(tool, made);
    }

    final InterCommunicator wrapInter(InterCommunicator made) {
        return made == null ? null : new Inter(tool, made);
    }

    @Override
    public final void threw(String call) {
        below.threw(call);
    }

    @Override
    public final Communicator core() {
        return below.core();
    }

    // ---- what it is ----

    @Override
    public final int rank() {
        return below.rank();
    }

    @Override
    public final int size() {
        return below.size();
    }

    @Override
    public final int[] members() {
        return below.members();
    }

    @Override
    public final String name() {
        return below.name();
    }

    @Override
    public final void rename(String name) {
        below.rename(name);
    }

    @Override
    public final void returnErrors(boolean wish) {
        below.returnErrors(wish);
    }

    @Override
    public final void refused(String call, RuntimeException why) {
        below.refused(call, why);
    }

    @Override
    public final int[][] levels(boolean ask) {
        return below.levels(ask);
    }

    @Override
    public final boolean sharesProcessor() {
        return below.sharesProcessor();
    }

    // ---- calls ----

    @Override
    public final Operation start(Call call) {
        return tool.start(below, call);
    }

    @Override
    public final PersistentOperation prepare(Call call) {
        return tool.prepare(below, call);
    }

    @Override
    public final void send(Object buffer, long offset, int count, TypeLayout type, int destination, int tag,
        SendMode mode) {
        tool.send(below, buffer, offset, count, type, destination, tag, mode);
    }

    @Override
    public final Operation isend(Object buffer, long offset, int count, TypeLayout type, int destination, int tag,
        SendMode mode) {
        return tool.isend(below, buffer, offset, count, type, destination, tag, mode);
    }

    @Override
    public final void recv(Object buffer, long offset, int count, TypeLayout type, int source, int tag,
        Envelope envelope, String call) {
        tool.recv(below, buffer, offset, count, type, source, tag, envelope, call);
    }

    @Override
    public final Operation irecv(Object buffer, long offset, int count, TypeLayout type, int source, int tag,
        String call) {
        return tool.irecv(below, buffer, offset, count, type, source, tag, call);
    }

    @Override
    public final boolean iprobe(int source, int tag, Envelope envelope) {
        return tool.iprobe(below, source, tag, envelope);
    }

    @Override
    public final void probe(int source, int tag, Envelope envelope) {
        tool.probe(below, source, tag, envelope);
    }

    @Override
    public final MatchedMessage improbe(int source, int tag, Envelope envelope) {
        return tool.improbe(below, source, tag, envelope);
    }

    @Override
    public final MatchedMessage mprobe(int source, int tag, Envelope envelope) {
        return tool.mprobe(below, source, tag, envelope);
    }

    @Override
    public final PersistentOperation sendInit(Object buffer, long offset, int count, TypeLayout type, int destination,
        int tag, SendMode mode) {
        return tool.sendInit(below, buffer, offset, count, type, destination, tag, mode);
    }

    @Override
    public final PersistentOperation recvInit(Object buffer, long offset, int count, TypeLayout type, int source,
        int tag, String call) {
        return tool.recvInit(below, buffer, offset, count, type, source, tag, call);
    }

    @Override
    public final PersistentOperation.InPartitions partitionedSendInit(Object buffer, long offset, int partitions,
        long bytes, int destination, int tag, String call) {
        return tool.partitionedSendInit(below, buffer, offset, partitions, bytes, destination, tag, call);
    }

    @Override
    public final PersistentOperation.InPartitions partitionedRecvInit(Object buffer, long offset, int partitions,
        long bytes, int source, int tag, String call) {
        return tool.partitionedRecvInit(below, buffer, offset, partitions, bytes, source, tag, call);
    }

    // ---- making and ending communicators ----

    @Override
    public final Communicator duplicate() {
        return wrap(tool.duplicate(below));
    }

    @Override
    public final Operation iduplicate(Communicator[] result) {
        Communicator[] made = new Communicator[1];
        return new ForwardingOperation(tool.iduplicate(below, made)) {
            @Override
            public boolean test() {
                if (!super.test()) {
                    return false;
                }
                open();
                return true;
            }

            @Override
            public void await() {
                super.await();
                open();
            }

            private synchronized void open() {
                if (result[0] == null) {
                    result[0] = wrap(made[0]);
                }
            }
        };
    }

    @Override
    public final Communicator split(int colour, int key) {
        return wrap(tool.split(below, colour, key));
    }

    @Override
    public final Communicator splitShared(int key) {
        return wrap(tool.splitShared(below, key));
    }

    @Override
    public final Communicator create(int[] ranks) {
        return wrap(tool.create(below, ranks));
    }

    @Override
    public final Communicator createGroup(int[] ranks, int tag) {
        return wrap(tool.createGroup(below, ranks, tag));
    }

    @Override
    public final InterCommunicator connect(String call, int leader, Communicator peer, int remoteLeader, int tag,
        RuntimeException wrong) {
        return wrapInter(tool.connect(below, call, leader, peer, remoteLeader, tag, wrong));
    }

    @Override
    public final InterCommunicator meet(String call, String port, boolean accepts, int root, RuntimeException wrong) {
        return wrapInter(tool.meet(below, call, port, accepts, root, wrong));
    }

    @Override
    public final InterCommunicator spawn(String call, SpawnCommand[] programs, int root, RuntimeException wrong) {
        return wrapInter(tool.spawn(below, call, programs, root, wrong));
    }

    // ---- after the loss of a member ----

    @Override
    public final void revoke() {
        tool.revoke(below);
    }

    @Override
    public final boolean isRevoked() {
        return below.isRevoked();
    }

    @Override
    public final int[] failed() {
        return below.failed();
    }

    @Override
    public final int acknowledge(int count) {
        return tool.acknowledge(below, count);
    }

    @Override
    public final Operation agree(String call, int[] flag) {
        return tool.agree(below, call, flag);
    }

    @Override
    public final Communicator shrink(String call) {
        return wrap(tool.shrink(below, call));
    }

    @Override
    public final void free() {
        tool.free(below);
    }

    @Override
    public final void disconnect() {
        tool.disconnect(below);
    }

    @Override
    public final WindowEnd window(WindowKind kind, Object buffer, long bytes, int unit, boolean locks,
        String name, RuntimeException wrong) {
        return tool.window((WindowMaker) below, kind, buffer, bytes, unit, locks, name, wrong);
    }

    /** A communicator between two groups. */
    private static final class Inter extends InterposedCommunicator implements InterCommunicator {
        private final InterCommunicator below;

        Inter(Interposer tool, InterCommunicator below) {
            super(tool, below);
            this.below = below;
        }

        @Override
        public int[] remoteMembers() {
            return below.remoteMembers();
        }

        @Override
        public Communicator merge(boolean high) {
            return wrap(tool, tool.merge(below, high));
        }
    }
}
