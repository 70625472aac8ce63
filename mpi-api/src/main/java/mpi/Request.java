package mpi;

import mpi.front.job.Constants;
import mpi.front.requests.ActiveRequests;
import mpi.front.requests.RequestState;
import mpi.spi.Operation;

/**
 * A nonblocking operation. It is active until a wait or a test completes it, or it is freed; then it is null, as
 * {@link MPI#REQUEST_NULL} always is. A {@link Prequest} that completes is inactive, not null. To all calls that wait
 * and test, null and inactive requests are complete, with an empty status; the calls on several requests skip them.
 *
 * <p>
 * A call that completes a failed operation throws its error, once; {@link Comm} lists the error classes. The calls on
 * several requests throw ERR_REQUEST if the array is null, and ERR_OTHER if MPI is not initialized or is finalized.
 *
 * <p>
 * Any thread may use a request while another one waits for it, alone or in an array. Until that wait returns, the
 * request stays active:
 * <ul>
 * <li>{@link #cancel} acts on the operation. If it succeeds, the wait returns, and its status is cancelled.</li>
 * <li>{@link #isNull} is false.</li>
 * <li>{@link #getStatus} and the tests tell whether the operation is complete, and never wait. A test that finds it
 * complete makes the request null or inactive, and the wait returns, too.</li>
 * <li>A second wait returns when the operation is complete. If it has failed, only one of the calls that complete it
 * throws the error; so let one thread complete a request.</li>
 * <li>{@link #free} makes the request null at once. The wait goes on until the operation is complete.</li>
 * <li>{@link Prequest#start} throws ERR_REQUEST.</li>
 * </ul>
 */
public class Request extends MpjRequest implements Freeable {
    Request(RequestState state) {
        super(state);
    }

    /** A request for an operation that receives nothing, or for none. */
    Request(Operation operation) {
        this(new RequestState(operation, null, 0));
    }

    /**
     * A request for a receive.
     *
     * @param capacity items of its type that it has room for
     */
    Request(Operation operation, Datatype type, int capacity) {
        this(new RequestState(operation, Datatype.items(type), capacity));
    }

    private static RequestState[] states(String call, Request[] requests) {
        if (requests == null) {
            throw ErrorClass.REQUEST.in(call, "the array of requests is null; pass an array, which may be empty");
        }
        RequestState[] states = new RequestState[requests.length];
        for (int i = 0; i < states.length; i++) {
            states[i] = requests[i] == null ? null : requests[i].state;
        }
        return states;
    }

    private static ActiveRequests active(String call, Request[] requests) {
        return new ActiveRequests(states(call, requests));
    }

    // ---- one request ----

    /** Waits until the operation is complete (MPI_Wait). */
    public final void waitFor() throws MPIException {
        state.await();
    }

    /** Waits until the operation is complete, and returns its status (MPI_Wait). */
    public final Status waitStatus() throws MPIException {
        return describe(state.await());
    }

    /** Whether the operation is complete; true for a null request (MPI_Test). */
    public final boolean test() throws MPIException {
        return state.test();
    }

    /** The status of a complete operation, null if it is not complete (MPI_Test). */
    public final Status testStatus() throws MPIException {
        return tested();
    }

    /** As {@link #testStatus}, but the request stays active (MPI_Request_get_status). */
    public final Status getStatus() throws MPIException {
        int mine = state.round();
        Operation active = state.operation(mine);
        return active != null && state.isUnderWay(active, mine) ? null : describe(active);
    }

    /** Asks to cancel the operation; it must still be completed, and its status tells whether it was (MPI_Cancel). */
    public final void cancel() throws MPIException {
        state.cancel();
    }

    /** Makes this request null; an operation under way completes by itself (MPI_Request_free). */
    @Override
    public void free() throws MPIException {
        state.free();
    }

    /**
     * Does nothing. MPJ Express has it, and programs call it.
     *
     * @deprecated call {@link #free}
     */
    @Deprecated
    @Override
    @SuppressWarnings({"deprecation", "removal"})
    public void finalize() {
        // Empty, so that the JVM does not queue requests for finalization.
    }

    /**
     * Whether this request is null: complete, freed, or {@link MPI#REQUEST_NULL}. A persistent request is null only
     * once it is freed. Never throws.
     */
    public final boolean isNull() {
        return state.isNull();
    }

    // ---- all of several ----

    /** Waits until all are complete (MPI_Waitall). */
    public static void waitAll(Request[] requests) throws MPIException {
        checkArray("Request.waitAll", requests);
        awaitAll(requests);
    }

    /** Waits for all, so that no operation is left behind; then throws the first error. */
    private static void awaitAll(Request[] requests) {
        MPIException first = null;
        for (Request request : requests) {
            try {
                if (request != null) {
                    request.state.await();
                }
            } catch (MPIException failed) {
                first = first == null ? failed : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /** Waits until all are complete; returns a status for each, empty for null requests (MPI_Waitall). */
    public static Status[] waitAllStatus(Request[] requests) throws MPIException {
        ActiveRequests active = active("Request.waitAllStatus", requests);
        awaitAll(requests);
        return describe(requests, active, all(requests.length));
    }

    /** Whether all are complete; if not, all stay active (MPI_Testall). */
    public static boolean testAll(Request[] requests) throws MPIException {
        return testAll(requests, active("Request.testAll", requests));
    }

    /** As {@link #waitAllStatus} if all are complete, else null (MPI_Testall). */
    public static Status[] testAllStatus(Request[] requests) throws MPIException {
        ActiveRequests active = active("Request.testAllStatus", requests);
        return testAll(requests, active) ? describe(requests, active, all(requests.length)) : null;
    }

    private static boolean testAll(Request[] requests, ActiveRequests active) {
        for (int i = 0; i < requests.length; i++) {
            if (active.isUnderWay(i)) {
                return false;
            }
        }
        awaitAll(requests);
        return true;
    }

    // ---- any of several ----

    /** Waits until one is complete; returns its index, {@link MPI#UNDEFINED} if all are null (MPI_Waitany). */
    public static int waitAny(Request[] requests) throws MPIException {
        ActiveRequests active = active("Request.waitAny", requests);
        int index = active.awaitAny("Request.waitAny");
        if (index < 0) {
            return Constants.UNDEFINED;
        }
        active.await(index);
        return index;
    }

    /** As {@link #waitAny}, but returns its status, with that index (MPI_Waitany). */
    public static Status waitAnyStatus(Request[] requests) throws MPIException {
        ActiveRequests active = active("Request.waitAnyStatus", requests);
        int index = active.awaitAny("Request.waitAnyStatus");
        if (index < 0) {
            return Status.withIndex(Constants.UNDEFINED);
        }
        active.await(index);
        return describe(requests, active, index);
    }

    /** The index of a complete request; {@link MPI#UNDEFINED} if none is complete, or all are null (MPI_Testany). */
    public static int testAny(Request[] requests) throws MPIException {
        return active("Request.testAny", requests).testAny();
    }

    /**
     * The status of a complete request (MPI_Testany).
     *
     * @return null if none is complete; a status with index {@link MPI#UNDEFINED} if all are null
     */
    public static Status testAnyStatus(Request[] requests) throws MPIException {
        ActiveRequests active = active("Request.testAnyStatus", requests);
        int index = active.testAny();
        if (index != Constants.UNDEFINED) {
            return describe(requests, active, index);
        }
        return active.count() == 0 ? Status.withIndex(Constants.UNDEFINED) : null;
    }

    // ---- some of several ----

    /**
     * Waits until at least one is complete; returns the indices of all that are, null if all are null (MPI_Waitsome).
     */
    public static int[] waitSome(Request[] requests) throws MPIException {
        ActiveRequests active = active("Request.waitSome", requests);
        return active.awaitAny("Request.waitSome") < 0 ? null : active.testSome();
    }

    /** As {@link #waitSome}, but returns the statuses (MPI_Waitsome). */
    public static Status[] waitSomeStatus(Request[] requests) throws MPIException {
        ActiveRequests active = active("Request.waitSomeStatus", requests);
        return active.awaitAny("Request.waitSomeStatus") < 0 ? null : describe(requests, active, active.testSome());
    }

    /**
     * The indices of all complete requests, an empty array if none is, null if all are null (MPI_Testsome). The error
     * of a failed operation is thrown once no index would be lost by that: by the next call if this one has others to
     * return.
     */
    public static int[] testSome(Request[] requests) throws MPIException {
        return active("Request.testSome", requests).testSome();
    }

    /** As {@link #testSome}, but returns the statuses (MPI_Testsome). */
    public static Status[] testSomeStatus(Request[] requests) throws MPIException {
        ActiveRequests active = active("Request.testSomeStatus", requests);
        int[] indices = active.testSome();
        return indices == null ? null : describe(requests, active, indices);
    }

    /** The result of an operation that is complete; empty if none was active. */
    private static Status describe(Request[] requests, ActiveRequests active, int index) {
        Status status = requests[index] == null ? new Status() : requests[index].describe(active.operation(index));
        status.index = index;
        return status;
    }

    private static Status[] describe(Request[] requests, ActiveRequests active, int[] indices) {
        Status[] statuses = new Status[indices.length];
        for (int i = 0; i < statuses.length; i++) {
            statuses[i] = describe(requests, active, indices[i]);
        }
        return statuses;
    }

    private static int[] all(int count) {
        int[] all = new int[count];
        for (int i = 0; i < count; i++) {
            all[i] = i;
        }
        return all;
    }

    private static void checkArray(String call, Request[] requests) {
        if (requests == null) {
            throw ErrorClass.REQUEST.in(call, "the array of requests is null; pass an array, which may be empty");
        }
    }
}
