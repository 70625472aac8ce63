package org.brigade.transport.shm;

import java.io.IOException;
import java.nio.file.Path;

/** Removes what jobs of the same user have left that were killed inside Init; a segment has no name at any other time. */
final class StaleSegments {
    /** A failed creator leaves its word for less long than this; and a file that never said who made it is none of a living job's. */
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

    /** Whether the name is free after this. Never touches what belongs to somebody else. */
    static boolean removeIfStale(SegmentFile file, ProcessIdentity self, long initMillis) {
        try {
            SegmentFile.Condition condition = file.look();
            if (condition == SegmentFile.Condition.ABSENT) {
                return true;
            }
            return condition != SegmentFile.Condition.FOREIGN && stale(file, condition, self, initMillis) && file.path().toFile().delete();
        } catch (IOException unreadable) {
            return false;
        }
    }

    private static boolean stale(SegmentFile file, SegmentFile.Condition condition, ProcessIdentity self, long initMillis) {
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
