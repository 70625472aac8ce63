package org.brigade.transport.shm;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import mpi.ErrorClass;
import org.brigade.bootstrap.Exchange;
import org.brigade.bootstrap.Job;

/**
 * Who of a job sees the same shared memory: each rank puts an empty file there, and looks for those of the others. Host
 * names and the like would not do: containers of one machine may share its memory or not. The number of the node by the
 * launcher's count is part of a file's name, so emulated nodes see only their own.
 */
final class Reach {
    private final Job job;
    private final Path directory;
    private final Exchange exchange;

    Reach(Job job, Path directory, Exchange exchange) {
        this.job = job;
        this.directory = directory;
        this.exchange = exchange;
    }

    /** Ascending; all ranks of the job ask. */
    int[] ranks() {
        ProcessIdentity self = ProcessIdentity.self();
        File mine = null;
        try {
            String prefix = SegmentFile.prefix(SegmentFile.uid()) + job.key() + ".n" + job.node() + "-";
            // As of a segment in the making, so that one which is left behind is taken away like those.
            Path file = directory.resolve(prefix + job.rank() + SegmentFile.MAKER + self.pid() + SegmentFile.MAKER
                + self.startTime() + SegmentFile.MAKER + self.namespace());
            Set<PosixFilePermission> ours = EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
            mine = Files.createFile(file, PosixFilePermissions.asFileAttribute(ours)).toFile();
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

    private int[] found(String prefix, String[] names) {
        int[] ranks = new int[names.length];
        int count = 0;
        for (String name : names) {
            int end = name.indexOf(SegmentFile.MAKER);
            if (name.startsWith(prefix) && end > 0) {
                ranks[count++] = Integer.parseInt(name.substring(prefix.length(), end));
            }
        }
        int[] ascending = Arrays.copyOf(ranks, count);
        Arrays.sort(ascending);
        return ascending;
    }
}
