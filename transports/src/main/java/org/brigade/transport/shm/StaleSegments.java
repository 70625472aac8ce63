package org.brigade.transport.shm;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Removes what jobs of the same user have left that were killed inside Init; a segment has no name at any other time.
 */
public final class StaleSegments {
    /**
     * A failed creator leaves its word for less long than this; and a file that never said who made it is none of a
     * living job's.
     */
    private static final long SILENT_MILLIS = 2_000;

    private StaleSegments() {
    }

    static void remove(Path directory, int uid, ProcessIdentity self, long initMillis) {
        String[] names = directory.toFile().list();
        if (names == null) {
            return;
        }
        String prefix = SegmentFile.prefix(uid);
        for (String name : names) {
            if (name.startsWith(prefix)) {
                removeIfStale(new SegmentFile(directory.resolve(name), uid), self, initMillis);
            }
        }
    }

    /** Removes what a job has left of which no rank runs any more. For its launcher, who alone knows that. */
    public static void removeOf(String key) {
        File directory = new File(ShmTransport.DIRECTORY);
        String[] names = directory.list();
        try {
            String prefix = SegmentFile.prefix(SegmentFile.uid()) + key;
            for (int i = 0; names != null && i < names.length; i++) {
                // No mpjrun's key has such signs: what follows says which node of the job, or who made it.
                if (names[i].startsWith(prefix)
                    && (names[i].length() == prefix.length() || names[i].charAt(prefix.length()) == '.'
                        || names[i].charAt(prefix.length()) == SegmentFile.MAKER)) {
                    new File(directory, names[i]).delete();
                }
            }
        } catch (IOException unreadable) {
            // Without /proc there was no job.
        }
    }

    /** Whether the name is free after this. Never touches what belongs to somebody else. */
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
            return creator.ended();
        }
        return file.age() > 2 * initMillis;
    }
}
