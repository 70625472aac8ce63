package org.brigade.transport.shm;

import static org.brigade.transport.shm.SegmentDescriptor.*;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import mpi.ErrorClass;
import mpi.MPIException;
import org.brigade.bootstrap.Deadline;
import org.brigade.bootstrap.Job;
import org.brigade.bootstrap.Processors;
import org.brigade.memory.NativeMemory;
import org.brigade.process.MakerName;
import org.brigade.process.Platform;
import org.brigade.process.ProcessIdentity;
import org.brigade.process.ProcessWatch;
import org.brigade.process.SiblingRank;

/**
 * Opens the segment that the ranks of a job share on one node. The first of these ranks makes it; the others find and
 * map it. Once all have mapped it, the first one lets all go on. A failure of any rank ends Init for all.
 *
 * <p>
 * The segment has no name if the first rank sees its launcher: the other ranks then find that rank as a child of the
 * launcher, and the segment among its files. One that cannot asks for a name. The first one then makes the segment
 * anew, with a name, and those that have mapped the old one move. Joined jobs may have several launchers, so their
 * segment has a name.
 */
final class SegmentOpening implements Runnable {
    /** How long rank 0 leaves the notice of its failure for ranks that have not looked yet. */
    private static final long LINGER_MILLIS = 500;
    /** How long a rank that sees no process of the first one looks for it, before it asks for a name. */
    private static final long ASKS_MILLIS = 1_000;
    /** The same for one that sees that process, which may only be late. */
    private static final long ASKS_LATE_MILLIS = 10_000;
    private static final int WATCHED_A_LOOK = 8;

    private final Job job;
    /** The job's ranks on this node, ascending; null if that is all of them. */
    private final int[] here;
    /** How the ranks on this node found each other; null on one node. */
    private final Reach reach;
    private final int place;
    private final int places;
    /** The job's key; on several nodes, with a part that names this node. */
    private final String key;
    private final Path directory;
    private final SegmentSettings settings;
    private final ProcessIdentity self = ProcessIdentity.self();
    private final ExitHook hook;
    private final Deadline patience;
    /** Null if no launcher is known. */
    private final ProcessWatch launcher = ProcessWatch.ofLauncher();
    private SegmentFile file;
    /** How to find the first rank; null if that has another launcher, or is not visible. */
    private SiblingRank first;
    /** Of the first rank. */
    private SegmentCreation creation;
    /** Whether this rank cannot find the file without a name, or the first one has given it one. */
    private boolean named;
    /** Whether the first one may have made it without a name. */
    private boolean mayAsk;
    private int uid;
    /** Place of the process to be checked next. */
    private int watched;

    /**
     * @param here the job's ranks on this node, ascending; null if that is all of them
     * @param reach how they were found; null if that is all of them
     */
    SegmentOpening(Job job, int[] here, Reach reach, Path directory, SegmentSettings settings) {
        this.job = job;
        this.here = here;
        this.reach = reach;
        this.place = here == null ? job.rank() : Arrays.binarySearch(here, job.rank());
        this.places = here == null ? job.size() : here.length;
        this.key = here == null ? job.key() : job.key() + ".r" + here[0];
        this.directory = directory;
        this.settings = settings;
        this.hook = new ExitHook(place);
        this.patience = new Deadline(settings.timeoutMillis(), places, launcher == null ? 0 : launcher.pid());
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
            first = reach != null ? reach.first() : job.joined() ? null : SiblingRank.of(launcher, 0);
            named = first == null;
            mayAsk = first != null || reach == null && !job.joined() && !Platform.here().namesStay();
            NativeMemory memory = place == 0 ? make(named) : find();
            while (!attach(memory)) {
                memory = place == 0 ? make(true) : find();
            }
            opened = true;
            SegmentDescriptor layout =
                new SegmentDescriptor(places, (int) memory.getLong(SLOT_COUNT), (int) memory.getLong(RING_BYTES));
            SharedEndpoint end =
                new SharedEndpoint(layout, memory, job.rank(), here, job.size(), self, hook, launcher);
            return place == 0 ? end.shows(creation.kept(), creation.shownAs(), creation.inode())
                : end.shows(file.kept(), file.shownAs(), file.inode());
        } catch (IOException e) {
            throw error("cannot use " + directory + ": " + e);
        } finally {
            if (!opened) {
                abandon();
            }
        }
    }

    private NativeMemory make(boolean withName) throws IOException {
        StaleSegments.remove(directory, uid, self, settings.timeoutMillis());
        SegmentDescriptor layout = settings.layout(places);
        if (layout == null) {
            throw error(settings.tooSmall(places));
        }
        named = withName;
        if (named) {
            awaitFreeName();
        }
        creation = new SegmentCreation(file.path(), hook, named);
        try {
            NativeMemory memory = creation.create(layout, keyHash(), self);
            creation.publish(memory);
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
        creation.shrink();
        MPIException error = error(SegmentSettings.notReserved(layout, directory, cause));
        creation.publishFailure(error.getMessage());
        Deadline linger = new Deadline(LINGER_MILLIS);
        while (!linger.exhausted()) {
            linger.pause();
        }
        return error;
    }

    private NativeMemory find() throws IOException {
        Deadline asks = new Deadline(ASKS_MILLIS);
        Deadline asksLate = new Deadline(ASKS_LATE_MILLIS);
        List<Long> processes = List.of();
        while (true) {
            SegmentFile.Condition condition = SegmentFile.Condition.ABSENT;
            if (first != null && !named) {
                processes = processes.isEmpty() || patience.slow() ? first.pids() : processes;
                for (int i = 0; i < processes.size() && condition == SegmentFile.Condition.ABSENT; i++) {
                    condition = file.seek(processes.get(i));
                }
            }
            if (condition == SegmentFile.Condition.ABSENT) {
                condition = file.look();
            }
            NativeMemory memory = found(condition);
            if (memory != null) {
                file.withdraw(hook);
                return memory;
            }
            boolean barred = file.isBarred() || patience.slow() && (first == null || first.isBlind());
            named |= barred;
            if (mayAsk && (barred || (processes.isEmpty() ? asks : asksLate).exhausted())) {
                file.ask(self, hook, barred);
            }
            if (patience.exhausted()) {
                throw error("waited " + settings.timeoutMillis() / 1000 + " s for rank " + rankAt(0)
                    + " to make the shared segment in " + directory + "; did rank " + rankAt(0)
                    + " call Init, and does it see the same " + directory
                    + "? Slow starts: raise brigade.init.timeout (seconds)");
            }
            patience.pause();
        }
    }

    private NativeMemory found(SegmentFile.Condition condition) throws IOException {
        switch (condition) {
            case FOREIGN -> {
                if (named) {
                    throw foreign();
                }
            }
            case FAILED -> throw error(file.failure());
            case READY -> {
                // The file of a dead creator belongs to an earlier job: rank 0 will replace it.
                if (word(KEY_HASH) == keyHash() && !(self.canSee(file.creator()) && file.creator().ended())) {
                    return checked();
                }
                file.close();
            }
            default -> {
            }
        }
        return null;
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

    /** @return false if the segment has been given up for one with a name */
    private boolean attach(NativeMemory memory) throws IOException {
        RankTable table = new RankTable(memory);
        if (table.state(place) != RankTable.ABSENT) {
            throw error("another process is rank " + job.rank() + " of this job; start each rank once");
        }
        table.number(place, job.rank(), job.size());
        table.attach(place, self, Processors.ofThisThread());
        hook.attached(table);
        for (long state = 0; state != ALL_ATTACHED; state = memory.getLongAcquire(OPENED)) {
            if (state == MOVED) {
                named = true;
                mayAsk = false;
                file.close();
                return false;
            }
            if (place == 0 && table.allAttached(places)) {
                creation.removeName();
                memory.putLongRelease(OPENED, ALL_ATTACHED);
                continue;
            }
            String failure = table.failure();
            if (failure != null) {
                throw error(failure);
            }
            if (patience.slow()) {
                requireAlive(table);
                if (place == 0 && !named && creation.isAsked()) {
                    creation.close();
                    memory.putLongRelease(OPENED, MOVED);
                    return false;
                }
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
        if (Platform.here().namesStay()) {
            hook.shares(file.path().toFile(), places);
        }
        return true;
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
            if (file != null) {
                file.close();
            }
            if (creation != null) {
                creation.close();
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
}
