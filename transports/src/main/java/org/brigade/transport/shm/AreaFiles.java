package org.brigade.transport.shm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import mpi.ErrorClass;
import org.brigade.process.ProcessIdentity;

/**
 * Files for memory that ranks of a node share beside the segment. One rank makes a file and tells the others its name.
 * Once they have mapped it, the file has no name any more.
 */
public final class AreaFiles {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private AreaFiles() {
    }

    /**
     * The name of a file that does not exist yet. It tells which process made the file, so that {@link StaleSegments}
     * recognises one that a dead process left behind.
     */
    public static String newName() {
        try {
            ProcessIdentity self = ProcessIdentity.self();
            return SegmentFile.prefix(SegmentFile.uid()) + "staging" + NUMBER.getAndIncrement() + "~" + self.pid() + "~"
                + self.startTime() + "~" + self.namespace();
        } catch (IOException unreadable) {
            throw ErrorClass.OTHER.in("device memory",
                "/proc/self cannot be read (" + unreadable.getMessage() + "); mount /proc in this container");
        }
    }

    /** Where the file lies, the same for all ranks of a node. */
    public static Path path(String name) {
        return Path.of(ShmTransport.DIRECTORY, name);
    }
}
