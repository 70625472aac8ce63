package mpi.front.requests;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import mpi.MPIException;
import mpi.front.job.Constants;
import mpi.front.types.ItemType;
import mpi.spi.Operation;

/** What a {@code Request} wraps: the operation that is active, if any, and what its status needs to know. */
public class RequestState {
    private static final VarHandle ROUND;

    static {
        try {
            ROUND = MethodHandles.lookup().findVarHandle(RequestState.class, "round", int.class);
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
    /** The type of a receive, for the count of its status; else null. */
    private final ItemType type;
    /** Items that a receive has room for. */
    private final int capacity;

    public RequestState(Operation operation, ItemType type) {
        this(operation, type, 0);
    }

    /** @param capacity items of its type that a receive has room for */
    public RequestState(Operation operation, ItemType type, int capacity) {
        this.operation = operation;
        this.type = type;
        this.capacity = capacity;
        round = operation == null ? 0 : 1;
    }

    /** For {@link #operation} and {@link #end}. */
    public final int round() {
        return (int) ROUND.getAcquire(this);
    }

    /** The operation that is active in a round; null if none is. */
    public final Operation operation(int in) {
        return isOdd(in) ? operation : null;
    }

    private static boolean isOdd(int round) {
        return (round & 1) != 0;
    }

    /** Ends the operation of a round, unless another thread has. */
    public final void end(int of) {
        if (isOdd(of) && ROUND.compareAndSet(this, of, of + 1) && !canStart()) {
            operation = null; // it may hold memory, and is never started again
        }
    }

    /** Ends the operation of a round, which is over: no thread will find that it has failed. */
    private void endWell(int of) {
        if (canStart()) {
            end(of);
        } else {
            ROUND.setRelease(this, of + 1); // whoever ends it stores the same
            operation = null;
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

    /** The type of a receive; null for other operations. */
    public final ItemType type() {
        return type;
    }

    /** Items of its type that a receive has room for. */
    public final int capacity() {
        return capacity;
    }

    /** @return the operation; null if none was active */
    public final Operation await() {
        int mine = round();
        Operation active = operation(mine);
        if (active != null) {
            if (active.hasSucceeded()) {
                endWell(mine);
            } else {
                await(active, mine);
            }
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

    /** Whether an operation goes on that has thrown this. */
    static boolean staysActive(MPIException failed) {
        return failed.getErrorClass() == Constants.ERR_PROC_FAILED_PENDING;
    }

    /** Whether the operation is complete; true if none is active. */
    public final boolean test() {
        int mine = round();
        Operation active = operation(mine);
        if (active != null && active.hasSucceeded()) {
            endWell(mine);
            return true;
        }
        if (active != null && isUnderWay(active, mine)) {
            return false;
        }
        end(mine);
        return true;
    }

    /** Tests the operation of a round. A failed one is over, so later calls find a null request. */
    public final boolean isUnderWay(Operation active, int of) {
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

    /** Asks to cancel the operation. */
    public final void cancel() {
        Operation active = operation(round());
        if (active != null) {
            active.cancel();
        }
    }

    /** Makes it null; an operation under way completes by itself. */
    public void free() {
        end(round());
    }

    public final boolean isNull() {
        return !isActive() && !canStart();
    }

    /** Whether it is a persistent request that has not been freed. */
    boolean canStart() {
        return false;
    }

    /** Whether an operation is under way, or complete without a wait or a test that has said so. */
    public final boolean isActive() {
        return isOdd(round());
    }
}
