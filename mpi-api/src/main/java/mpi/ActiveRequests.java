package mpi;

import java.util.Arrays;
import mpi.spi.Operation;

/** The operations that were active in an array of requests when a call on all of them began. */
final class ActiveRequests {
    private final Request[] requests;
    private final int[] rounds;
    /** The operation of each request; null where none was active. */
    final Operation[] operations;

    ActiveRequests(Request[] requests) {
        this.requests = requests;
        rounds = new int[requests.length];
        operations = new Operation[requests.length];
        for (int i = 0; i < operations.length; i++) {
            if (requests[i] != null) {
                rounds[i] = requests[i].round();
                operations[i] = requests[i].operation(rounds[i]);
            }
        }
    }

    int count() {
        int active = 0;
        for (Operation operation : operations) {
            active += operation == null ? 0 : 1;
        }
        return active;
    }

    /** Whether an operation goes on. */
    boolean isUnderWay(int index) {
        return operations[index] != null && requests[index].isUnderWay(operations[index], rounds[index]);
    }

    /** Waits for an operation, and ends it. */
    void await(int index) {
        requests[index].await(operations[index], rounds[index]);
    }

    /** Whether an operation was active and is complete; then ends it. */
    private boolean completes(int index) {
        boolean complete = operations[index] != null && !isUnderWay(index);
        if (complete) {
            requests[index].end(rounds[index]);
        }
        return complete;
    }

    /** Ends one that is complete; {@link MPI#UNDEFINED} if there is none. */
    int testAny() {
        for (int i = 0; i < operations.length; i++) {
            if (completes(i)) {
                return i;
            }
        }
        return MPI.UNDEFINED;
    }

    /** As {@link Request#testSome}. */
    int[] testSome() {
        int active = count();
        if (active == 0) {
            return null;
        }
        int[] found = new int[active];
        int n = 0;
        for (int i = 0; i < operations.length; i++) {
            try {
                if (completes(i)) {
                    found[n++] = i;
                }
            } catch (MPIException failed) {
                if (n == 0) {
                    throw failed;
                }
                if (!Request.staysActive(failed)) {
                    requests[i].failsLater(rounds[i], failed);
                }
            }
        }
        return Arrays.copyOf(found, n);
    }

    /** Ends the requests whose operation has been set to null here, as it has failed. */
    void endFailed() {
        for (int i = 0; i < operations.length; i++) {
            if (operations[i] == null && requests[i] != null) {
                requests[i].end(rounds[i]);
            }
        }
    }

    /** The result of an operation that is complete; empty if none was active. */
    Status describe(int index) {
        Status status = requests[index] == null ? new Status() : requests[index].describe(operations[index]);
        status.index = index;
        return status;
    }

    Status[] describe(int[] indices) {
        Status[] statuses = new Status[indices.length];
        for (int i = 0; i < statuses.length; i++) {
            statuses[i] = describe(indices[i]);
        }
        return statuses;
    }

    Status[] describeAll() {
        Status[] statuses = new Status[operations.length];
        for (int i = 0; i < statuses.length; i++) {
            statuses[i] = describe(i);
        }
        return statuses;
    }
}
