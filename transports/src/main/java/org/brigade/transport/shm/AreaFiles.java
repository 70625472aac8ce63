package org.brigade.transport.shm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import mpi.ErrorClass;

/**
 * Files for memory that ranks of a node share beside the segment: made by one, found by others by the name that he
 * tells them, and nameless from then on.
 */
public final class AreaFiles {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private AreaFiles() {
    }

    /**
     * A file that is not there yet, named so that one left behind by a process that died is known as such
     * ({@link StaleSegments}).
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

    /** Where it lies, for all ranks of a node. */
    public static Path path(String name) {
        return Path.of(ShmTransport.DIRECTORY, name);
    }
}
