package mpi.front.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.front.io.CollectingMemory;
import mpi.front.io.RankExchange;
import mpi.front.io.StoredFile;
import mpi.front.io.ViewMap;
import mpi.front.job.Constants;
import mpi.front.job.Handle;
import mpi.front.job.Hints;
import mpi.front.job.JobState;
import mpi.front.types.ItemType;
import mpi.spi.Communicator;

/**
 * A {@code File} while it is open: opening, view, pointers, size and closing. {@link FileTransfer} reads and writes.
 */
public final class OpenFile {
    private static final int MODES = Constants.MODE_RDONLY | Constants.MODE_WRONLY | Constants.MODE_RDWR
        | Constants.MODE_CREATE | Constants.MODE_EXCL
        | Constants.MODE_DELETE_ON_CLOSE | Constants.MODE_UNIQUE_OPEN | Constants.MODE_APPEND
        | Constants.MODE_SEQUENTIAL;
    /** Pieces of so many bytes are moved as fast one by one, where that is a copy, and where it is a message. */
    private static final long LONG_HERE = 192, LONG_ELSEWHERE = 512 << 10;
    /**
     * The same for writes where each rank has a processor: ranks that write at once wait for each other, as the kernel
     * locks the file for each piece. An exchange pays from so many bytes of a rank on.
     */
    private static final long LONG_BESIDE_OTHERS = 24 << 10, MUCH_BESIDE_OTHERS = 512 << 10;

    public final Handle handle;
    final RankExchange exchange;
    final FileAgreement ranks;
    final CollectingMemory collecting = new CollectingMemory();
    public final int[] members;
    public final int amode;
    private final int nodes;
    private final Path path;
    StoredFile stored;
    SharedPointer shared;
    public FileHints hints;
    ViewMap view = new ViewMap(0, ItemType.BYTE.shape.map, 1);
    int etypeBytes = 1;
    /**
     * Whether collective calls move each rank's data without asking the others, as nothing could be collected: all
     * views are in one piece, and a read or write is a copy on this machine. The same on all ranks.
     */
    boolean apart;
    /** Whether that is so where views are in one piece: all ranks have agreed on it when they opened the file. */
    private boolean local;
    /** Whether some rank shares its processor, so that an exchange costs switches between processes. */
    private boolean crowded;
    public boolean atomic;
    /** The individual pointer, in etypes; guarded by this. */
    public long position;

    /**
     * Opens a file.
     *
     * @param comm of the ranks that open it
     */
    public OpenFile(Handle comm, String filename, int amode, Hints info) {
        Communicator lower = comm.lower("File").duplicate();
        lower.rename("file " + filename);
        handle = Handle.of(lower);
        exchange = new RankExchange(lower);
        members = lower.members();
        this.amode = amode;
        nodes = nodes(lower);
        hints = new FileHints(info, exchange.ranks, nodes);
        try {
            MPIException wrong = wrongMode(amode);
            Path asked = null;
            try {
                asked = filename == null || filename.isEmpty() ? null : Path.of(filename);
            } catch (InvalidPathException e) {
                // The same as no name.
            }
            if (asked == null) {
                wrong = handle.error(ErrorClass.BAD_FILE, "File",
                    "the name is null, empty or has characters that names cannot have; pass the name of a file");
            }
            path = asked;
            ranks = new FileAgreement(handle, exchange, path);
            ranks.same("File", "amode", ranks.agree("File", wrong, amode));
            open();
        } catch (MPIException e) {
            handle.free("File");
            throw e;
        }
    }

    private static int nodes(Communicator lower) {
        int[][] levels = lower.size() == 1 ? new int[0][] : lower.levels(false);
        int last = 0;
        for (int node : levels.length == 0 ? new int[0] : levels[levels.length - 1]) {
            last = Math.max(last, node);
        }
        return last + 1;
    }

    private MPIException wrongMode(int mode) {
        int access = mode & (Constants.MODE_RDONLY | Constants.MODE_WRONLY | Constants.MODE_RDWR);
        String fault = null;
        if (Integer.bitCount(access) != 1) {
            fault = "has " + Integer.bitCount(access)
                + " of MPI.MODE_RDONLY, MPI.MODE_WRONLY and MPI.MODE_RDWR; pass exactly one";
        } else if ((mode & ~MODES) != 0) {
            fault = "has bits that mean nothing, " + (mode & ~MODES) + "; combine MPI.MODE_ constants by |";
        } else if (access == Constants.MODE_RDONLY && has(mode, Constants.MODE_CREATE | Constants.MODE_EXCL)) {
            fault = "creates a file that cannot be written; leave MPI.MODE_CREATE and MPI.MODE_EXCL, or pass"
                + " MPI.MODE_RDWR";
        } else if (access == Constants.MODE_RDWR && has(mode, Constants.MODE_SEQUENTIAL)) {
            fault = "has MPI.MODE_SEQUENTIAL and MPI.MODE_RDWR; pass MPI.MODE_RDONLY or MPI.MODE_WRONLY";
        }
        return fault == null ? null : handle.error(ErrorClass.AMODE, "File", "amode " + mode + " " + fault);
    }

    private static boolean has(int mode, int bits) {
        return (mode & bits) != 0;
    }

    boolean has(int bits) {
        return has(amode, bits);
    }

    boolean isWritable() {
        return !has(Constants.MODE_RDONLY);
    }

    /** Rank 0 first, as it may have to make the file; then the others. */
    private void open() {
        boolean creates = has(Constants.MODE_CREATE);
        try {
            ranks.agree("File", exchange.rank == 0 ? opened(creates, has(Constants.MODE_EXCL)) : null);
            MPIException failed = exchange.rank == 0 ? null : opened(creates, false);
            long size = 0;
            long elsewhere = 1;
            try {
                if (failed == null) {
                    size = stored.size();
                    elsewhere = nodes == 1 && stored.isLocal() ? 0 : 1;
                }
            } catch (IOException e) {
                failed = FileErrors.of(handle, "File", path, e);
            }
            long[] all = ranks.agree("File", failed, size, elsewhere, hints.buffering,
                handle.lower("File").sharesProcessor() ? 1 : 0);
            position = has(Constants.MODE_APPEND) ? all[1] : 0;
            local = !any(all, 2);
            crowded = any(all, 4);
            apart = local && all[3] != FileHints.ALWAYS;
            shared = new SharedPointer(handle.lower("File"), "the shared pointer of " + path, position);
        } catch (MPIException e) {
            try {
                if (stored != null) {
                    stored.close();
                }
            } catch (IOException alreadyFailed) {
                e.addSuppressed(alreadyFailed);
            }
            throw e;
        }
    }

    /**
     * Ranks do not collect pieces of this length, unless a hint says so. The same on all ranks.
     *
     * @param bytes of a rank, in the middle
     */
    long longPiece(boolean writes, long bytes) {
        boolean locks = writes && !crowded && bytes >= MUCH_BESIDE_OTHERS;
        return !local ? LONG_ELSEWHERE : locks ? LONG_BESIDE_OTHERS : LONG_HERE;
    }

    /** Whether some rank has told a number but 0 in this place of what all have told. */
    private boolean any(long[] all, int number) {
        int numbers = all.length / exchange.ranks;
        for (int at = number; at < all.length; at += numbers) {
            if (all[at] != 0) {
                return true;
            }
        }
        return false;
    }

    private MPIException opened(boolean creates, boolean exclusive) {
        if (Files.isDirectory(path)) {
            return handle.error(ErrorClass.BAD_FILE, "File", path + " is a directory; pass the name of a file");
        }
        try {
            stored = StoredFile.open(path, !has(Constants.MODE_WRONLY), isWritable(), creates, exclusive);
            return null;
        } catch (IOException e) {
            return FileErrors.of(handle, "File", path, e);
        }
    }

    // ---- view and pointers ----

    /** Sets this rank's view; returns the byte of the file at which it begins. */
    public long setView(long disp, ItemType etype, ItemType filetype, String datarep, Hints info) {
        String call = "setView";
        MPIException wrong = ranks.attempt(call, () -> FileViewCheck.check(this, call, disp, etype, filetype, datarep));
        long here = 0;
        if (wrong == null && disp == Constants.DISPLACEMENT_CURRENT && exchange.rank == 0) {
            long[] found = new long[1];
            wrong = ranks.attempt(call, () -> found[0] = view.offset(shared.get(call) * etypeBytes));
            here = found[0];
        }
        FileHints next = info == null || info.isNull() ? hints : new FileHints(info, exchange.ranks, nodes);
        boolean dense = wrong == null && new ViewMap(0, filetype.shape.map, filetype.shape.extent()).isDense();
        long[] all = ranks.agree(call, wrong, wrong == null ? etype.size : 0, here, dense ? 0 : 1, next.buffering);
        for (int i = 0; i < all.length; i += 5) {
            if (all[i + 1] != all[1]) {
                throw handle.error(ErrorClass.NOT_SAME, call, "the etype has " + all[1] + " bytes on rank 0 and "
                    + all[i + 1] + " on rank " + i / 5 + "; pass the same on all ranks");
            }
        }
        long begin = disp == Constants.DISPLACEMENT_CURRENT ? all[2] : disp;
        ranks.byFirst(call, () -> shared.set(call, 0));
        synchronized (this) {
            view = new ViewMap(begin, filetype.shape.map, filetype.shape.extent());
            etypeBytes = etype.size;
            position = 0;
        }
        hints = next;
        apart = local && !any(all, 3) && all[4] != FileHints.ALWAYS;
        return begin;
    }

    public void setInfo(Hints info) {
        hints = new FileHints(info, exchange.ranks, nodes);
        long[] all = ranks.agree("setInfo", null, hints.buffering, view.isDense() ? 0 : 1);
        apart = local && !any(all, 2) && all[1] != FileHints.ALWAYS;
    }

    /** Where a seek leads, in etypes. */
    long target(String call, long offset, int whence, long current) throws IOException {
        long origin;
        switch (whence) {
            case Constants.SEEK_SET :
                origin = 0;
                break;
            case Constants.SEEK_CUR :
                origin = current;
                break;
            case Constants.SEEK_END :
                origin = (view.position(stored.size()) + etypeBytes - 1) / etypeBytes;
                break;
            default :
                throw handle.error(ErrorClass.ARG, call,
                    "whence is " + whence + "; pass MPI.SEEK_SET, MPI.SEEK_CUR or MPI.SEEK_END");
        }
        long target = origin + offset;
        if (target < 0) {
            throw handle.error(ErrorClass.ARG, call, "offset " + offset + " from etype " + origin
                + " leads before the view; pass offset >= " + -origin);
        }
        dataByte(call, target);
        return target;
    }

    /** The byte of the view's data at which an etype begins. */
    long dataByte(String call, long offset) {
        if (offset < 0 || offset > Long.MAX_VALUE / 2 / etypeBytes || !view.reaches(offset * etypeBytes)) {
            throw handle.error(ErrorClass.ARG, call, "offset " + offset + " is "
                + (offset < 0 ? "negative; pass 0 or more etypes" : "too large for a file; pass a smaller one"));
        }
        return offset * etypeBytes;
    }

    public synchronized void seek(long offset, int whence) {
        checkRandom("seek");
        MPIException failed = ranks.attempt("seek", () -> position = target("seek", offset, whence, position));
        if (failed != null) {
            throw failed;
        }
    }

    public void seekShared(long offset, int whence) {
        String call = "seekShared";
        MPIException wrong = ranks.attempt(call, () -> checkRandom(call));
        long[] all = ranks.agree(call, wrong, offset, whence);
        for (int i = 3; i < all.length; i += 3) {
            if (all[i + 1] != all[1] || all[i + 2] != all[2]) {
                throw handle.error(ErrorClass.NOT_SAME, call, "offset and whence are " + all[1] + " and " + all[2]
                    + " on rank 0, but " + all[i + 1] + " and " + all[i + 2] + " on rank " + i / 3
                    + "; pass the same on all ranks");
            }
        }
        ranks.byFirst(call, () -> shared.set(call,
            target(call, offset, whence, whence == Constants.SEEK_CUR ? shared.get(call) : 0)));
    }

    public long sharedPosition(String call) {
        return shared.get(call);
    }

    public long byteOffset(String call, long offset) {
        long data = dataByte(call, offset);
        if (view.isEmpty()) {
            throw handle.error(ErrorClass.ARG, call, "the view of this rank has no data; set a view that has some");
        }
        return view.offset(data);
    }

    /** Refuses what {@code MPI.MODE_SEQUENTIAL} excludes. */
    public void checkRandom(String call) {
        if (has(Constants.MODE_SEQUENTIAL)) {
            throw handle.error(ErrorClass.UNSUPPORTED_OPERATION, call, "the file is open with MPI.MODE_SEQUENTIAL, in"
                + " which only calls with the shared pointer are allowed; open it without, or call readShared,"
                + " writeShared or their ordered forms");
        }
    }

    // ---- size, atomicity, sync, close ----

    public long size(String call) {
        try {
            return stored.size();
        } catch (IOException e) {
            throw FileErrors.of(handle, call, path, e);
        }
    }

    public void resize(String call, long size, boolean allocates) {
        MPIException wrong = ranks.attempt(call, () -> {
            checkWritable(call);
            checkRandom(call);
            if (size < 0) {
                throw handle.error(ErrorClass.ARG, call, "size " + size + " is negative; pass 0 or more bytes");
            }
        });
        ranks.same(call, "size", ranks.agree(call, wrong, size));
        ranks.byFirst(call, () -> {
            if (!allocates) {
                stored.resize(size);
            } else if (stored.fits(size)) {
                stored.allocate(size);
            } else {
                throw handle.error(ErrorClass.NO_SPACE, call, "the file system has no room for a file of " + size
                    + " bytes; make room, or write elsewhere");
            }
        });
    }

    void checkWritable(String call) {
        if (!isWritable()) {
            throw handle.error(ErrorClass.READ_ONLY, call,
                "the file is open with MPI.MODE_RDONLY; open it with MPI.MODE_RDWR or MPI.MODE_WRONLY");
        }
    }

    public void setAtomicity(boolean flag) {
        ranks.same("setAtomicity", "atomicity", ranks.agree("setAtomicity", null, flag ? 1 : 0));
        atomic = flag;
    }

    public void sync(String call) {
        ranks.agree(call, ranks.attempt(call, () -> stored.force()));
    }

    /** Closes and frees everything; if something fails, it is thrown after that. */
    public void close() {
        boolean deletes = has(Constants.MODE_DELETE_ON_CLOSE);
        MPIException failed = ranks.attempt("close", () -> {
            if (!deletes) {
                stored.force();
            }
        });
        MPIException closing = ranks.attempt("close", () -> stored.close());
        failed = failed == null ? closing : failed;
        closing = ranks.attempt("close", () -> shared.close()); // waits until all have closed the file
        failed = failed == null ? closing : failed;
        if (exchange.rank == 0 && deletes) {
            closing = ranks.attempt("close", () -> Files.deleteIfExists(path));
            failed = failed == null ? closing : failed;
        }
        try {
            ranks.agree("close", failed);
        } finally {
            handle.free("close");
        }
    }

    // ---- without opening ----

    public static void delete(String filename) {
        String call = "File.delete";
        JobState.provider(call);
        if (filename == null || filename.isEmpty()) {
            throw ErrorClass.BAD_FILE.in(call, "the name is null or empty; pass the name of a file");
        }
        try {
            Path path = Path.of(filename);
            if (Files.isDirectory(path)) {
                throw ErrorClass.BAD_FILE.in(call, path + " is a directory; pass the name of a file");
            }
            Files.delete(path);
        } catch (InvalidPathException e) {
            throw ErrorClass.BAD_FILE.in(call, "the name has characters that names cannot have; correct it");
        } catch (NoSuchFileException e) {
            throw ErrorClass.NO_SUCH_FILE.in(call, filename + " does not exist; delete a file once");
        } catch (IOException e) {
            throw FileErrors.classOf(e).in(call, FileErrors.describe(filename, e));
        }
    }
}
