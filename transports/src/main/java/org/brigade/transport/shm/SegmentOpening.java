package org.brigade.transport.shm;

import static org.brigade.transport.shm.SegmentDescriptor.*;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import mpi.ErrorClass;
import mpi.MPIException;
import org.brigade.bootstrap.Job;
import org.brigade.bootstrap.Patience;
import org.brigade.bootstrap.Processors;
import org.brigade.memory.NativeMemory;
import org.brigade.process.MakerName;
import org.brigade.process.ProcessIdentity;
import org.brigade.process.ProcessWatch;

/**
 * Opens the segment that the ranks of a job share on one node. The first of these ranks makes it; the others find and
 * map it. Once all have mapped it, the first one removes its name and lets all go on. A failure of any rank ends Init
 * for all.
 */
final class SegmentOpening implements Runnable {
    /** How long rank 0 leaves the notice of its failure for ranks that have not looked yet. */
    private static final long LINGER_MILLIS = 500;
    private static final int WATCHED_A_LOOK = 8;
    private static final int MIB = 1 << 20;

    private final Job job;
    /** The job's ranks on this node, ascending; null if that is all of them. */
    private final int[] here;
    private final int place;
    private final int places;
    /** The job's key; on several nodes, with a part that names this node. */
    private final String key;
    private final Path directory;
    private final SegmentSettings settings;
    private final ProcessIdentity self = ProcessIdentity.self();
    private final ExitHook hook;
    private final Patience patience;
    /** Null if no launcher is known. */
    private final ProcessWatch launcher = ProcessWatch.ofLauncher();
    private SegmentFile file;
    /** The file, open as long as this rank is in the job; see {@link RunningJob}. */
    private FileInputStream shown;
    private int uid;
    /** Place of the process to be checked next. */
    private int watched;

    /** @param here the job's ranks on this node, ascending; null if that is all of them */
    SegmentOpening(Job job, int[] here, Path directory, SegmentSettings settings) {
        this.job = job;
        this.here = here;
        this.place = here == null ? job.rank() : Arrays.binarySearch(here, job.rank());
        this.places = here == null ? job.size() : here.length;
        this.key = here == null ? job.key() : job.key() + ".r" + here[0];
        this.directory = directory;
        this.settings = settings;
        this.hook = new ExitHook(place);
        this.patience = new Patience(settings.timeoutMillis(), places, launcher == null ? 0 : launcher.pid());
        this.watched = Math.max(0, place);
    }

    SharedEndpoint open() {
        Runtime.getRuntime().addShutdownHook(hook);
        boolean opened = false;
        try {
            uid = MakerName.uid();
            file = new SegmentFile(directory.resolve(MakerName.prefix(uid) + key), uid);
            if (place != 0) {
                hook.begins(this);
            }
            NativeMemory memory = place == 0 ? make() : find();
            shown = new FileInputStream(file.path().toFile());
            attach(memory);
            opened = true;
            SegmentDescriptor layout =
                new SegmentDescriptor(places, (int) memory.getLong(SLOT_COUNT), (int) memory.getLong(RING_BYTES));
            return new SharedEndpoint(layout, memory, job.rank(), here, job.size(), self, hook, launcher).shows(shown,
                file.path(), file.inode());
        } catch (IOException e) {
            throw error("cannot use " + directory + ": " + e);
        } finally {
            if (!opened) {
                abandon();
            }
        }
    }

    private NativeMemory make() throws IOException {
        StaleSegments.remove(directory, uid, self, settings.timeoutMillis());
        SegmentDescriptor layout = settings.layout(places);
        if (layout == null) {
            throw error("brigade.shm.segment=" + settings.segment() + " is too small: " + places + " ranks need "
                + mebibytes(SegmentDescriptor.smallest(places).bytes()) + "M; set it to that or more, or leave it out");
        }
        awaitFreeName();
        try {
            NativeMemory memory = file.create(layout, keyHash(), self, hook);
            file.publish(memory, hook);
            return memory;
        } catch (IOException noRoom) {
            throw notReserved(layout, noRoom);
        }
    }

    /**
     * Waits until the name is free. It may belong to a file of another user, to a dead job of this user, or to a living
     * job that is still in Init.
     */
    private void awaitFreeName() throws IOException {
        while (!StaleSegments.removeIfStale(file, self, settings.timeoutMillis())) {
            if (file.look() == SegmentFile.Condition.FOREIGN) {
                throw foreign();
            }
            if (patience.exhausted()) {
                throw error("another job with the same key (" + key
                    + ") has not finished starting; if no such job runs, remove " + file.path());
            }
            patience.pause();
        }
    }

    private MPIException notReserved(SegmentDescriptor layout, IOException cause) {
        // The failed file still holds the memory that it got. Only after that is given back do we know what is free.
        file.shrink();
        long free = directory.toFile().getUsableSpace();
        MPIException error;
        if (free < layout.bytes()) {
            long smaller = SegmentDescriptor.smallest(places).bytes();
            error = error(directory + " has " + free / MIB + " MiB free and this job needs " + mebibytes(layout.bytes())
                + " MiB; free some"
                + (smaller < layout.bytes() && smaller <= free
                    ? ", or set brigade.shm.segment="
                        + (smaller < MIB ? (smaller + 1023) / 1024 + "K" : mebibytes(smaller) + "M")
                        + " (slower for messages over " + ChannelDescriptor.FIRST_CHUNK / 1024 + " KiB)"
                    : " or make it larger (in a container with docker's --shm-size)"));
        } else {
            error = error("cannot reserve " + mebibytes(layout.bytes()) + " MiB in " + directory + ": " + cause);
        }
        file.publishFailure(error.getMessage(), hook);
        Patience linger = new Patience(LINGER_MILLIS);
        while (!linger.exhausted()) {
            linger.pause();
        }
        return error;
    }

    private NativeMemory find() throws IOException {
        while (true) {
            switch (file.look()) {
                case FOREIGN -> throw foreign();
                case FAILED -> throw error(file.failure());
                case READY -> {
                    // The file of a dead creator belongs to an earlier job: rank 0 will replace it.
                    if (word(KEY_HASH) == keyHash() && !(self.canSee(file.creator()) && file.creator().ended())) {
                        NativeMemory memory = checked();
                        if (memory != null) {
                            return memory;
                        }
                    }
                }
                default -> {
                }
            }
            if (patience.exhausted()) {
                throw error(
                    "waited " + settings.timeoutMillis() / 1000 + " s for rank " + rankAt(0) + " to make " + file.path()
                        + "; did rank " + rankAt(0) + " call Init, and does it see the same " + directory
                        + "? Slow starts: raise brigade.init.timeout (seconds)");
            }
            patience.pause();
        }
    }

    private NativeMemory checked() throws IOException {
        if (word(VERSION) != LAYOUT) {
            throw error("rank " + rankAt(0) + " runs another version of Brigade (segment layout " + word(VERSION)
                + ", here " + LAYOUT + "); give all ranks the same brigade.jar");
        }
        if (word(RANKS) != places) {
            throw error("rank " + rankAt(0) + " belongs to a job of " + word(RANKS)
                + " ranks; give every job its own key (BRIGADE_JOB)");
        }
        return file.map();
    }

    private void attach(NativeMemory memory) {
        RankTable table = new RankTable(memory);
        if (table.state(place) != RankTable.ABSENT) {
            throw error("another process is rank " + job.rank() + " of this job; start each rank once");
        }
        table.number(place, job.rank(), job.size());
        table.attach(place, self, Processors.ofThisThread());
        hook.attached(table);
        while (memory.getLongAcquire(OPENED) == 0) {
            if (place == 0 && table.allAttached(places)) {
                file.path().toFile().delete();
                memory.putLongRelease(OPENED, 1);
                break;
            }
            String failure = table.failure();
            if (failure != null) {
                throw error(failure);
            }
            if (patience.slow()) {
                requireAlive(table);
            }
            if (patience.exhausted()) {
                String absent = absent(table);
                table.fail(absent, 1);
                throw error(absent);
            }
            patience.pause();
        }
        hook.owns(null);
        hook.begins(null);
    }

    /**
     * Checks a few processes at a time. All ranks check: if each checked all others, a large job would do little else.
     */
    private void requireAlive(RankTable table) {
        if (launcher != null && launcher.ended()) {
            throw error(launcher.launcher() + " died during Init");
        }
        for (int i = Math.min(WATCHED_A_LOOK, places); i > 0; i--) {
            int rank = watched;
            watched = watched + 1 < places ? watched + 1 : 0;
            long state = table.state(rank);
            ProcessIdentity other = table.identity(rank);
            if (state == RankTable.EXITED || table.isEnding(rank)
                || state == RankTable.ATTACHED && self.canSee(other) && other.ended()) {
                String lost = "rank " + rankAt(rank) + " (pid " + other.pid() + ") ended during Init";
                table.fail(lost, 1);
                throw error(lost + "; its own messages say why");
            }
        }
    }

    private String absent(RankTable table) {
        StringBuilder ranks = new StringBuilder();
        int count = 0;
        for (int rank = 0; rank < places; rank++) {
            if (table.state(rank) == RankTable.ABSENT) {
                ranks.append(count++ == 0 ? "" : ", ").append(rankAt(rank));
            }
        }
        return "waited " + settings.timeoutMillis() / 1000 + " s for rank" + (count == 1 ? " " : "s ") + ranks
            + " to call Init; start all ranks of the job, or raise brigade.init.timeout (seconds)";
    }

    /**
     * Init of another rank than the first ends early: removes what the first rank has left, if that was killed. Under
     * mpirun nobody else knows the job's key.
     */
    @Override
    public void run() {
        StaleSegments.remove(directory, uid, self, settings.timeoutMillis());
    }

    /** Cleans up when this rank does not get through. */
    private void abandon() {
        hook.abandon();
        try {
            if (shown != null) {
                shown.close();
            }
        } catch (IOException ignored) {
            // Nothing was written: nothing is lost.
        }
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException alreadyEnding) {
            // The hook has done the same, or is doing it.
        }
    }

    private int rankAt(int ofPlace) {
        return here == null ? ofPlace : here[ofPlace];
    }

    private long word(int at) {
        return file.word(at);
    }

    private long keyHash() {
        return key.hashCode();
    }

    private MPIException foreign() {
        return error(
            file.path() + " must be a file of this user, but is a link or another user's; ask its owner to remove it");
    }

    private MPIException error(String what) {
        String call = "Init on rank " + job.rank() + " of " + job.size();
        // A message from another rank is complete already.
        return what.startsWith("MPI_ERR_") ? new MPIException(ErrorClass.OTHER.code, ErrorClass.OTHER.code, what)
            : ErrorClass.OTHER.in(call, what);
    }

    private static long mebibytes(long bytes) {
        return (bytes + MIB - 1) / MIB;
    }
}
