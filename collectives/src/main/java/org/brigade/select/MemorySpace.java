package org.brigade.select;

import java.util.List;
import mpi.spi.Collective;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.algorithm.catalogue.DeviceCatalogue;

/** Where the buffers of a call lie. Each space has its own algorithms, table and settings. */
public enum MemorySpace implements Algorithms {
    HOST("host memory", "shm-default.table", "tuning", "", 64 << 10, ".algorithm", ".chunk", ".radix"),
    DEVICE("device memory", "cuda-default.table", "device.tuning", ".device", 0, ".algorithm", ".chunk", ".blocks",
        ".share");

    /** For sentences: {@code host memory}. */
    public final String words;
    /** Name of the table in the jar. */
    final String table;
    /** The setting that names a table to use instead. */
    public final String tuning;
    /**
     * Window of pipelined algorithms if neither a rule nor a setting gives one, in bytes; 0: the launch's own choice.
     */
    final long chunkBytes;
    /** What the user can force for a collective: the last parts of the settings' keys. */
    final String[] forced;

    MemorySpace(String words, String table, String tuning, String infix, long chunkBytes, String... forced) {
        this.words = words;
        this.table = table;
        this.tuning = tuning;
        this.chunkBytes = chunkBytes;
        this.forced = forced;
        for (int i = 0; i < forced.length; i++) {
            forced[i] = infix.concat(forced[i]);
        }
    }

    /**
     * The last parts of the keys by which the user forces something for a collective: {@code .algorithm}, {@code
     * .device.blocks}.
     */
    public String[] forced() {
        return forced.clone();
    }

    /** A setting of one collective in this space: {@code bcast.algorithm}, {@code bcast.device.algorithm}. */
    public String key(Collective collective, String what) {
        return collective.key() + (this == DEVICE ? ".device." : ".") + what;
    }

    @Override
    public List<? extends Algorithm> of(Collective collective) {
        return this == DEVICE ? DeviceCatalogue.of(collective) : Catalogue.of(collective);
    }
}
