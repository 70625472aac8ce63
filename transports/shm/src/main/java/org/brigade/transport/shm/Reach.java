package org.brigade.transport.shm;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import mpi.ErrorClass;
import org.brigade.bootstrap.Exchange;
import org.brigade.bootstrap.Job;
import org.brigade.process.MakerName;
import org.brigade.process.Platform;
import org.brigade.process.ProcessIdentity;
import org.brigade.process.SiblingRank;

/**
 * Finds the ranks of a job that see the same shared memory. Each rank puts an empty file there and looks for the files
 * of the others. Host names would not do: containers of one machine may share its memory or not. The launcher's node
 * number is part of a file's name, so emulated nodes see only their own ranks.
 */
final class Reach {
    private final Job job;
    private final Path directory;
    private final Exchange exchange;
    /** By place among the ranks that were found. */
    private ProcessIdentity[] processes;

    Reach(Job job, Path directory, Exchange exchange) {
        this.job = job;
        this.directory = directory;
        this.exchange = exchange;
    }

    /** The ranks that share memory with this one, ascending. All ranks of the job call it. */
    int[] ranks() {
        ProcessIdentity self = ProcessIdentity.self();
        File mine = null;
        try {
            String prefix = MakerName.prefix(MakerName.uid()) + job.key() + ".n" + job.node() + "-";
            // Named like a segment in the making, so that a file left behind is removed like one.
            Path file = directory.resolve(prefix + job.rank() + MakerName.madeBy(self));
            Platform.here().create(file).close();
            mine = file.toFile();
            exchange.barrier();
            int[] found = found(prefix, directory.toFile().list());
            exchange.barrier();
            return found;
        } catch (IOException e) {
            throw ErrorClass.OTHER.in("Init on rank " + job.rank() + " of " + job.size(),
                "cannot use " + directory + ": " + e);
        } finally {
            if (mine != null) {
                mine.delete();
            }
        }
    }

    /**
     * The first of the ranks that were found, so that all of them can look at its files; null if they do not all count
     * processes alike, as in containers. All of them get the same answer.
     */
    SiblingRank first() {
        for (ProcessIdentity each : processes) {
            if (!each.canSee(processes[0]) || !processes[0].canSee(each)) {
                return null;
            }
        }
        return SiblingRank.of(processes[0]);
    }

    private int[] found(String prefix, String[] names) {
        int[] ranks = new int[names.length];
        ProcessIdentity[] makers = new ProcessIdentity[names.length];
        int count = 0;
        for (String name : names) {
            int end = name.indexOf(MakerName.MAKER);
            if (name.startsWith(prefix) && end > 0 && isOurs(directory.resolve(name))) {
                makers[count] = MakerName.maker(name);
                ranks[count++] = Integer.parseInt(name.substring(prefix.length(), end));
            }
        }
        int[] ascending = Arrays.copyOf(ranks, count);
        Arrays.sort(ascending);
        processes = new ProcessIdentity[count];
        for (int i = 0; i < count; i++) {
            processes[Arrays.binarySearch(ascending, ranks[i])] = makers[i];
        }
        return ascending;
    }

    /** Anybody may make a file of such a name. */
    private static boolean isOurs(Path file) {
        try {
            return Platform.here().file(file, false).owner() == MakerName.uid();
        } catch (IOException gone) {
            return false;
        }
    }
}
