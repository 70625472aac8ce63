package mpi;

import mpi.spi.Call;
import mpi.spi.Communicator;
import mpi.spi.Envelope;
import mpi.spi.InterCommunicator;
import mpi.spi.MatchedMessage;
import mpi.spi.Operation;
import mpi.spi.PersistentOperation;
import mpi.spi.PersistentOperation.Completed;
import mpi.spi.SendMode;
import mpi.spi.SpawnCommand;
import mpi.spi.TypeLayout;

/** Rank 0 of 2 of a communicator that does nothing at all. */
final class SilentCommunicator implements Communicator {
    private final int[] members = {0, 1};
    /** The call that has thrown last before it began. */
    String threw;

    @Override
    public int rank() {
        return 0;
    }

    @Override
    public int size() {
        return 2;
    }

    @Override
    public int[] members() {
        return members;
    }

    @Override
    public String name() {
        return "SILENT";
    }

    @Override
    public void rename(String name) {
        // Nothing.
    }

    @Override
    public void refused(String call, RuntimeException why) {
        // Nothing.
    }

    @Override
    public void threw(String call) {
        threw = call;
    }

    @Override
    public void returnErrors(boolean wish) {
        // Nothing.
    }

    @Override
    public void send(Object buffer, long offset, int count, TypeLayout type, int destination, int tag, SendMode mode) {
        // Nothing.
    }

    @Override
    public Operation isend(Object buffer, long offset, int count, TypeLayout type, int destination, int tag,
        SendMode mode) {
        return null;
    }

    @Override
    public void recv(Object buffer, long offset, int count, TypeLayout type, int source, int tag, Envelope envelope,
        String call) {
        // Nothing.
    }

    @Override
    public Operation irecv(Object buffer, long offset, int count, TypeLayout type, int source, int tag, String call) {
        return null;
    }

    @Override
    public boolean iprobe(int source, int tag, Envelope envelope) {
        return false;
    }

    @Override
    public void probe(int source, int tag, Envelope envelope) {
        // Nothing.
    }

    @Override
    public MatchedMessage improbe(int source, int tag, Envelope envelope) {
        return null;
    }

    @Override
    public MatchedMessage mprobe(int source, int tag, Envelope envelope) {
        return null;
    }

    @Override
    public PersistentOperation sendInit(Object buffer, long offset, int count, TypeLayout type, int destination,
        int tag, SendMode mode) {
        return Completed.SENT;
    }

    @Override
    public PersistentOperation recvInit(Object buffer, long offset, int count, TypeLayout type, int source, int tag,
        String call) {
        return Completed.RECEIVED_FROM_NOBODY;
    }

    @Override
    public PersistentOperation.InPartitions partitionedSendInit(Object buffer, long offset, int partitions, long bytes,
        int destination, int tag, String call) {
        return Completed.SENT;
    }

    @Override
    public PersistentOperation.InPartitions partitionedRecvInit(Object buffer, long offset, int partitions, long bytes,
        int source,
        int tag, String call) {
        return Completed.RECEIVED_FROM_NOBODY;
    }

    @Override
    public Operation start(Call call) {
        return null;
    }

    @Override
    public PersistentOperation prepare(Call call) {
        return Completed.SENT;
    }

    @Override
    public Communicator duplicate() {
        return null;
    }

    @Override
    public Operation iduplicate(Communicator[] result) {
        return null;
    }

    @Override
    public Communicator split(int colour, int key) {
        return null;
    }

    @Override
    public Communicator splitShared(int key) {
        return null;
    }

    @Override
    public Communicator create(int[] ranks) {
        return null;
    }

    @Override
    public Communicator createGroup(int[] ranks, int tag) {
        return null;
    }

    @Override
    public InterCommunicator connect(String call, int leader, Communicator peer, int remoteLeader, int tag,
        RuntimeException wrong) {
        return null;
    }

    @Override
    public InterCommunicator meet(String call, String port, boolean accepts, int root, RuntimeException wrong) {
        return null;
    }

    @Override
    public InterCommunicator spawn(String call, SpawnCommand[] programs, int root, RuntimeException wrong) {
        return null;
    }

    @Override
    public void revoke() {
        // Nothing.
    }

    @Override
    public boolean isRevoked() {
        return false;
    }

    @Override
    public int[] failed() {
        return new int[0];
    }

    @Override
    public int acknowledge(int count) {
        return 0;
    }

    @Override
    public Operation agree(String call, int[] flag) {
        return null;
    }

    @Override
    public Communicator shrink(String call) {
        return null;
    }

    @Override
    public void free() {
        // Nothing.
    }
}
