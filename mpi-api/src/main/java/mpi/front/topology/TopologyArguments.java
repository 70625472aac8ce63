package mpi.front.topology;

import mpi.ErrorClass;
import mpi.front.arguments.Complaints;
import mpi.front.job.Handle;

/** Checks of the arguments that calls about topologies take. */
public final class TopologyArguments {
    private TopologyArguments() {
    }

    /** Checks a position in what a topology's description lists. */
    public static int index(String call, String what, int i, int count) {
        if (i < 0 || i >= count) {
            throw ErrorClass.ARG.in(call, what + " " + i + " does not exist; "
                + (count == 0 ? "there is none" : "pass 0 to " + (count - 1)));
        }
        return i;
    }

    /** Checks that an array has at least so many elements. */
    static void length(Handle handle, String call, String role, Object array, int length, int least, String of) {
        if (array == null || length < least) {
            throw handle.error(ErrorClass.ARG, call, role + " is " + described(array) + "; pass " + least
                + " elements, one for each " + of);
        }
    }

    /** The array with an article: {@code an int[1]}. */
    static String described(Object array) {
        return array == null ? "null" : Complaints.article(Complaints.describe(array));
    }

    /** Checks that an array is there. */
    static void present(Handle handle, String call, String role, Object array) {
        if (array == null) {
            throw handle.error(ErrorClass.ARG, call, role + " is null; pass an array, which may be empty");
        }
    }

    static void rank(Handle handle, String call, int rank) {
        if (rank < 0 || rank >= handle.size) {
            throw handle.error(ErrorClass.RANK, call,
                "rank " + rank + " is not in this communicator; pass 0 <= rank < " + handle.size);
        }
    }
}
