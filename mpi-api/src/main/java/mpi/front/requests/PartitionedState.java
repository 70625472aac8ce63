package mpi.front.requests;

import mpi.ErrorClass;
import mpi.front.job.Handle;
import mpi.front.job.JobState;
import mpi.front.types.ItemType;
import mpi.spi.PersistentOperation;

/** What a {@code PartitionedRequest} wraps: a message in partitions that is started again and again. */
public final class PartitionedState extends PersistentState {
    private final Handle handle;
    private final PersistentOperation.InPartitions operation;
    private final int partitions;
    private final boolean sends;

    /**
     * @param type of a receive; else null
     * @param sends whether it is a send
     */
    public PartitionedState(Handle handle, PersistentOperation.InPartitions prepared, ItemType type, int partitions,
        boolean sends) {
        super(handle, prepared, type, 0);
        this.handle = handle;
        operation = prepared;
        this.partitions = partitions;
        this.sends = sends;
    }

    public void readyRange(String call, int first, int last) {
        if (first > last) {
            throw handle.error(ErrorClass.ARG, call,
                "the range from " + first + " to " + last + " runs backwards; pass first <= last");
        }
        ready(call, first, last);
    }

    public void ready(String call, int first, int last) {
        check(call, true, first);
        check(call, true, last);
        operation.ready(first, last, call);
    }

    public void readyList(String call, int[] list) {
        if (list == null) {
            throw handle.error(ErrorClass.ARG, call, "the list of partitions is null; pass an array");
        }
        for (int partition : list) {
            check(call, true, partition);
        }
        for (int partition : list) {
            operation.ready(partition, partition, call);
        }
    }

    public boolean arrived(String call, int partition) {
        check(call, false, partition);
        return operation.arrived(partition);
    }

    private void check(String call, boolean marks, int partition) {
        JobState.provider(call);
        if (isFreed()) {
            throw handle.error(ErrorClass.REQUEST, call, "the request has been freed; free it after its last use");
        }
        if (marks != sends) {
            throw handle.error(ErrorClass.REQUEST, call, marks
                ? "the request receives, and only the partitions of a send are marked; ask pArrived instead"
                : "the request sends, and only the partitions of a receive arrive; call pReady instead");
        }
        if (partition < 0 || partition >= partitions) {
            throw handle.error(ErrorClass.ARG, call,
                "there is no partition " + partition + "; pass 0 <= partition < " + partitions);
        }
    }
}
