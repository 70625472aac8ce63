package mpi;

import java.nio.Buffer;
import mpi.front.arguments.Arguments;
import mpi.front.files.FileTransfer;
import mpi.front.files.FileTransfer.Where;
import mpi.front.files.OpenFile;
import mpi.front.job.JobState;

/**
 * A file that ranks read and write together (MPI-IO). Each rank sees the file through its view ({@link #setView}); at
 * first the view is the whole file in bytes. Offsets and pointers count etypes of the view; byte 0 of {@code buf} is
 * where its data begin, whatever its position.
 *
 * <p>
 * A call comes in up to four forms. With {@code At} it has an offset of its own; with {@code Shared} and
 * {@code Ordered} it takes the pointer that all ranks share; else it takes the pointer of this rank, which moves by the
 * etypes that were read or written. With {@code All} or {@code Ordered} the call is collective: all ranks of the file
 * call it. If collective writes or reads of the ranks lie between each other in small pieces, some ranks collect them
 * and move long stretches. With {@code Begin} and {@code End} the call is collective in two halves, of which a file has
 * one pair at a time. With {@code i} it returns a request.
 *
 * <p>
 * A read that meets the end of the file has fewer bytes than asked for; its status says how many. Data are stored as
 * they lie in memory.
 *
 * <p>
 * Every call but {@link #getView} throws an {@link MPIException}: ERR_FILE if the file has been closed, ERR_OTHER if
 * MPI is not initialized or is finalized. Calls that read or write also throw ERR_BUFFER, ERR_COUNT or ERR_TYPE if
 * {@code buf} does not hold {@code count} items, or these are no whole number of etypes; ERR_ARG if the offset is
 * negative, or there are data but the view has none; ERR_ACCESS, ERR_READ_ONLY or ERR_UNSUPPORTED_OPERATION if the file
 * is open in a mode that excludes the call; ERR_NO_SPACE, ERR_QUOTA or ERR_IO if the file system refuses. If a
 * collective call fails on one rank because of its arguments, it fails on all, but for reads and writes in which no
 * rank waits for another: each rank's view is in one piece, and the file is on the ranks' machine.
 */
public final class File implements AutoCloseable {
    private OpenFile open;
    private FileView view;
    private Errhandler errhandler = Errhandler.RETURN;
    /** The collective call of which the first half has been made, its buffer and its result; null if there is none. */
    private String begun;
    private Object begunBuffer;
    private Status begunStatus;

    /**
     * Opens a file; all ranks of the communicator call it (MPI_File_open).
     *
     * @param comm an intracommunicator; the file uses a duplicate of it
     * @param filename path of the file, the same file on all ranks
     * @param amode exactly one of {@link MPI#MODE_RDONLY}, {@link MPI#MODE_WRONLY} and {@link MPI#MODE_RDWR}, with any
     * others of {@code MPI.MODE_} by {@code |}; the same on all ranks
     * @throws MPIException ERR_COMM if {@code comm} is null; on all ranks, ERR_AMODE for a wrong {@code amode},
     * ERR_NOT_SAME if it differs, ERR_NO_SUCH_FILE, ERR_FILE_EXISTS, ERR_ACCESS, ERR_READ_ONLY, ERR_BAD_FILE, ERR_IO
     */
    public File(Comm comm, String filename, int amode) throws MPIException {
        this(comm, filename, amode, MPI.INFO_NULL);
    }

    /**
     * The same with hints (MPI_File_open).
     *
     * @param info the hints; null or {@link MPI#INFO_NULL}: none. Followed are {@code collective_buffering} (true or
     * false; else the ranks decide by their data), {@code cb_nodes} (ranks that collect pieces) and
     * {@code cb_buffer_size} (bytes that each collects at a time), as rank 0 passes them
     */
    public File(Comm comm, String filename, int amode, Info info) throws MPIException {
        if (!(comm instanceof Intracomm)) {
            throw ErrorClass.COMM.in("File", "the communicator is " + (comm == null ? "null" : "an inter-communicator")
                + "; pass an intracommunicator of all ranks that open the file, such as MPI.COMM_WORLD");
        }
        open = new OpenFile(comm.handle, filename, amode, Info.hints(info));
        view = new FileView(0, MPI.BYTE, MPI.BYTE, "native");
    }

    private OpenFile open(String call) {
        OpenFile file = open;
        if (file == null) {
            throw ErrorClass.FILE.in("File.".concat(call), "the file has been closed; close a file after its last use");
        }
        file.handle.lower(call);
        return file;
    }

    /**
     * Writes everything to the disk, as {@link #sync}, and closes the file; collective (MPI_File_close). The file is
     * closed even if this throws.
     *
     * @throws MPIException ERR_NO_SPACE, ERR_QUOTA or ERR_IO if data could not be written
     */
    @Override
    public void close() throws MPIException {
        OpenFile file = open("close");
        open = null;
        file.close();
    }

    /**
     * Deletes a file (MPI_File_delete).
     *
     * @param filename path of a file that is not open
     * @throws MPIException ERR_NO_SUCH_FILE, ERR_ACCESS, ERR_BAD_FILE, ERR_IO
     */
    public static void delete(String filename) throws MPIException {
        OpenFile.delete(filename);
    }

    /** As {@link #delete(String)}; no hint is followed (MPI_File_delete). */
    public static void delete(String filename, Info info) throws MPIException {
        OpenFile.delete(filename);
    }

    // ---- the file ----

    /**
     * Cuts the file, or makes it longer by bytes of any value; collective (MPI_File_set_size).
     *
     * @param size in bytes, the same on all ranks
     * @throws MPIException ERR_ARG if {@code size} is negative, ERR_NOT_SAME if it differs
     */
    public void setSize(long size) throws MPIException {
        open("setSize").resize("setSize", size, false);
    }

    /**
     * Makes sure that the first bytes of the file have their place on the disk; collective (MPI_File_preallocate). It
     * reads and writes what the file has, so it is slow on large files.
     *
     * @param size in bytes, the same on all ranks; a longer file stays as long
     * @throws MPIException as {@link #setSize}; ERR_NO_SPACE if there is no room
     */
    public void preallocate(long size) throws MPIException {
        open("preallocate").resize("preallocate", size, true);
    }

    /** The file's length in bytes (MPI_File_get_size). */
    public long getSize() throws MPIException {
        return open("getSize").size("getSize");
    }

    /** The ranks that opened the file (MPI_File_get_group). */
    public Group getGroup() throws MPIException {
        return new Group(open("getGroup").members.clone());
    }

    /** The mode in which the file was opened (MPI_File_get_amode). */
    public int getAMode() throws MPIException {
        return open("getAMode").amode;
    }

    /**
     * Replaces the hints; collective (MPI_File_set_info).
     *
     * @param info as for {@link #File(Comm, String, int, Info)}
     */
    public void setInfo(Info info) throws MPIException {
        open("setInfo").setInfo(Info.hints(info));
    }

    /** The hints, with the values in use (MPI_File_get_info). */
    public Info getInfo() throws MPIException {
        return new Info(open("getInfo").hints.inUse());
    }

    /**
     * Sets this rank's view of the file, and all pointers to its begin; collective (MPI_File_set_view).
     *
     * @param disp byte of the file at which the view begins; {@link MPI#DISPLACEMENT_CURRENT} if and only if the file
     * is open with {@link MPI#MODE_SEQUENTIAL}
     * @param etype unit of offsets and pointers; of the same size on all ranks
     * @param filetype the pattern of data and holes, repeated from {@code disp} on; derived from {@code etype}. Its
     * displacements rise; if the file is open for writing, its data do not overlap
     * @param datarep "native"
     * @throws MPIException on all ranks: ERR_TYPE for unfit types, ERR_ARG for a wrong {@code disp},
     * ERR_UNSUPPORTED_DATAREP, ERR_NOT_SAME if sizes of etypes differ
     */
    public void setView(long disp, Datatype etype, Datatype filetype, String datarep) throws MPIException {
        setView(disp, etype, filetype, datarep, null);
    }

    /** The same with other hints (MPI_File_set_view). */
    public void setView(long disp, Datatype etype, Datatype filetype, String datarep, Info info) throws MPIException {
        long begin = open("setView").setView(disp, Datatype.items(etype), Datatype.items(filetype), datarep,
            Info.hints(info));
        view = new FileView(begin, etype, filetype, datarep);
    }

    /** This rank's view; of a closed file, null (MPI_File_get_view). */
    public FileView getView() {
        return open == null ? null : view;
    }

    // ---- explicit offsets ----

    /**
     * Reads items at an offset (MPI_File_read_at).
     *
     * @param offset in etypes of the view, 0 or more
     * @param buf room for {@code count} items: an array, a direct or heap NIO buffer, or a device pointer
     * @param count items of {@code type}, 0 or more
     * @param type any type but {@link MPI#OBJECT}; it need not be the etype
     * @return how many items were read; fewer than {@code count} if the file ends
     */
    public Status readAt(long offset, Object buf, int count, Datatype type) throws MPIException {
        return single("readAt", false, Where.EXPLICIT, offset, buf, count, type);
    }

    /**
     * Writes items at an offset (MPI_File_write_at).
     *
     * @param offset in etypes of the view, 0 or more
     * @param buf {@code count} items: an array, a direct or heap NIO buffer, or a device pointer; not changed
     * @param count items of {@code type}, 0 or more
     * @param type any type but {@link MPI#OBJECT}; it need not be the etype
     */
    public Status writeAt(long offset, Object buf, int count, Datatype type) throws MPIException {
        return single("writeAt", true, Where.EXPLICIT, offset, buf, count, type);
    }

    /** As {@link #readAt}, collective (MPI_File_read_at_all). */
    public Status readAtAll(long offset, Object buf, int count, Datatype type) throws MPIException {
        return collective("readAtAll", false, Where.EXPLICIT, offset, buf, count, type);
    }

    /** As {@link #writeAt}, collective (MPI_File_write_at_all). */
    public Status writeAtAll(long offset, Object buf, int count, Datatype type) throws MPIException {
        return collective("writeAtAll", true, Where.EXPLICIT, offset, buf, count, type);
    }

    /**
     * As {@link #readAt}, with a request (MPI_File_iread_at). The items are read before the call returns; what the file
     * system refuses is thrown by the call that completes the request.
     */
    public Request iReadAt(long offset, Buffer buf, int count, Datatype type) throws MPIException {
        return request("iReadAt", false, Where.EXPLICIT, offset, buf, count, type);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_File_iread_at). */
    public Request iReadAt(long offset, Object buf, int count, Datatype type) throws MPIException {
        return request("iReadAt", false, Where.EXPLICIT, offset, buf, count, type);
    }

    /** As {@link #writeAt}, with a request as that of {@link #iReadAt} (MPI_File_iwrite_at). */
    public Request iWriteAt(long offset, Buffer buf, int count, Datatype type) throws MPIException {
        return request("iWriteAt", true, Where.EXPLICIT, offset, buf, count, type);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_File_iwrite_at). */
    public Request iWriteAt(long offset, Object buf, int count, Datatype type) throws MPIException {
        return request("iWriteAt", true, Where.EXPLICIT, offset, buf, count, type);
    }

    /** As {@link #iReadAt}; it waits for no other rank (MPI_File_iread_at_all). */
    public Request iReadAtAll(long offset, Buffer buf, int count, Datatype type) throws MPIException {
        return request("iReadAtAll", false, Where.EXPLICIT, offset, buf, count, type);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_File_iread_at_all). */
    public Request iReadAtAll(long offset, Object buf, int count, Datatype type) throws MPIException {
        return request("iReadAtAll", false, Where.EXPLICIT, offset, buf, count, type);
    }

    /** As {@link #iWriteAt}; it waits for no other rank (MPI_File_iwrite_at_all). */
    public Request iWriteAtAll(long offset, Buffer buf, int count, Datatype type) throws MPIException {
        return request("iWriteAtAll", true, Where.EXPLICIT, offset, buf, count, type);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_File_iwrite_at_all). */
    public Request iWriteAtAll(long offset, Object buf, int count, Datatype type) throws MPIException {
        return request("iWriteAtAll", true, Where.EXPLICIT, offset, buf, count, type);
    }

    // ---- this rank's pointer ----

    /** Reads items at the pointer (MPI_File_read). */
    public Status read(Object buf, int count, Datatype type) throws MPIException {
        return single("read", false, Where.INDIVIDUAL, 0, buf, count, type);
    }

    /** Writes items at the pointer (MPI_File_write). */
    public Status write(Object buf, int count, Datatype type) throws MPIException {
        return single("write", true, Where.INDIVIDUAL, 0, buf, count, type);
    }

    /** As {@link #read}, collective (MPI_File_read_all). */
    public Status readAll(Object buf, int count, Datatype type) throws MPIException {
        return collective("readAll", false, Where.INDIVIDUAL, 0, buf, count, type);
    }

    /** As {@link #write}, collective (MPI_File_write_all). */
    public Status writeAll(Object buf, int count, Datatype type) throws MPIException {
        return collective("writeAll", true, Where.INDIVIDUAL, 0, buf, count, type);
    }

    /** As {@link #read}, with a request as that of {@link #iReadAt} (MPI_File_iread). */
    public Request iRead(Buffer buf, int count, Datatype type) throws MPIException {
        return request("iRead", false, Where.INDIVIDUAL, 0, buf, count, type);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_File_iread). */
    public Request iRead(Object buf, int count, Datatype type) throws MPIException {
        return request("iRead", false, Where.INDIVIDUAL, 0, buf, count, type);
    }

    /** As {@link #write}, with a request as that of {@link #iReadAt} (MPI_File_iwrite). */
    public Request iWrite(Buffer buf, int count, Datatype type) throws MPIException {
        return request("iWrite", true, Where.INDIVIDUAL, 0, buf, count, type);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_File_iwrite). */
    public Request iWrite(Object buf, int count, Datatype type) throws MPIException {
        return request("iWrite", true, Where.INDIVIDUAL, 0, buf, count, type);
    }

    /** As {@link #iRead}; it waits for no other rank (MPI_File_iread_all). */
    public Request iReadAll(Buffer buf, int count, Datatype type) throws MPIException {
        return request("iReadAll", false, Where.INDIVIDUAL, 0, buf, count, type);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_File_iread_all). */
    public Request iReadAll(Object buf, int count, Datatype type) throws MPIException {
        return request("iReadAll", false, Where.INDIVIDUAL, 0, buf, count, type);
    }

    /** As {@link #iWrite}; it waits for no other rank (MPI_File_iwrite_all). */
    public Request iWriteAll(Buffer buf, int count, Datatype type) throws MPIException {
        return request("iWriteAll", true, Where.INDIVIDUAL, 0, buf, count, type);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_File_iwrite_all). */
    public Request iWriteAll(Object buf, int count, Datatype type) throws MPIException {
        return request("iWriteAll", true, Where.INDIVIDUAL, 0, buf, count, type);
    }

    /**
     * Moves the pointer (MPI_File_seek).
     *
     * @param offset in etypes; may be negative
     * @param whence {@link MPI#SEEK_SET}, {@link MPI#SEEK_CUR} or {@link MPI#SEEK_END}
     * @throws MPIException ERR_ARG if {@code whence} is another number, or the pointer would lie before the view
     */
    public void seek(long offset, int whence) throws MPIException {
        open("seek").seek(offset, whence);
    }

    /** The pointer, in etypes of the view (MPI_File_get_position). */
    public long getPosition() throws MPIException {
        OpenFile file = open("getPosition");
        file.checkRandom("getPosition");
        synchronized (file) {
            return file.position;
        }
    }

    /**
     * The byte of the file at which an etype of the view lies (MPI_File_get_byte_offset).
     *
     * @param offset in etypes, 0 or more
     * @throws MPIException ERR_ARG if {@code offset} is negative or the view has no data
     */
    public long getByteOffset(long offset) throws MPIException {
        return open("getByteOffset").byteOffset("getByteOffset", offset);
    }

    // ---- the shared pointer; all ranks have the same view ----

    /**
     * Reads items at the shared pointer, which moves by all {@code count} items even if the file ends before
     * (MPI_File_read_shared).
     */
    public Status readShared(Object buf, int count, Datatype type) throws MPIException {
        return single("readShared", false, Where.SHARED, 0, buf, count, type);
    }

    /** Writes items at the shared pointer (MPI_File_write_shared). */
    public Status writeShared(Object buf, int count, Datatype type) throws MPIException {
        return single("writeShared", true, Where.SHARED, 0, buf, count, type);
    }

    /** As {@link #readShared}, with a request as that of {@link #iReadAt} (MPI_File_iread_shared). */
    public Request iReadShared(Buffer buf, int count, Datatype type) throws MPIException {
        return request("iReadShared", false, Where.SHARED, 0, buf, count, type);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_File_iread_shared). */
    public Request iReadShared(Object buf, int count, Datatype type) throws MPIException {
        return request("iReadShared", false, Where.SHARED, 0, buf, count, type);
    }

    /** As {@link #writeShared}, with a request as that of {@link #iReadAt} (MPI_File_iwrite_shared). */
    public Request iWriteShared(Buffer buf, int count, Datatype type) throws MPIException {
        return request("iWriteShared", true, Where.SHARED, 0, buf, count, type);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_File_iwrite_shared). */
    public Request iWriteShared(Object buf, int count, Datatype type) throws MPIException {
        return request("iWriteShared", true, Where.SHARED, 0, buf, count, type);
    }

    /** Reads at the shared pointer, one rank behind the other; collective (MPI_File_read_ordered). */
    public Status readOrdered(Object buf, int count, Datatype type) throws MPIException {
        return collective("readOrdered", false, Where.SHARED, 0, buf, count, type);
    }

    /** Writes at the shared pointer, one rank behind the other; collective (MPI_File_write_ordered). */
    public Status writeOrdered(Object buf, int count, Datatype type) throws MPIException {
        return collective("writeOrdered", true, Where.SHARED, 0, buf, count, type);
    }

    /**
     * Moves the shared pointer; collective (MPI_File_seek_shared).
     *
     * @param offset in etypes; may be negative. The same on all ranks
     * @param whence as for {@link #seek}; the same on all ranks
     * @throws MPIException as {@link #seek}; ERR_NOT_SAME if the arguments differ
     */
    public void seekShared(long offset, int whence) throws MPIException {
        open("seekShared").seekShared(offset, whence);
    }

    /** The shared pointer, in etypes of the view (MPI_File_get_position_shared). */
    public long getPositionShared() throws MPIException {
        return open("getPositionShared").sharedPosition("getPositionShared");
    }

    // ---- collective calls in two halves; the first half does all the work ----

    /** The first half of {@link #readAtAll} (MPI_File_read_at_all_begin). */
    public void readAtAllBegin(long offset, Object buf, int count, Datatype type) throws MPIException {
        begin("readAtAllBegin", false, Where.EXPLICIT, offset, buf, count, type);
    }

    /** The second half; {@code buf} is that of the first (MPI_File_read_at_all_end). */
    public Status readAtAllEnd(Object buf) throws MPIException {
        return end("readAtAll", buf);
    }

    /** The first half of {@link #writeAtAll} (MPI_File_write_at_all_begin). */
    public void writeAtAllBegin(long offset, Object buf, int count, Datatype type) throws MPIException {
        begin("writeAtAllBegin", true, Where.EXPLICIT, offset, buf, count, type);
    }

    /** The second half; {@code buf} is that of the first (MPI_File_write_at_all_end). */
    public Status writeAtAllEnd(Object buf) throws MPIException {
        return end("writeAtAll", buf);
    }

    /** The first half of {@link #readAll} (MPI_File_read_all_begin). */
    public void readAllBegin(Object buf, int count, Datatype type) throws MPIException {
        begin("readAllBegin", false, Where.INDIVIDUAL, 0, buf, count, type);
    }

    /** The second half; {@code buf} is that of the first (MPI_File_read_all_end). */
    public Status readAllEnd(Object buf) throws MPIException {
        return end("readAll", buf);
    }

    /** The first half of {@link #writeAll} (MPI_File_write_all_begin). */
    public void writeAllBegin(Object buf, int count, Datatype type) throws MPIException {
        begin("writeAllBegin", true, Where.INDIVIDUAL, 0, buf, count, type);
    }

    /** The second half; {@code buf} is that of the first (MPI_File_write_all_end). */
    public Status writeAllEnd(Object buf) throws MPIException {
        return end("writeAll", buf);
    }

    /** The first half of {@link #readOrdered} (MPI_File_read_ordered_begin). */
    public void readOrderedBegin(Object buf, int count, Datatype type) throws MPIException {
        begin("readOrderedBegin", false, Where.SHARED, 0, buf, count, type);
    }

    /** The second half; {@code buf} is that of the first (MPI_File_read_ordered_end). */
    public Status readOrderedEnd(Object buf) throws MPIException {
        return end("readOrdered", buf);
    }

    /** The first half of {@link #writeOrdered} (MPI_File_write_ordered_begin). */
    public void writeOrderedBegin(Object buf, int count, Datatype type) throws MPIException {
        begin("writeOrderedBegin", true, Where.SHARED, 0, buf, count, type);
    }

    /** The second half; {@code buf} is that of the first (MPI_File_write_ordered_end). */
    public Status writeOrderedEnd(Object buf) throws MPIException {
        return end("writeOrdered", buf);
    }

    private FileTransfer transfer(String call, boolean writes, Where where, Object buf, int count, Datatype type) {
        return new FileTransfer(open(call), call, writes, where, buf, count, Datatype.items(type));
    }

    private static Status moved(long bytes, Datatype type) {
        Status status = new Status();
        status.fill(MPI.ANY_SOURCE, MPI.ANY_TAG, bytes, false);
        return status.counted(type.items, 0);
    }

    private Status single(String call, boolean writes, Where where, long offset, Object buf, int count, Datatype type) {
        return moved(transfer(call, writes, where, buf, count, type).run(where, offset), type);
    }

    private Request request(String call, boolean writes, Where where, long offset, Object buf, int count,
        Datatype type) {
        return new Request(transfer(call, writes, where, buf, count, type).start(where, offset), type, 0);
    }

    private Status collective(String call, boolean writes, Where where, long offset, Object buf, int count,
        Datatype type) {
        return moved(
            FileTransfer.together(open(call), call, writes, where, offset, buf, count, Datatype.items(type)), type);
    }

    private void begin(String call, boolean writes, Where where, long offset, Object buf, int count, Datatype type) {
        OpenFile file = open(call);
        if (begun != null) {
            throw file.handle.error(ErrorClass.OTHER, call,
                begun + "Begin has not been ended, and a file has one such call at a time; call " + begun
                    + "End first");
        }
        begunStatus = moved(
            FileTransfer.together(file, call, writes, where, offset, buf, count, Datatype.items(type)), type);
        begunBuffer = buf;
        begun = call.substring(0, call.length() - "Begin".length());
    }

    private Status end(String which, Object buf) {
        String call = which.concat("End");
        OpenFile file = open(call);
        if (!which.equals(begun)) {
            throw file.handle.error(ErrorClass.OTHER, call, "the call that has begun is "
                + (begun == null ? "none" : begun + "Begin") + "; call " + which + "Begin first");
        }
        if (buf != begunBuffer) {
            throw file.handle.error(ErrorClass.BUFFER, call,
                "buf is not the buffer that " + which + "Begin got; pass the same object");
        }
        begun = null;
        begunBuffer = null;
        return begunStatus;
    }

    // ---- semantics ----

    /** Distance of items of a type in the file, in elements of its array (MPI_File_get_type_extent). */
    public int getTypeExtent(Datatype type) throws MPIException {
        Arguments.type(open("getTypeExtent").handle, "getTypeExtent", Datatype.items(type));
        return type.getExtent();
    }

    /**
     * Sets atomic mode; collective (MPI_File_set_atomicity). In atomic mode each access locks its stretch of the file,
     * so no other access of the file's ranks sees or leaves half of it.
     *
     * @param atomicity the same on all ranks
     * @throws MPIException ERR_NOT_SAME if it differs
     */
    public void setAtomicity(boolean atomicity) throws MPIException {
        open("setAtomicity").setAtomicity(atomicity);
    }

    /** Whether the file is in atomic mode (MPI_File_get_atomicity). */
    public boolean getAtomicity() throws MPIException {
        return open("getAtomicity").atomic;
    }

    /**
     * Returns when all that the ranks have written is on the disk, and a crash cannot lose it; collective
     * (MPI_File_sync).
     */
    public void sync() throws MPIException {
        open("sync").sync("sync");
    }

    /**
     * Sets the error handler (MPI_File_set_errhandler). It decides only what {@link #callErrhandler} does: errors are
     * always thrown.
     *
     * @throws MPIException ERR_ARG if {@code errhandler} is null
     */
    public void setErrhandler(Errhandler errhandler) throws MPIException {
        OpenFile file = open("setErrhandler");
        if (errhandler == null) {
            throw file.handle.error(ErrorClass.ARG, "setErrhandler",
                "the handler is null; pass MPI.ERRORS_RETURN or MPI.ERRORS_ARE_FATAL");
        }
        this.errhandler = errhandler;
    }

    /** The error handler, at first {@link MPI#ERRORS_RETURN} (MPI_File_get_errhandler). */
    public Errhandler getErrhandler() throws MPIException {
        open("getErrhandler");
        return errhandler;
    }

    /**
     * Calls the error handler (MPI_File_call_errhandler): ends the job, or does nothing if the handler is
     * {@link MPI#ERRORS_RETURN}.
     *
     * @param errorCode for the message
     */
    public void callErrhandler(int errorCode) throws MPIException {
        String name = open("callErrhandler").handle.lower("callErrhandler").name();
        if (errhandler != Errhandler.RETURN) {
            JobState.provider("callErrhandler").abort(errorCode,
                "called callErrhandler(" + errorCode + ") on " + name + ", whose handler is " + errhandler);
        }
    }
}
