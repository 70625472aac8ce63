package org.brigade.process;

import java.nio.file.attribute.FileTime;

/**
 * What {@link Platform} tells of a file.
 *
 * @param owner a user, as {@link Platform#user} numbers users
 * @param mode kind and permissions, as POSIX writes them: 0100600 for a regular file of its owner alone
 * @param number tells apart the files of one file system; 0 where they have none
 * @param modified when it last changed
 */
public record FileFacts(int owner, int mode, long number, FileTime modified) {
    /** The kind and mode of a regular file that only its owner can open. */
    public static final int REGULAR_0600 = 0100600;
    private static final int TYPE = 0170000;
    private static final int REGULAR = 0100000;
    private static final int DIRECTORY = 0040000;
    private static final int LINK = 0120000;
    private static final int PERMISSIONS = 0777;

    /** Kind and permissions of a file of its owner alone, where the system has no such numbers. */
    static int mode(boolean regular, boolean directory, boolean link) {
        return regular ? REGULAR_0600 : directory ? DIRECTORY | 0700 : link ? LINK | PERMISSIONS : 0;
    }

    public boolean isRegular() {
        return (mode & TYPE) == REGULAR;
    }

    public boolean isLink() {
        return (mode & TYPE) == LINK;
    }

    public int permissions() {
        return mode & PERMISSIONS;
    }
}
