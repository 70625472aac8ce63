package mpi;

import mpi.front.requests.RequestState;
import mpi.spi.Operation;

/**
 * The calls of a request in mpiJava's dialect, which MPJ Express has too; {@link Request} inherits them and has those
 * of Open MPI's dialect.
 */
public abstract class MpjRequest {
    final RequestState state;

    MpjRequest(RequestState state) {
        this.state = state;
    }

    final Status describe(Operation complete) {
        Status status = new Status();
        if (complete != null) {
            complete.describe(status);
            status.counted(state.type(), state.capacity());
        }
        return status;
    }

    /** The status of a complete operation, which has ended then; null if it is not complete. */
    final Status tested() {
        int mine = state.round();
        Operation active = state.operation(mine);
        if (active != null && state.isUnderWay(active, mine)) {
            return null;
        }
        state.end(mine);
        return describe(active);
    }

    /** As {@link Request#waitStatus} (MPI_Wait). */
    public Status Wait() throws MPIException {
        return describe(state.await());
    }

    /** As {@link Request#testStatus} (MPI_Test). */
    public Status Test() throws MPIException {
        return tested();
    }

    /** As {@link Request#cancel} (MPI_Cancel). */
    public void Cancel() throws MPIException {
        state.cancel();
    }

    /** As {@link Request#isNull}. */
    public boolean Is_null() throws MPIException {
        return state.isNull();
    }

    /** As {@link Request#waitAllStatus} (MPI_Waitall). */
    public static Status[] Waitall(Request[] requests) throws MPIException {
        return Request.waitAllStatus(requests);
    }

    /** As {@link Request#testAllStatus} (MPI_Testall). */
    public static Status[] Testall(Request[] requests) throws MPIException {
        return Request.testAllStatus(requests);
    }

    /** As {@link Request#waitAnyStatus} (MPI_Waitany). */
    public static Status Waitany(Request[] requests) throws MPIException {
        return Request.waitAnyStatus(requests);
    }

    /** As {@link Request#testAnyStatus} (MPI_Testany). */
    public static Status Testany(Request[] requests) throws MPIException {
        return Request.testAnyStatus(requests);
    }

    /** As {@link Request#waitSomeStatus} (MPI_Waitsome). */
    public static Status[] Waitsome(Request[] requests) throws MPIException {
        return Request.waitSomeStatus(requests);
    }

    /** As {@link Request#testSomeStatus}, but an empty array if all are null, as in MPJ Express (MPI_Testsome). */
    public static Status[] Testsome(Request[] requests) throws MPIException {
        Status[] statuses = Request.testSomeStatus(requests);
        return statuses == null ? new Status[0] : statuses;
    }
}
