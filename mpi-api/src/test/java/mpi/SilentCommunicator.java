package mpi;

import mpi.spi.Communicator;
import mpi.spi.Envelope;
import mpi.spi.Operation;
import mpi.spi.Reduction;
import mpi.spi.SendMode;
import mpi.spi.TypeLayout;

/** Rank 0 of 2 of a communicator that does nothing at all. */
final class SilentCommunicator implements Communicator {
    private final int[] members = {0, 1};

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
    public void refused(String call, MPIException why) {
        // Nothing.
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
    public Operation isend(Object buffer, long offset, int count, TypeLayout type, int destination, int tag, SendMode mode) {
        return null;
    }

    @Override
    public void recv(Object buffer, long offset, int count, TypeLayout type, int source, int tag, Envelope envelope) {
        // Nothing.
    }

    @Override
    public Operation irecv(Object buffer, long offset, int count, TypeLayout type, int source, int tag) {
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
    public Operation barrier(boolean blocking) {
        return null;
    }

    @Override
    public Operation bcast(Object buffer, long offset, int count, TypeLayout type, int root, boolean blocking) {
        return null;
    }

    @Override
    public Operation gather(Object send, long sendOffset, int sendCount, TypeLayout sendType, Object recv,
            long recvOffset, int recvCount, TypeLayout recvType, int root, boolean blocking) {
        return null;
    }

    @Override
    public Operation gatherv(Object send, long sendOffset, int sendCount, TypeLayout sendType, Object recv,
            long recvOffset, int[] recvCounts, int[] displacements, TypeLayout recvType, int root, boolean blocking) {
        return null;
    }

    @Override
    public Operation scatter(Object send, long sendOffset, int sendCount, TypeLayout sendType, Object recv,
            long recvOffset, int recvCount, TypeLayout recvType, int root, boolean blocking) {
        return null;
    }

    @Override
    public Operation scatterv(Object send, long sendOffset, int[] sendCounts, int[] displacements, TypeLayout sendType,
            Object recv, long recvOffset, int recvCount, TypeLayout recvType, int root, boolean blocking) {
        return null;
    }

    @Override
    public Operation allgather(Object send, long sendOffset, int sendCount, TypeLayout sendType,
            Object recv, long recvOffset, int recvCount, TypeLayout recvType, boolean blocking) {
        return null;
    }

    @Override
    public Operation allgatherv(Object send, long sendOffset, int sendCount, TypeLayout sendType, Object recv,
            long recvOffset, int[] recvCounts, int[] displacements, TypeLayout recvType, boolean blocking) {
        return null;
    }

    @Override
    public Operation alltoall(Object send, long sendOffset, int sendCount, TypeLayout sendType,
            Object recv, long recvOffset, int recvCount, TypeLayout recvType, boolean blocking) {
        return null;
    }

    @Override
    public Operation alltoallv(Object send, long sendOffset, int[] sendCounts, int[] sendDisplacements, TypeLayout sendType,
            Object recv, long recvOffset, int[] recvCounts, int[] recvDisplacements, TypeLayout recvType, boolean blocking) {
        return null;
    }

    @Override
    public Operation alltoallw(Object send, long sendOffset, int[] sendCounts, int[] sendDisplacements, TypeLayout[] sendTypes,
            Object recv, long recvOffset, int[] recvCounts, int[] recvDisplacements, TypeLayout[] recvTypes, boolean blocking) {
        return null;
    }

    @Override
    public Operation reduce(Object send, long sendOffset, Object recv, long recvOffset,
            int count, TypeLayout type, Reduction op, int root, boolean blocking) {
        return null;
    }

    @Override
    public Operation allreduce(Object send, long sendOffset, Object recv, long recvOffset,
            int count, TypeLayout type, Reduction op, boolean blocking) {
        return null;
    }

    @Override
    public Operation reduceScatter(Object send, long sendOffset, Object recv, long recvOffset,
            int[] counts, TypeLayout type, Reduction op, boolean blocking) {
        return null;
    }

    @Override
    public Operation reduceScatterBlock(Object send, long sendOffset, Object recv, long recvOffset,
            int count, TypeLayout type, Reduction op, boolean blocking) {
        return null;
    }

    @Override
    public Operation scan(Object send, long sendOffset, Object recv, long recvOffset, int count, TypeLayout type, Reduction op, boolean blocking) {
        return null;
    }

    @Override
    public Operation exscan(Object send, long sendOffset, Object recv, long recvOffset, int count, TypeLayout type, Reduction op, boolean blocking) {
        return null;
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
    public void free() {
        // Nothing.
    }
}
