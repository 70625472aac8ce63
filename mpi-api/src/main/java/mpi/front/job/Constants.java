package mpi.front.job;

/** Those of MPI's numbers that the classes of mpi.front read. Class {@code MPI} has them under the same names. */
public final class Constants {
    public static final int ANY_SOURCE = -1, ANY_TAG = -1, PROC_NULL = -2;
    public static final int ROOT = -4;
    public static final int UNDEFINED = -1;
    public static final int IDENT = 0, SIMILAR = 1, UNEQUAL = 2, CONGRUENT = 3;
    public static final int CART = 1, GRAPH = 2, DIST_GRAPH = 3;
    public static final int TAG_UB = 0, HOST = 1, IO = 2, WTIME_IS_GLOBAL = 3, APPNUM = 4, LASTUSEDCODE = 5,
        UNIVERSE_SIZE = 6;
    public static final int MAX_INFO_KEY = 36, MAX_INFO_VAL = 256;
    public static final int MODE_RDONLY = 2, MODE_WRONLY = 4, MODE_RDWR = 8;
    public static final int MODE_CREATE = 1, MODE_EXCL = 64;
    public static final int MODE_DELETE_ON_CLOSE = 16;
    public static final int MODE_UNIQUE_OPEN = 32;
    public static final int MODE_APPEND = 128;
    public static final int MODE_SEQUENTIAL = 256;
    public static final int SEEK_SET = 600, SEEK_CUR = 602, SEEK_END = 604;
    public static final int DISPLACEMENT_CURRENT = -54278278;
    public static final int SUCCESS = 0, ERR_PROC_FAILED_PENDING = 76, ERR_LASTCODE = 92;

    private Constants() {
    }
}
