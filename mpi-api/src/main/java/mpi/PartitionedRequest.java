package mpi;

import mpi.front.requests.PartitionedState;

/**
 * A persistent request for a message in partitions, as {@link Comm#pSendInit} and {@link Comm#pRecvInit} make them. It
 * starts, waits, tests and is freed as every {@link Prequest}; a send must not be freed while it has partitions to
 * mark. Any thread may mark partitions and ask for them, also while another one waits for the request.
 */
public class PartitionedRequest extends Prequest {
    private final PartitionedState partitions;

    PartitionedRequest(PartitionedState partitions) {
        super(partitions);
        this.partitions = partitions;
    }

    /**
     * Marks a partition as ready: it may be sent, and must not be changed until the request is complete (MPI_Pready).
     *
     * @param partition 0 to the number of partitions less one
     * @throws MPIException ERR_ARG if there is no such partition; ERR_REQUEST if the request receives, has been freed
     * or has not been started, or if the partition is ready already
     */
    public final void pReady(int partition) throws MPIException {
        partitions.ready("pReady", partition, partition);
    }

    /**
     * Marks several partitions as ready (MPI_Pready_range).
     *
     * @param first the first of them
     * @param last the last of them, not less than {@code first}
     * @throws MPIException as {@link #pReady}, and then none has been marked; ERR_ARG also if {@code last} is less than
     * {@code first}
     */
    public final void pReadyRange(int first, int last) throws MPIException {
        partitions.readyRange("pReadyRange", first, last);
    }

    /**
     * Marks several partitions as ready, in the array's order (MPI_Pready_list).
     *
     * @param list their numbers, in any order
     * @throws MPIException as {@link #pReady}; ERR_ARG also if {@code list} is null. For ERR_ARG none has been marked;
     * else those before the wrong one have
     */
    public final void pReadyList(int[] list) throws MPIException {
        partitions.readyList("pReadyList", list);
    }

    /**
     * Whether a partition of a receive has arrived, so that it may be read (MPI_Parrived). Between the starts all have.
     *
     * @param partition 0 to the number of partitions less one
     * @throws MPIException ERR_ARG if there is no such partition; ERR_REQUEST if the request sends, or has been freed
     */
    public final boolean pArrived(int partition) throws MPIException {
        return partitions.arrived("pArrived", partition);
    }

    // ---- the same in the capital dialect ----

    /** As {@link #pReady} (MPI_Pready). */
    public void Pready(int partition) throws MPIException {
        partitions.ready("Pready", partition, partition);
    }

    /** As {@link #pReadyRange} (MPI_Pready_range). */
    public void Pready_range(int first, int last) throws MPIException {
        partitions.readyRange("Pready_range", first, last);
    }

    /** As {@link #pReadyList} (MPI_Pready_list). */
    public void Pready_list(int[] list) throws MPIException {
        partitions.readyList("Pready_list", list);
    }

    /** As {@link #pArrived} (MPI_Parrived). */
    public boolean Parrived(int partition) throws MPIException {
        return partitions.arrived("Parrived", partition);
    }
}
