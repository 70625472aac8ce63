package mpi.front.calls;

import java.util.Arrays;
import mpi.ErrorClass;
import mpi.front.arguments.Arguments;
import mpi.front.job.Constants;
import mpi.front.job.Handle;
import mpi.front.types.ItemType;
import mpi.front.types.ReductionOperation;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.Extent;

/**
 * A collective call of an inter-communicator. Its ranks are those of the other group, and at the root {@code MPI.ROOT}
 * takes the place of the rank.
 */
public final class InterCollectiveCall extends CollectiveCall {
    InterCollectiveCall(Handle handle, Communicator lower) {
        super(handle, lower, Constants.ROOT);
    }

    @Override
    public CollectiveCall root(int root) {
        if (root != Constants.ROOT && root != Constants.PROC_NULL && (root < 0 || root >= handle.size)) {
            throw handle.error(ErrorClass.ROOT, name, "root " + root + " is not a rank of the other group; pass 0 <="
                + " root < " + handle.size
                + ", at the root MPI.ROOT, and on the other ranks of its group MPI.PROC_NULL");
        }
        call.root(root);
        return this;
    }

    @Override
    public CollectiveCall atRoot(String elsewhere) {
        return isBeside() ? this : super.atRoot(elsewhere);
    }

    @Override
    public CollectiveCall elsewhere(String atRoot) {
        return isBeside() ? this : super.elsewhere(atRoot);
    }

    /** Whether this rank is in the root's group, and is not the root. */
    private boolean isBeside() {
        return call.collective.rooted && call.root == Constants.PROC_NULL;
    }

    private boolean fromRoot() {
        return call.collective.send == Extent.NONE || call.collective.scatters();
    }

    @Override
    boolean sends() {
        return !call.collective.rooted || !isBeside() && fromRoot() == call.isRoot();
    }

    @Override
    boolean receives() {
        // The root of a bcast has its data in the operand to receive.
        return !call.collective.rooted
            || !isBeside() && (call.collective.send == Extent.NONE || fromRoot() != call.isRoot());
    }

    /** Of a rooted collective: the one buffer that this rank uses. */
    @Override
    public CollectiveCall inPlace(Object buffer, int offset, int count, ItemType type) {
        checkRooted();
        return send(buffer, offset, count, type).recv(buffer, offset, count, type);
    }

    @Override
    public CollectiveCall inPlace(Object buffer, int offset, int[] counts, int[] displacements, ItemType type) {
        checkRooted();
        return call.collective.scatters() ? send(buffer, offset, counts, displacements, type)
            : recv(buffer, offset, counts, displacements, type);
    }

    @Override
    public CollectiveCall reduce(Object sendbuf, int sendOffset, Object recvbuf, int recvOffset, int count,
        ItemType type,
        ReductionOperation op) {
        if (isBeside()) {
            return this;
        }
        if (call.collective == Collective.REDUCE_SCATTER) {
            int[] counts = new int[handle.group];
            Arrays.fill(counts, count);
            return reduce(sendbuf, sendOffset, recvbuf, recvOffset, counts, type, op);
        }
        if (isOfObjects(type)) {
            objects().operation(op, type);
        } else {
            operation(op, type);
        }
        if (sendbuf == recvbuf && sendOffset == recvOffset && count != 0) {
            checkRooted();
        }
        return recv(recvbuf, recvOffset, count, type).send(sendbuf, sendOffset, count, type);
    }

    @Override
    public CollectiveCall reduce(Object sendbuf, int sendOffset, Object recvbuf, int recvOffset, int[] counts,
        ItemType type,
        ReductionOperation op) {
        int total = total(counts, handle.group);
        int own = counts[handle.rank];
        if (sendbuf == recvbuf && sendOffset == recvOffset && total != 0) {
            checkRooted();
        }
        if (isOfObjects(type)) {
            objects().operation(op, type);
            objects().send(sendbuf, sendOffset, total, 1, type);
            objects().recv(recvbuf, recvOffset, own, 1, type);
            objects().ownBlock(counts);
            return this;
        }
        operation(op, type);
        Object in = checked("recvbuf", recvbuf, recvOffset, own, 1, type, true);
        Object out = checked("sendbuf", sendbuf, sendOffset, total, 1, type, false);
        call.send.listed(out, type.at(sendOffset), counts, null, type.size, handle.group);
        fill(call.recv, Extent.OWN, in, recvOffset, own, 1, type);
        return this;
    }

    @Override
    void operation(ReductionOperation op, ItemType type) {
        super.operation(op, type);
        Arguments.binary(handle, name, op);
    }

    private void checkRooted() {
        if (!call.collective.rooted) {
            throw handle.error(ErrorClass.BUFFER, name, "an inter-communicator has no form in place, as this rank gets"
                + " what the other group sends; pass one buffer to send and another to receive");
        }
    }

    /** No rank sends to itself here. */
    @Override
    void requireRoomForOwn() {
    }
}
