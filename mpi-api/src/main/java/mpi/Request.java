package mpi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
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
public class Request implements Freeable {
    private static final VarHandle ROUND;

    static {
        try {
            ROUND = MethodHandles.lookup().findVarHandle(Request.class, "round", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * Odd while an operation is active: every start and every end adds 1. So a thread ends only what it has waited for,
     * though another thread may have ended that first, and started the next.
     */
    private int round;
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
        round = operation == null ? 0 : 1;
    }

    /** For {@link #operation} and {@link #end}. */
    final int round() {
        return (int) ROUND.getAcquire(this);
    }

    /** The operation that is active in a round; null if none is. */
    final Operation operation(int in) {
        return isOdd(in) ? operation : null;
    }

    private static boolean isOdd(int round) {
        return (round & 1) != 0;
    }

    /** Ends the operation of a round, unless another thread has. */
    final void end(int of) {
        if (isOdd(of) && ROUND.compareAndSet(this, of, of + 1) && !canStart()) {
            operation = null; // it may hold memory, and is never started again
        }
    }

    /** Makes it active: no operation is. */
    final void begun(Operation started) {
        operation = started;
        ROUND.setRelease(this, round() + 1);
    }

    /** The error of a round that has just ended is thrown by the next wait or test. */
    final void failsLater(int of, MPIException failed) {
        if (round() == of + 1) {
            begun(new Failed(failed));
        }
    }

    // ---- one request ----

    /** Waits until the operation is complete (MPI_Wait). */
    public final void waitFor() throws MPIException {
        await();
    }

    /** Waits until the operation is complete, and returns its status (MPI_Wait). */
    public final Status waitStatus() throws MPIException {
        return describe(await());
    }

    /** @return the operation; null if none was active */
    private Operation await() {
        int mine = round();
        Operation active = operation(mine);
        if (active != null) {
            await(active, mine);
        }
        return active;
    }

    /** Waits for the operation of a round, and ends it. */
    final void await(Operation active, int of) {
        boolean ends = true;
        try {
            active.await();
        } catch (MPIException failed) {
            ends = !staysActive(failed);
            throw failed;
        } finally {
            if (ends) {
                end(of);
            }
        }
    }

    /** Whether an operation goes on that has thrown this; see {@link FailureRecovery}. */
    static boolean staysActive(MPIException failed) {
        return failed.getErrorClass() == MPI.ERR_PROC_FAILED_PENDING;
    }

    /** Whether the operation is complete; true for a null request (MPI_Test). */
    public final boolean test() throws MPIException {
        int mine = round();
        Operation active = operation(mine);
        if (active != null && isUnderWay(active, mine)) {
            return false;
        }
        end(mine);
        return true;
    }

    /** The status of a complete operation, null if it is not complete (MPI_Test). */
    public final Status testStatus() throws MPIException {
        int mine = round();
        Operation active = operation(mine);
        if (active != null && isUnderWay(active, mine)) {
            return null;
        }
        end(mine);
        return describe(active);
    }

    /** As {@link #testStatus}, but the request stays active (MPI_Request_get_status). */
    public final Status getStatus() throws MPIException {
        int mine = round();
        Operation active = operation(mine);
        return active != null && isUnderWay(active, mine) ? null : describe(active);
    }

    /** Tests the operation of a round. A failed one is over, so later calls find a null request. */
    final boolean isUnderWay(Operation active, int of) {
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
                end(of);
            }
        }
    }

    final Status describe(Operation complete) {
        Status status = new Status();
        if (complete != null) {
            complete.describe(status);
            status.counted(type, capacity);
        }
        return status;
    }

    /** Asks to cancel the operation; it must still be completed, and its status tells whether it was (MPI_Cancel). */
    public final void cancel() throws MPIException {
        Operation active = operation(round());
        if (active != null) {
            active.cancel();
        }
    }

    /** Makes this request null; an operation under way completes by itself (MPI_Request_free). */
    @Override
    public void free() throws MPIException {
        end(round());
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
        return !isActive() && !canStart();
    }

    /** Whether it is a persistent request that has not been freed. */
    boolean canStart() {
        return false;
    }

    /** Whether an operation is under way, or complete without a wait or a test that has said so. */
    final boolean isActive() {
        return isOdd(round());
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
        checkArray("Request.waitAllStatus", requests);
        ActiveRequests active = new ActiveRequests(requests);
        waitAll(requests);
        return active.describeAll();
    }

    /** Whether all are complete; if not, all stay active (MPI_Testall). */
    public static boolean testAll(Request[] requests) throws MPIException {
        checkArray("Request.testAll", requests);
        return testAll(requests, new ActiveRequests(requests));
    }

    /** As {@link #waitAllStatus} if all are complete, else null (MPI_Testall). */
    public static Status[] testAllStatus(Request[] requests) throws MPIException {
        checkArray("Request.testAllStatus", requests);
        ActiveRequests active = new ActiveRequests(requests);
        return testAll(requests, active) ? active.describeAll() : null;
    }

    private static boolean testAll(Request[] requests, ActiveRequests active) {
        for (int i = 0; i < requests.length; i++) {
            if (active.isUnderWay(i)) {
                return false;
            }
        }
        waitAll(requests);
        return true;
    }

    // ---- any of several ----

    /** Waits until one is complete; returns its index, {@link MPI#UNDEFINED} if all are null (MPI_Waitany). */
    public static int waitAny(Request[] requests) throws MPIException {
        checkArray("Request.waitAny", requests);
        ActiveRequests active = new ActiveRequests(requests);
        int index = awaitAny("Request.waitAny", active);
        if (index < 0) {
            return MPI.UNDEFINED;
        }
        active.await(index);
        return index;
    }

    /** As {@link #waitAny}, but returns its status, with that index (MPI_Waitany). */
    public static Status waitAnyStatus(Request[] requests) throws MPIException {
        checkArray("Request.waitAnyStatus", requests);
        ActiveRequests active = new ActiveRequests(requests);
        int index = awaitAny("Request.waitAnyStatus", active);
        if (index < 0) {
            return Status.withIndex(MPI.UNDEFINED);
        }
        active.await(index);
        return active.describe(index);
    }

    /** The index of a complete request; {@link MPI#UNDEFINED} if none is complete, or all are null (MPI_Testany). */
    public static int testAny(Request[] requests) throws MPIException {
        checkArray("Request.testAny", requests);
        return new ActiveRequests(requests).testAny();
    }

    /**
     * The status of a complete request (MPI_Testany).
     *
     * @return null if none is complete; a status with index {@link MPI#UNDEFINED} if all are null
     */
    public static Status testAnyStatus(Request[] requests) throws MPIException {
        checkArray("Request.testAnyStatus", requests);
        ActiveRequests active = new ActiveRequests(requests);
        int index = active.testAny();
        if (index != MPI.UNDEFINED) {
            return active.describe(index);
        }
        return active.count() == 0 ? Status.withIndex(MPI.UNDEFINED) : null;
    }

    // ---- some of several ----

    /**
     * Waits until at least one is complete; returns the indices of all that are, null if all are null (MPI_Waitsome).
     */
    public static int[] waitSome(Request[] requests) throws MPIException {
        checkArray("Request.waitSome", requests);
        ActiveRequests active = new ActiveRequests(requests);
        return awaitAny("Request.waitSome", active) < 0 ? null : active.testSome();
    }

    /** As {@link #waitSome}, but returns the statuses (MPI_Waitsome). */
    public static Status[] waitSomeStatus(Request[] requests) throws MPIException {
        checkArray("Request.waitSomeStatus", requests);
        ActiveRequests active = new ActiveRequests(requests);
        return awaitAny("Request.waitSomeStatus", active) < 0 ? null : active.describe(active.testSome());
    }

    /**
     * The indices of all complete requests, an empty array if none is, null if all are null (MPI_Testsome). The error
     * of a failed operation is thrown once no index would be lost by that: by the next call if this one has others to
     * return.
     */
    public static int[] testSome(Request[] requests) throws MPIException {
        checkArray("Request.testSome", requests);
        return new ActiveRequests(requests).testSome();
    }

    /** As {@link #testSome}, but returns the statuses (MPI_Testsome). */
    public static Status[] testSomeStatus(Request[] requests) throws MPIException {
        checkArray("Request.testSomeStatus", requests);
        ActiveRequests active = new ActiveRequests(requests);
        int[] indices = active.testSome();
        return indices == null ? null : active.describe(indices);
    }

    private static int awaitAny(String call, ActiveRequests active) {
        Operation[] operations = active.operations;
        try {
            Provider provider = JobState.provider(call);
            return Interposers.none() ? provider.awaitAny(operations, operations.length)
                : Interposers.awaitAny(provider::awaitAny, operations, operations.length);
        } catch (MPIException failed) {
            active.endFailed();
            throw failed;
        }
    }

    private static void checkArray(String call, Request[] requests) {
        if (requests == null) {
            throw ErrorClass.REQUEST.in(call, "the array of requests is null; pass an array, which may be empty");
        }
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
