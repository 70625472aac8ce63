package mpi;

/** Which part of a file a rank sees, and in what units: the arguments of {@link File#setView}. */
public final class FileView {
    private final long disp;
    private final Datatype etype;
    private final Datatype filetype;
    private final String datarep;

    /**
     * @param disp byte of the file at which the view begins
     * @param etype unit of offsets and pointers
     * @param filetype the pattern of data and holes, repeated from {@code disp} on
     * @param datarep the data representation
     */
    public FileView(long disp, Datatype etype, Datatype filetype, String datarep) {
        this.disp = disp;
        this.etype = etype;
        this.filetype = filetype;
        this.datarep = datarep;
    }

    /** Byte of the file at which the view begins. */
    public long getDisp() {
        return disp;
    }

    /** The unit of offsets and pointers. */
    public Datatype getEType() {
        return etype;
    }

    /** The pattern of data and holes. */
    public Datatype getFileType() {
        return filetype;
    }

    /** The data representation. */
    public String getDataRep() {
        return datarep;
    }
}
