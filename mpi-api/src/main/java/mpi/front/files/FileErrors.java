package mpi.front.files;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.front.job.Handle;

/** The class and the cure of what the file system refuses. */
public final class FileErrors {
    private FileErrors() {
    }

    static ErrorClass classOf(IOException e) {
        if (e instanceof NoSuchFileException) {
            return ErrorClass.NO_SUCH_FILE;
        }
        if (e instanceof FileAlreadyExistsException) {
            return ErrorClass.FILE_EXISTS;
        }
        if (e instanceof AccessDeniedException) {
            return ErrorClass.ACCESS;
        }
        String reason = reason(e);
        return reason.contains("Read-only") ? ErrorClass.READ_ONLY
            : reason.contains("No space") || reason.contains("File too large") ? ErrorClass.NO_SPACE
                : reason.contains("quota") ? ErrorClass.QUOTA
                    : reason.contains("name too long") || reason.contains("a directory")
                        || reason.contains("symbolic links") ? ErrorClass.BAD_FILE
                            : reason.contains("not permitted") ? ErrorClass.ACCESS : ErrorClass.IO;
    }

    private static String reason(IOException e) {
        String reason = e instanceof FileSystemException ? ((FileSystemException) e).getReason() : e.getMessage();
        return reason == null ? e.toString() : reason;
    }

    /** What happened to a file, and the cure. */
    static String describe(Object path, IOException e) {
        switch (classOf(e)) {
            case NO_SUCH_FILE :
                return path + " or its directory does not exist; pass MPI.MODE_CREATE, or correct the name";
            case FILE_EXISTS :
                return path + " exists; open it without MPI.MODE_EXCL, or delete it first";
            case ACCESS :
                return path + " may not be used like this; change its permissions or those of its directory";
            case READ_ONLY :
                return path + " lies on a read-only file system; open it with MPI.MODE_RDONLY, or write elsewhere";
            case NO_SPACE :
                return path + " cannot grow (" + reason(e) + "); make room, or write elsewhere";
            case QUOTA :
                return path + " would exceed this user's quota; make room, or write elsewhere";
            case BAD_FILE :
                return path + " is not the name of a file (" + reason(e) + "); pass the name of a file";
            default :
                return path + " cannot be read or written (" + reason(e) + "); ask who runs the file system";
        }
    }

    static MPIException of(Handle handle, String call, Object path, IOException e) {
        MPIException error = handle.error(classOf(e), call, describe(path, e));
        error.initCause(e);
        return error;
    }
}
