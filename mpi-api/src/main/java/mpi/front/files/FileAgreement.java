package mpi.front.files;

import java.io.IOException;
import java.nio.file.Path;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.front.io.RankExchange;
import mpi.front.job.Handle;

/**
 * How the ranks of a file agree. Collective calls begin with {@link #agree}: a rank whose arguments are wrong says so
 * there, and all ranks throw.
 */
public final class FileAgreement {
    private final Handle handle;
    private final RankExchange exchange;
    private final Path path;

    FileAgreement(Handle handle, RankExchange exchange, Path path) {
        this.handle = handle;
        this.exchange = exchange;
        this.path = path;
    }

    /**
     * Tells the others whether this rank can go on, and some numbers. Returns those of all ranks: by rank 0, then the
     * numbers. If some rank cannot go on, all throw: that rank its own error, the others one of the same class.
     */
    long[] agree(String call, MPIException wrong, long... numbers) {
        long[] mine = new long[numbers.length + 1];
        mine[0] = wrong == null ? 0 : wrong.getErrorClass();
        System.arraycopy(numbers, 0, mine, 1, numbers.length);
        long[] all = exchange.allgather(mine);
        if (wrong != null) {
            throw wrong;
        }
        for (int rank = 0; rank < exchange.ranks; rank++) {
            int code = (int) all[rank * mine.length];
            if (code != 0) {
                throw handle.error(classOf(code), call,
                    "rank " + rank + " could not take part; its own error says why, correct the call there");
            }
        }
        return all;
    }

    /** The class with this number; OTHER if there is none. */
    private static ErrorClass classOf(int code) {
        for (ErrorClass each : ErrorClass.values()) {
            if (each.code == code) {
                return each;
            }
        }
        return ErrorClass.OTHER;
    }

    /** Checks that all ranks passed the same single number to {@link #agree}. */
    void same(String call, String what, long[] agreed) {
        for (int rank = 1; rank < exchange.ranks; rank++) {
            if (agreed[2 * rank + 1] != agreed[1]) {
                throw handle.error(ErrorClass.NOT_SAME, call, what + " is " + agreed[1] + " on rank 0 and "
                    + agreed[2 * rank + 1] + " on rank " + rank + "; pass the same on all ranks");
            }
        }
    }

    /** A step of a collective call that rank 0 takes for all. */
    interface Step {
        void run() throws IOException;
    }

    void byFirst(String call, Step step) {
        agree(call, exchange.rank == 0 ? attempt(call, step) : null);
    }

    MPIException attempt(String call, Step step) {
        try {
            step.run();
            return null;
        } catch (IOException e) {
            return FileErrors.of(handle, call, path, e);
        } catch (MPIException e) {
            return e;
        }
    }
}
