package org.brigade.communicator;

import mpi.spi.Communicator;
import mpi.spi.Envelope;
import mpi.spi.MatchedMessage;
import mpi.spi.Operation;
import mpi.spi.PersistentOperation;
import mpi.spi.SendMode;
import mpi.spi.TypeLayout;
import org.brigade.communicator.job.LinkedJob;
import org.brigade.matching.CommunicatorMessages;
import org.brigade.matching.PartitionedMessages;

/**
 * What communicators of one group and those between two groups have in common: point-to-point calls, and the calls that
 * work when members are lost. A rank in these calls is an index into the members that messages go to.
 */
abstract class BaseCommunicator implements Communicator {
    final LinkedJob job;
    String name;
    // Set once, when the communicator is made.
    CommunicatorMessages messages;
    SurvivorCalls survivors;

    BaseCommunicator(LinkedJob job, String name) {
        this.job = job;
        this.name = name;
    }

    abstract int context();

    /** The messages in partitions. */
    abstract PartitionedMessages partitioned();

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final void threw(String call) {
        job.threw(context());
    }

    // ---- point to point ----

    @Override
    public final void send(Object buffer, long offset, int count, TypeLayout type, int destination, int tag,
        SendMode mode) {
        messages.send(buffer, offset, (long) count * type.extent, type.unit, destination, tag, mode);
    }

    @Override
    public final Operation isend(Object buffer, long offset, int count, TypeLayout type, int destination, int tag,
        SendMode mode) {
        return messages.isend(buffer, offset, (long) count * type.extent, type.unit, destination, tag, mode);
    }

    @Override
    public final void recv(Object buffer, long offset, int count, TypeLayout type, int source, int tag,
        Envelope envelope,
        String call) {
        messages.recv(buffer, offset, (long) count * type.extent, source, tag, envelope, call);
    }

    @Override
    public final Operation irecv(Object buffer, long offset, int count, TypeLayout type, int source, int tag,
        String call) {
        return messages.irecv(buffer, offset, (long) count * type.extent, source, tag, call);
    }

    @Override
    public final boolean iprobe(int source, int tag, Envelope envelope) {
        boolean found = messages.iprobe(source, tag, envelope);
        if (!found) {
            messages.requirePossible("Iprobe", source);
        }
        return found;
    }

    @Override
    public final void probe(int source, int tag, Envelope envelope) {
        messages.probe(source, tag, envelope);
    }

    @Override
    public final MatchedMessage improbe(int source, int tag, Envelope envelope) {
        MatchedMessage message = messages.improbe(source, tag, envelope);
        if (message == null) {
            messages.requirePossible("Improbe", source);
        }
        return message;
    }

    @Override
    public final MatchedMessage mprobe(int source, int tag, Envelope envelope) {
        return messages.mprobe(source, tag, envelope);
    }

    @Override
    public final PersistentOperation sendInit(Object buffer, long offset, int count, TypeLayout type, int destination,
        int tag, SendMode mode) {
        return messages.sendInit(buffer, offset, (long) count * type.extent, type.unit, destination, tag, mode);
    }

    @Override
    public final PersistentOperation recvInit(Object buffer, long offset, int count, TypeLayout type, int source,
        int tag,
        String call) {
        return messages.recvInit(buffer, offset, (long) count * type.extent, source, tag, call);
    }

    @Override
    public final PersistentOperation.InPartitions partitionedSendInit(Object buffer, long offset, int partitions,
        long bytes,
        int destination, int tag, String call) {
        return partitioned().sendInit(buffer, offset, partitions, bytes, destination, tag, call);
    }

    @Override
    public final PersistentOperation.InPartitions partitionedRecvInit(Object buffer, long offset, int partitions,
        long bytes,
        int source,
        int tag, String call) {
        return partitioned().recvInit(buffer, offset, partitions, bytes, source, tag, call);
    }

    // ---- after the loss of a member; between two groups, of both ----

    @Override
    public final void revoke() {
        survivors.revoke();
    }

    @Override
    public final boolean isRevoked() {
        return survivors.isRevoked();
    }

    @Override
    public final int[] failed() {
        return survivors.failed();
    }

    @Override
    public final int acknowledge(int count) {
        return survivors.acknowledge(count);
    }

    @Override
    public final Operation agree(String call, int[] flag) {
        return survivors.agree(call, flag);
    }
}
