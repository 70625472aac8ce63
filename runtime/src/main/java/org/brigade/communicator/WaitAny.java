package org.brigade.communicator;

import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Operation;
import org.brigade.engine.Backoff;
import org.brigade.engine.Progress;

/** A wait for one of several operations, whichever ends first. */
final class WaitAny {
    private WaitAny() {
    }

    /** See {@link mpi.spi.Provider#awaitAny}. */
    static int of(Progress progress, Operation[] operations, int n) {
        boolean any = false;
        for (int i = 0; i < n; i++) {
            any |= operations[i] != null;
        }
        if (!any) {
            return -1;
        }
        Backoff idle = null;
        while (true) {
            for (int i = 0; i < n; i++) {
                if (operations[i] != null && ended(operations, i)) {
                    giveBack(progress, idle);
                    return i;
                }
            }
            progress.lock.lock();
            try {
                idle = progress.relax(idle, "Waitany", null);
            } finally {
                progress.lock.unlock();
            }
        }
    }

    private static boolean ended(Operation[] operations, int i) {
        try {
            return operations[i].test();
        } catch (MPIException failed) {
            if (failed.getErrorClass() != ErrorClass.PROC_FAILED_PENDING.code) {
                operations[i] = null;
            }
            throw failed;
        } catch (RuntimeException failed) {
            operations[i] = null;
            throw failed;
        }
    }

    private static void giveBack(Progress progress, Backoff idle) {
        if (idle != null) {
            progress.lock.lock();
            progress.release(idle);
            progress.lock.unlock();
        }
    }
}
