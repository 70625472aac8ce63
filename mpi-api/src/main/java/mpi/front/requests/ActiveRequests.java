package mpi.front.requests;

import java.util.Arrays;
import mpi.MPIException;
import mpi.front.job.Constants;
import mpi.front.job.JobState;
import mpi.spi.Operation;
import mpi.spi.Provider;
import mpi.spi.interpose.Interposers;

/** The operations that were active in an array of requests when a call on all of them began. */
public final class ActiveRequests {
    private final RequestState[] requests;
    private final int[] rounds;
    /** The operation of each request; null where none was active. */
    final Operation[] operations;

    public ActiveRequests(RequestState[] requests) {
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

    public int count() {
        int active = 0;
        for (Operation operation : operations) {
            active += operation == null ? 0 : 1;
        }
        return active;
    }

    /** Whether an operation goes on. */
    public boolean isUnderWay(int index) {
        return operations[index] != null && requests[index].isUnderWay(operations[index], rounds[index]);
    }

    /** Waits for an operation, and ends it. */
    public void await(int index) {
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

    /** Ends one that is complete; {@code MPI.UNDEFINED} if there is none. */
    public int testAny() {
        for (int i = 0; i < operations.length; i++) {
            if (completes(i)) {
                return i;
            }
        }
        return Constants.UNDEFINED;
    }

    /** As {@code Request.testSome}. */
    public int[] testSome() {
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
                if (!RequestState.staysActive(failed)) {
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

    /** The operation of a request; null where none was active. */
    public Operation operation(int index) {
        return operations[index];
    }

    /** Waits for one to be complete; its index, less than 0 if none was active. */
    public int awaitAny(String call) {
        try {
            Provider provider = JobState.provider(call);
            return Interposers.none() ? provider.awaitAny(operations, operations.length)
                : Interposers.awaitAny(provider::awaitAny, operations, operations.length);
        } catch (MPIException failed) {
            endFailed();
            throw failed;
        }
    }
}
