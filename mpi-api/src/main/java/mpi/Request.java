package mpi;

import mpi.spi.Operation;
import mpi.spi.Provider;
import mpi.spi.interpose.Interposers;

/**
 * A nonblocking operation. It is active until a wait or a test completes it, or it is freed; then it is null, as
 * {@link MPI#REQUEST_NULL} always is. A {@link Prequest} that completes is inactive, not null. To all calls that wait
 * and test, null and inactive requests are complete, with an empty status; the calls on several requests skip them.
 *
 * <p>
 * A call that completes a failed operation throws its error, once; {@link PointToPoint} and {@link Collectives} list
 * the error classes. The calls on several requests throw ERR_REQUEST if the array is null, and ERR_OTHER if MPI is not
 * initialized or is finalized.
 */
public class Request implements Freeable {
    private Operation operation;
    /** The type of a receive, for {@link Status#count}; else null. */
    private final Datatype type;
    /** Items that a receive has room for. */
    private final int capacity;

    Request(Operation operation, Datatype type) {
        this(operation, type, 0);
    }

    /** @param capacity items of its type that a receive has room for */
    Request(Operation operation, Datatype type, int capacity) {
        this.operation = operation;
        this.type = type;
        this.capacity = capacity;
    }

    // ---- one request ----

    /** Waits until the operation is complete (MPI_Wait). */
    public final void waitFor() throws MPIException {
        Operation active = operation;
        if (active != null) {
            operation = null;
            try {
                active.await();
            } catch (MPIException failed) {
                operation = staysActive(failed) ? active : null;
                throw failed;
            }
        }
    }

    /** Whether an operation goes on that has thrown this; see {@link FailureRecovery}. */
    private static boolean staysActive(MPIException failed) {
        return failed.getErrorClass() == MPI.ERR_PROC_FAILED_PENDING;
    }

    /** Waits until the operation is complete, and returns its status (MPI_Wait). */
    public final Status waitStatus() throws MPIException {
        Operation active = operation;
        waitFor();
        return describe(active);
    }

    /** Whether the operation is complete; true for a null request (MPI_Test). */
    public final boolean test() throws MPIException {
        Operation active = operation;
        if (active != null && isUnderWay(active)) {
            return false;
        }
        operation = null;
        return true;
    }

    /** The status of a complete operation, null if it is not complete (MPI_Test). */
    public final Status testStatus() throws MPIException {
        Operation active = operation;
        return test() ? describe(active) : null;
    }

    /** As {@link #testStatus}, but the request stays active (MPI_Request_get_status). */
    public final Status getStatus() throws MPIException {
        Operation active = operation;
        return active != null && isUnderWay(active) ? null : describe(active);
    }

    /** Tests the operation. A failed one is over, so later calls find a null request. */
    private boolean isUnderWay(Operation active) {
        boolean ends = true;
        try {
            boolean done = active.test();
            ends = false;
            return !done;
        } catch (MPIException failed) {
            ends = !staysActive(failed);
            throw failed;
        } finally {
            if (ends) {
                operation = null;
            }
        }
    }

    private Status describe(Operation complete) {
        Status status = new Status();
        if (complete != null) {
            complete.describe(status);
            status.counted(type, capacity);
        }
        return status;
    }

    private Status describe(Operation complete, int index) {
        Status status = describe(complete);
        status.index = index;
        return status;
    }

    /** Asks to cancel the operation; it must still be completed, and its status tells whether it was (MPI_Cancel). */
    public final void cancel() throws MPIException {
        if (operation != null) {
            operation.cancel();
        }
    }

    /** Makes this request null; an operation under way completes by itself (MPI_Request_free). */
    @Override
    public void free() throws MPIException {
        operation = null;
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
        return operation == null && !canStart();
    }

    /** Whether it is a persistent request that has not been freed. */
    boolean canStart() {
        return false;
    }

    /** Whether an operation is under way, or complete without a wait or a test that has said so. */
    final boolean isActive() {
        return operation != null;
    }

    /** Makes it active. */
    final void begun(Operation started) {
        operation = started;
    }

    // ---- all of several ----

    /** Waits until all are complete (MPI_Waitall). */
    public static void waitAll(Request[] requests) throws MPIException {
        checkArray("Request.waitAll", requests);
        MPIException first = null;
        for (int i = 0; i < requests.length; i++) {
            try {
                if (requests[i] != null) {
                    requests[i].waitFor();
                }
            } catch (MPIException failed) {
                // The others complete nevertheless, so that no operation is left behind.
                first = first == null ? failed : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /** Waits until all are complete; returns a status for each, empty for null requests (MPI_Waitall). */
    public static Status[] waitAllStatus(Request[] requests) throws MPIException {
        Operation[] active = operations(requests);
        waitAll(requests);
        return describeAll(requests, active);
    }

    /** Whether all are complete; if not, all stay active (MPI_Testall). */
    public static boolean testAll(Request[] requests) throws MPIException {
        checkArray("Request.testAll", requests);
        for (int i = 0; i < requests.length; i++) {
            Request request = requests[i];
            if (request != null && request.operation != null && request.isUnderWay(request.operation)) {
                return false;
            }
        }
        waitAll(requests);
        return true;
    }

    /** As {@link #waitAllStatus} if all are complete, else null (MPI_Testall). */
    public static Status[] testAllStatus(Request[] requests) throws MPIException {
        Operation[] active = operations(requests);
        return testAll(requests) ? describeAll(requests, active) : null;
    }

    // ---- any of several ----

    /** Waits until one is complete; returns its index, {@link MPI#UNDEFINED} if all are null (MPI_Waitany). */
    public static int waitAny(Request[] requests) throws MPIException {
        int index = awaitAny("Request.waitAny", requests);
        if (index < 0) {
            return MPI.UNDEFINED;
        }
        requests[index].waitFor();
        return index;
    }

    /** As {@link #waitAny}, but returns its status, with that index (MPI_Waitany). */
    public static Status waitAnyStatus(Request[] requests) throws MPIException {
        Operation[] active = operations(requests);
        int index = waitAny(requests);
        return index == MPI.UNDEFINED ? Status.withIndex(index) : requests[index].describe(active[index], index);
    }

    /** The index of a complete request; {@link MPI#UNDEFINED} if none is complete, or all are null (MPI_Testany). */
    public static int testAny(Request[] requests) throws MPIException {
        checkArray("Request.testAny", requests);
        for (int i = 0; i < requests.length; i++) {
            if (requests[i] != null && requests[i].operation != null && requests[i].test()) {
                return i;
            }
        }
        return MPI.UNDEFINED;
    }

    /**
     * The status of a complete request (MPI_Testany).
     *
     * @return null if none is complete; a status with index {@link MPI#UNDEFINED} if all are null
     */
    public static Status testAnyStatus(Request[] requests) throws MPIException {
        Operation[] active = operations(requests);
        int index = testAny(requests);
        if (index != MPI.UNDEFINED) {
            return requests[index].describe(active[index], index);
        }
        return countActive(active) == 0 ? Status.withIndex(MPI.UNDEFINED) : null;
    }

    // ---- some of several ----

    /**
     * Waits until at least one is complete; returns the indices of all that are, null if all are null (MPI_Waitsome).
     */
    public static int[] waitSome(Request[] requests) throws MPIException {
        return awaitAny("Request.waitSome", requests) < 0 ? null : testSome(requests);
    }

    /** As {@link #waitSome}, but returns the statuses (MPI_Waitsome). */
    public static Status[] waitSomeStatus(Request[] requests) throws MPIException {
        return awaitAny("Request.waitSomeStatus", requests) < 0 ? null : testSomeStatus(requests);
    }

    /**
     * The indices of all complete requests, an empty array if none is, null if all are null (MPI_Testsome). The error
     * of a failed operation is thrown once no index would be lost by that: by the next call if this one has others to
     * return.
     */
    public static int[] testSome(Request[] requests) throws MPIException {
        int active = countActive(operations(requests));
        if (active == 0) {
            return null;
        }
        int[] found = new int[active];
        int n = 0;
        for (int i = 0; i < requests.length; i++) {
            try {
                if (requests[i] != null && requests[i].operation != null && requests[i].test()) {
                    found[n++] = i;
                }
            } catch (MPIException failed) {
                if (n == 0) {
                    throw failed;
                }
                if (!staysActive(failed)) {
                    requests[i].operation = new Failed(failed);
                }
            }
        }
        int[] indices = new int[n];
        System.arraycopy(found, 0, indices, 0, n);
        return indices;
    }

    /** As {@link #testSome}, but returns the statuses (MPI_Testsome). */
    public static Status[] testSomeStatus(Request[] requests) throws MPIException {
        Operation[] active = operations(requests);
        int[] indices = testSome(requests);
        if (indices == null) {
            return null;
        }
        Status[] statuses = new Status[indices.length];
        for (int i = 0; i < statuses.length; i++) {
            statuses[i] = requests[indices[i]].describe(active[indices[i]], indices[i]);
        }
        return statuses;
    }

    private static int awaitAny(String call, Request[] requests) {
        Operation[] operations = operations(requests);
        try {
            Provider provider = JobState.provider(call);
            return Interposers.none() ? provider.awaitAny(operations, operations.length)
                : Interposers.awaitAny(provider::awaitAny, operations, operations.length);
        } catch (MPIException failed) {
            for (int i = 0; i < operations.length; i++) {
                if (operations[i] == null && requests[i] != null) {
                    requests[i].operation = null; // it is this one that has failed, or it was not active
                }
            }
            throw failed;
        }
    }

    private static void checkArray(String call, Request[] requests) {
        if (requests == null) {
            throw ErrorClass.REQUEST.in(call, "the array of requests is null; pass an array, which may be empty");
        }
    }

    private static Operation[] operations(Request[] requests) {
        checkArray("Request", requests);
        Operation[] operations = new Operation[requests.length];
        for (int i = 0; i < operations.length; i++) {
            operations[i] = requests[i] == null ? null : requests[i].operation;
        }
        return operations;
    }

    private static int countActive(Operation[] operations) {
        int active = 0;
        for (Operation operation : operations) {
            active += operation == null ? 0 : 1;
        }
        return active;
    }

    private static Status[] describeAll(Request[] requests, Operation[] complete) {
        Status[] statuses = new Status[complete.length];
        for (int i = 0; i < statuses.length; i++) {
            statuses[i] = complete[i] == null ? Status.withIndex(i) : requests[i].describe(complete[i], i);
        }
        return statuses;
    }

    // ---- the same in the capital dialect ----

    /** As {@link #waitStatus} (MPI_Wait). */
    public Status Wait() throws MPIException {
        return waitStatus();
    }

    /** As {@link #testStatus} (MPI_Test). */
    public Status Test() throws MPIException {
        return testStatus();
    }

    /** As {@link #cancel} (MPI_Cancel). */
    public void Cancel() throws MPIException {
        cancel();
    }

    /** As {@link #isNull}. */
    public boolean Is_null() throws MPIException {
        return isNull();
    }

    /** As {@link #waitAllStatus} (MPI_Waitall). */
    public static Status[] Waitall(Request[] requests) throws MPIException {
        return waitAllStatus(requests);
    }

    /** As {@link #testAllStatus} (MPI_Testall). */
    public static Status[] Testall(Request[] requests) throws MPIException {
        return testAllStatus(requests);
    }

    /** As {@link #waitAnyStatus} (MPI_Waitany). */
    public static Status Waitany(Request[] requests) throws MPIException {
        return waitAnyStatus(requests);
    }

    /** As {@link #testAnyStatus} (MPI_Testany). */
    public static Status Testany(Request[] requests) throws MPIException {
        return testAnyStatus(requests);
    }

    /** As {@link #waitSomeStatus} (MPI_Waitsome). */
    public static Status[] Waitsome(Request[] requests) throws MPIException {
        return waitSomeStatus(requests);
    }

    /** As {@link #testSomeStatus}, but an empty array if all are null, as in MPJ Express (MPI_Testsome). */
    public static Status[] Testsome(Request[] requests) throws MPIException {
        Status[] statuses = testSomeStatus(requests);
        return statuses == null ? new Status[0] : statuses;
    }
}
