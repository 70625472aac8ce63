package mpi.front.files;

import mpi.ErrorClass;
import mpi.front.arguments.Arguments;
import mpi.front.io.ViewMap;
import mpi.front.job.Constants;
import mpi.front.job.Handle;
import mpi.front.types.ItemType;

/** What {@code File.setView} refuses. */
public final class FileViewCheck {
    private FileViewCheck() {
    }

    static void check(OpenFile file, String call, long disp, ItemType etype, ItemType filetype, String datarep) {
        Handle handle = file.handle;
        Arguments.type(handle, call, etype);
        Arguments.type(handle, call, filetype);
        boolean sequential = file.has(Constants.MODE_SEQUENTIAL);
        if (sequential ? disp != Constants.DISPLACEMENT_CURRENT : disp < 0) {
            throw handle.error(ErrorClass.ARG, call, "disp is " + disp + "; pass "
                + (sequential ? "MPI.DISPLACEMENT_CURRENT, as the file is open with MPI.MODE_SEQUENTIAL"
                    : "a byte of the file, 0 or more (MPI.DISPLACEMENT_CURRENT is for MPI.MODE_SEQUENTIAL)"));
        }
        if (!"native".equals(datarep)) {
            throw handle.error(ErrorClass.UNSUPPORTED_DATAREP, call, "the data representation is "
                + (datarep == null ? "null" : "'" + datarep + "'") + "; pass \"native\"");
        }
        if (etype.holdsObjects || filetype.holdsObjects) {
            throw handle.error(ErrorClass.TYPE, call,
                "objects cannot lie in files; write them to a byte[], and view the file as MPI.BYTE");
        }
        if (etype.size == 0 || filetype.size % etype.size != 0) {
            throw handle.error(ErrorClass.TYPE, call, "the file type has " + filetype.size + " bytes, the etype "
                + etype.size + "; derive the file type from the etype");
        }
        ViewMap map = new ViewMap(Math.max(0, disp), filetype.shape.map, filetype.shape.extent());
        if (map.isDisordered() || map.overlaps() && file.isWritable()) {
            throw handle.error(ErrorClass.TYPE, call, map.isDisordered()
                ? "some data of " + filetype + " lie before the view, or before data that precede them; make a file"
                    + " type whose displacements rise from 0 or more"
                : "data of " + filetype + " share bytes of the file, so they cannot be written; make a file type whose"
                    + " data lie apart, or open the file with MPI.MODE_RDONLY");
        }
        if (!map.reaches(filetype.size)) {
            throw handle.error(ErrorClass.ARG, call, "disp " + disp + " is too large; pass less than "
                + (Long.MAX_VALUE - filetype.shape.extent()));
        }
    }
}
