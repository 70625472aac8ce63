package org.brigade.transport.shm;

import java.nio.file.Path;
import org.brigade.transport.Endpoint;
import org.brigade.transport.LinkContract;

/** Ranks of one process, each with a mapping of its own. */
class ShmLinkTest extends LinkContract {
    private static int jobs;

    @Override
    protected Endpoint[] open(int ranks) {
        return SegmentRanks.open(Path.of("/dev/shm"), "test-" + ProcessHandle.current().pid() + "-" + jobs++, ranks);
    }
}
