package org.brigade.transport.shm;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import org.brigade.bootstrap.ports.FilePorts;
import org.brigade.process.MakerName;
import org.brigade.process.Platform;
import org.brigade.process.ProcessIdentity;

/**
 * Removes what this user's jobs have left behind when all their processes were killed: files that had a name for a
 * moment, segments of Init that needed one, ports and letters, and the tables of emulated fabrics. Nothing else has a
 * name. Whoever makes, ends or looks for a job does this.
 */
public final class StaleSegments {
    /**
     * A failed creator leaves its notice for less time than this. A file this old that does not tell its maker belongs
     * to no living job.
     */
    private static final long SILENT_MILLIS = 2_000;

    private StaleSegments() {
    }

    /** The same for a process that is no rank. */
    public static void remove() {
        try {
            SegmentSettings settings = SegmentSettings.ofThisProcess();
            FilePorts.removeStale(); // wherever the setting has them
            remove(Platform.here().folder(), MakerName.uid(), ProcessIdentity.self(), settings.timeoutMillis());
        } catch (IOException unreadable) {
            // Without /proc no job can have run.
        }
    }

    static void remove(Path directory, int uid, ProcessIdentity self, long initMillis) {
        String[] names = directory.toFile().list();
        if (names == null) {
            return;
        }
        String prefix = MakerName.prefix(uid);
        for (String name : names) {
            if (name.startsWith(prefix)) {
                removeIfStale(new SegmentFile(directory.resolve(name), uid), self, initMillis);
            } else if (name.startsWith(FilePorts.FOLDER)) {
                FilePorts.removeStale();
            } else {
                StaleFabrics.remove(directory.toFile(), name, uid);
            }
        }
    }

    /** Removes all files of a job of which no rank runs any more. Only the job's launcher knows that. */
    public static void removeOf(String key) {
        try {
            File directory = Platform.here().folder().toFile();
            String[] names = directory.list();
            String prefix = MakerName.prefix(MakerName.uid()) + key;
            for (int i = 0; names != null && i < names.length; i++) {
                // mpjrun's keys have neither of these signs. After them comes the node within the job, or the maker.
                if (names[i].startsWith(prefix)
                    && (names[i].length() == prefix.length() || names[i].charAt(prefix.length()) == '.'
                        || names[i].charAt(prefix.length()) == MakerName.MAKER)) {
                    new File(directory, names[i]).delete();
                }
            }
        } catch (IOException unreadable) {
            // Without /proc no job can have run.
        }
    }

    /**
     * Removes the file if it is stale; returns whether the name is free now. Never touches the file of another user.
     */
    static boolean removeIfStale(SegmentFile file, ProcessIdentity self, long initMillis) {
        try {
            SegmentFile.Condition condition = file.look();
            if (condition == SegmentFile.Condition.ABSENT) {
                return true;
            }
            return condition != SegmentFile.Condition.FOREIGN && stale(file, condition, self, initMillis)
                && file.path().toFile().delete();
        } catch (IOException unreadable) {
            return false;
        }
    }

    private static boolean stale(SegmentFile file, SegmentFile.Condition condition, ProcessIdentity self,
        long initMillis) {
        ProcessIdentity creator = file.creator();
        if (condition == SegmentFile.Condition.FAILED || creator.pid() == 0) {
            return file.age() > SILENT_MILLIS;
        }
        if (self.canSee(creator)) {
            return creator.ended() && !(condition == SegmentFile.Condition.READY && RunningJob.uses(file.path()));
        }
        return file.age() > 2 * initMillis;
    }
}
