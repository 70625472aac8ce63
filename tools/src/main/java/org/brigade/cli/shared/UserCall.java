package org.brigade.cli.shared;

import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPIException;
import mpi.Op;
import mpi.spi.Collective;

/**
 * A collective through the public API, as a user's program calls it. Made once, it runs any number of times.
 *
 * @param send buffer; unused where a call is in place, and by bcast
 * @param sent items of each block of it; one for a vector
 * @param sendPlaces item at which each block begins, for v-forms
 * @param recv buffer; of bcast the only one
 * @param op null if the collective does not reduce
 */
public record UserCall(Collective collective, Object send, int[] sent, int[] sendPlaces, Object recv,
    int[] received, int[] recvPlaces, Datatype type, Op op, int root, boolean inPlace) {
    /** A new communicator of the same ranks, for calls of a collective: a ring, if it is among neighbours. */
    public static Intracomm communicator(Collective collective, Intracomm comm) throws MPIException {
        return collective.amongNeighbours()
            ? comm.createCart(new int[] {comm.getSize()}, new boolean[] {true}, false) : comm.dup();
    }

    public void run(Intracomm comm) throws MPIException {
        if (inPlace && collective != Collective.BCAST) {
            runInPlace(comm);
            return;
        }
        switch (collective) {
            case BARRIER -> comm.barrier();
            case BCAST -> comm.bcast(recv, received[0], type, root);
            case REDUCE -> comm.reduce(send, recv, sent[0], type, op, root);
            case ALLREDUCE -> comm.allReduce(send, recv, sent[0], type, op);
            case SCAN -> comm.scan(send, recv, sent[0], type, op);
            case EXSCAN -> comm.exScan(send, recv, sent[0], type, op);
            case REDUCE_SCATTER -> comm.reduceScatter(send, recv, sent, type, op);
            case GATHER -> comm.gather(send, sent[0], type, recv, received[0], type, root);
            case GATHERV -> comm.gatherv(send, sent[0], type, recv, received, recvPlaces, type, root);
            case SCATTER -> comm.scatter(send, sent[0], type, recv, received[0], type, root);
            case SCATTERV -> comm.scatterv(send, sent, sendPlaces, type, recv, received[0], type, root);
            case ALLGATHER -> comm.allGather(send, sent[0], type, recv, received[0], type);
            case ALLGATHERV -> comm.allGatherv(send, sent[0], type, recv, received, recvPlaces, type);
            case ALLTOALL -> comm.allToAll(send, sent[0], type, recv, received[0], type);
            case ALLTOALLV -> comm.allToAllv(send, sent, sendPlaces, type, recv, received, recvPlaces, type);
            case NEIGHBOR_ALLGATHER -> comm.neighborAllGatherv(send, sent[0], type, recv, received, recvPlaces, type);
            case NEIGHBOR_ALLTOALL ->
                comm.neighborAllToAllv(send, sent, sendPlaces, type, recv, received, recvPlaces, type);
            default -> throw new IllegalArgumentException(collective.key() + " is not called here");
        }
    }

    /** A root's block, vector or blocks stay where they are; other ranks of rooted calls have one buffer. */
    private void runInPlace(Intracomm comm) throws MPIException {
        boolean isRoot = comm.getRank() == root;
        switch (collective) {
            case REDUCE -> comm.reduce(isRoot ? recv : send, sent[0], type, op, root);
            case ALLREDUCE -> comm.allReduce(recv, sent[0], type, op);
            case SCAN -> comm.scan(recv, sent[0], type, op);
            case EXSCAN -> comm.exScan(recv, sent[0], type, op);
            case REDUCE_SCATTER -> comm.reduceScatter(recv, sent, type, op);
            case GATHER -> comm.gather(isRoot ? recv : send, sent[0], type, root);
            case SCATTER -> comm.scatter(isRoot ? send : recv, received[0], type, root);
            case ALLGATHER -> comm.allGather(recv, received[0], type);
            case ALLGATHERV -> comm.allGatherv(recv, received, recvPlaces, type);
            case GATHERV -> {
                if (isRoot) {
                    comm.gatherv(recv, received, recvPlaces, type, root);
                } else {
                    comm.gatherv(send, sent[0], type, root);
                }
            }
            case SCATTERV -> {
                if (isRoot) {
                    comm.scatterv(send, sent, sendPlaces, type, root);
                } else {
                    comm.scatterv(recv, received[0], type, root);
                }
            }
            default -> throw new IllegalArgumentException(collective.key() + " is not called in place here");
        }
    }
}
