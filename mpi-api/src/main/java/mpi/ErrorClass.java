package mpi;

/**
 * MPI's error classes, with Open MPI's numbers, and the form of all error messages: the class, the call, the rank, the
 * communicator, then the fault and its cure.
 */
public enum ErrorClass {
    SUCCESS(0), BUFFER(1), COUNT(2), TYPE(3), TAG(4), COMM(5), RANK(6), REQUEST(7), ROOT(8), GROUP(9), OP(10),
    TOPOLOGY(11), DIMS(12), ARG(13),
    UNKNOWN(14), TRUNCATE(15), OTHER(16), INTERN(17), IN_STATUS(18), PENDING(19), ACCESS(20), AMODE(21), ASSERT(22),
    BAD_FILE(23), DISP(26),
    FILE_EXISTS(28), FILE(30), INFO_KEY(31), INFO_NOKEY(32),
    INFO_VALUE(33), INFO(34),
    IO(35), KEYVAL(36), LOCKTYPE(37), NAME(38), NO_MEM(39), NOT_SAME(40), NO_SPACE(41), NO_SUCH_FILE(42), PORT(43),
    QUOTA(44), READ_ONLY(45), RMA_SYNC(47), SERVICE(48), SIZE(49), SPAWN(50),
    UNSUPPORTED_DATAREP(51), UNSUPPORTED_OPERATION(52), WIN(53), RMA_RANGE(68), RMA_ATTACH(69), RMA_FLAVOR(70),
    RMA_SHARED(71), PROC_ABORTED(74), PROC_FAILED(75), PROC_FAILED_PENDING(76), REVOKED(77);

    /** The number that {@link MPIException#getErrorClass()} returns. */
    public final int code;

    ErrorClass(int code) {
        this.code = code;
    }

    /** {@code MPI_ERR_COUNT: allReduce on rank 2 of 4 in MPI_COMM_WORLD: what}. */
    public MPIException in(String call, int rank, int size, String communicator, String what) {
        return new MPIException(code, code,
            this + ": " + call + " on rank " + rank + " of " + size + " in " + communicator + ": " + what);
    }

    /** {@code MPI_ERR_OTHER: Init: what}, for calls that have no communicator yet. */
    public MPIException in(String call, String what) {
        return new MPIException(code, code, this + ": " + call + ": " + what);
    }

    @Override
    public String toString() {
        return this == SUCCESS ? "MPI_SUCCESS" : "MPI_ERR_" + name();
    }
}
