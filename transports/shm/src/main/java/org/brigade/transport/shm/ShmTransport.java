package org.brigade.transport.shm;

import java.io.IOException;
import java.nio.file.Path;
import mpi.ErrorClass;
import org.brigade.bootstrap.Exchange;
import org.brigade.bootstrap.Job;
import org.brigade.bootstrap.Processors;
import org.brigade.memory.NativeMemory;
import org.brigade.process.Platform;
import org.brigade.process.ProcessIdentity;
import org.brigade.process.ProcessWatch;
import org.brigade.transport.Endpoint;
import org.brigade.transport.Transport;

/**
 * Ranks of one node through shared memory: one segment per job and node, a file in the folder of {@link Platform}, on
 * Linux without a name.
 */
public final class ShmTransport implements Transport {
    /** Null: the platform's. */
    private final Path directory;
    private final SegmentSettings settings;
    /** Null in a job on one node. */
    private Reach reach;

    /** For {@link java.util.ServiceLoader}. */
    public ShmTransport() {
        this(null, SegmentSettings.ofThisProcess());
    }

    ShmTransport(Path directory, SegmentSettings settings) {
        this.directory = directory;
        this.settings = settings;
    }

    @Override
    public String name() {
        return "shm";
    }

    @Override
    public String unfit(Job job) {
        if (job.size() == 1) {
            return null;
        }
        if (SegmentDescriptor.smallest(job.localSize()).bytes() > Integer.MAX_VALUE) {
            return "a segment for " + job.localSize() + " ranks would pass 2 GiB; start fewer ranks on this node";
        }
        try {
            return Platform.here().unfit(directory());
        } catch (IOException none) {
            return none.getMessage();
        }
    }

    @Override
    public Endpoint open(Job job) {
        if (job.size() == 1) {
            SegmentDescriptor layout = SegmentDescriptor.forRanks(1);
            NativeMemory memory = NativeMemory.allocate((int) layout.bytes());
            new RankTable(memory).attach(0, ProcessIdentity.THREAD, Processors.ofThisThread());
            ProcessWatch launcher = job.launcher().equals("none") ? null : ProcessWatch.ofLauncher();
            return new SharedEndpoint(layout, memory, 0, null, 1, ProcessIdentity.THREAD, null, launcher);
        }
        return new SegmentOpening(job, null, null, ready(), settings).open();
    }

    @Override
    public int[] reachable(Job job, Exchange exchange) {
        reach = new Reach(job, ready(), exchange);
        return reach.ranks();
    }

    @Override
    public Endpoint open(Job job, int[] reachable) {
        return new SegmentOpening(job, reachable, reach, ready(), settings).open();
    }

    private Path directory() throws IOException {
        return directory == null ? Platform.here().folder() : directory;
    }

    /** In a call after {@link #unfit}. */
    private Path ready() {
        try {
            return directory();
        } catch (IOException gone) {
            throw ErrorClass.OTHER.in("Init", gone.getMessage());
        }
    }
}
