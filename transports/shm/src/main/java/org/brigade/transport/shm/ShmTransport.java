package org.brigade.transport.shm;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.brigade.bootstrap.Exchange;
import org.brigade.bootstrap.Job;
import org.brigade.bootstrap.Processors;
import org.brigade.memory.NativeMemory;
import org.brigade.process.ProcessIdentity;
import org.brigade.process.ProcessWatch;
import org.brigade.transport.Endpoint;
import org.brigade.transport.Transport;

/** Ranks of one node through shared memory: one segment per job and node, a file of /dev/shm without a name. */
public final class ShmTransport implements Transport {
    static final String DIRECTORY = "/dev/shm";

    private final Path directory;
    private final SegmentSettings settings;
    /** Null in a job on one node. */
    private Reach reach;

    /** For {@link java.util.ServiceLoader}. */
    public ShmTransport() {
        this(Path.of(DIRECTORY), SegmentSettings.ofThisProcess());
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
        String system = System.getProperty("os.name");
        String machine = System.getProperty("os.arch");
        if (!"Linux".equals(system) || !"amd64".equals(machine) && !"aarch64".equals(machine)) {
            return "Brigade's shared memory runs on Linux on x86-64 and aarch64, and this is " + system + " on "
                + machine + "; run the job on such a machine";
        }
        if (SegmentDescriptor.smallest(job.localSize()).bytes() > Integer.MAX_VALUE) {
            return "a segment for " + job.localSize() + " ranks would pass 2 GiB; start fewer ranks on this node";
        }
        return inMemory(directory.toString()) ? null
            : directory + " is not memory (no tmpfs is mounted there); mount one (mount -t tmpfs tmpfs " + directory
                + ")";
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
        return new SegmentOpening(job, null, null, directory, settings).open();
    }

    @Override
    public int[] reachable(Job job, Exchange exchange) {
        reach = new Reach(job, directory, exchange);
        return reach.ranks();
    }

    @Override
    public Endpoint open(Job job, int[] reachable) {
        return new SegmentOpening(job, reachable, reach, directory, settings).open();
    }

    /** Whether a tmpfs is mounted at this place. If the kernel's list names it several times, the last mount counts. */
    private static boolean inMemory(String place) {
        String mounts;
        try (FileInputStream list = new FileInputStream("/proc/self/mounts")) {
            mounts = new String(list.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException unreadable) {
            return true;
        }
        String mounted = " " + place + " ";
        int at = mounts.lastIndexOf(mounted);
        return at >= 0 && mounts.startsWith("tmpfs ", at + mounted.length());
    }
}
