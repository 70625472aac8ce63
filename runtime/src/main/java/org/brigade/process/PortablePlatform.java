package org.brigade.process;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/**
 * Any system that has Java. Files that ranks share lie in a folder of java.io.tmpdir, which only this user can enter,
 * and keep their names as long as they are used: Java opens a file by its name only. So the files of a killed job stay
 * until its launcher ends or the next job begins.
 */
final class PortablePlatform extends Platform {
    /** Systems that count a start from the clock may tell two processes of one process by that much apart. */
    private static final long SAME_MILLIS = 5_000;
    private static final String USER = System.getProperty("user.name", "");
    private static final boolean POSIX = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    private static final String NOTHING = File.separatorChar == '\\' ? "NUL" : "/dev/null";

    /** Null before the first use. */
    private Path folder;

    /** So that the verifier need not load this class where it is not used. */
    static Platform make() {
        return new PortablePlatform();
    }

    @Override
    public long start(long pid) {
        Optional<ProcessHandle> process = ProcessHandle.of(pid);
        return process.isPresent() && process.get().isAlive() ? start(process.get()) : -1;
    }

    /** Other users' processes, and some systems, tell no start: then the number must do. */
    private static long start(ProcessHandle process) {
        return process.info().startInstant().isPresent() ? process.info().startInstant().get().toEpochMilli() : 0;
    }

    @Override
    public boolean ended(long pid, long start) {
        return !isSame(start(pid), start);
    }

    private static boolean isSame(long found, long start) {
        return found >= 0 && (found == 0 || start == 0 || Math.abs(found - start) <= SAME_MILLIS);
    }

    @Override
    public boolean isEnding(long pid) {
        return start(pid) < 0;
    }

    @Override
    public Life life(long pid, long start) {
        Optional<ProcessHandle> found = ProcessHandle.of(pid);
        // Java's handle knows its process by number and start, too.
        ProcessHandle process = found.isPresent() && isSame(start(found.get()), start) ? found.get() : null;
        return new Life() {
            @Override
            public boolean ended() {
                return process == null || !process.isAlive();
            }

            @Override
            public void close() {
                // It holds nothing.
            }
        };
    }

    @Override
    public long parent() {
        Optional<ProcessHandle> parent = ProcessHandle.current().parent();
        return parent.isPresent() ? parent.get().pid() : 0;
    }

    @Override
    public byte[] environment(long pid) {
        return new byte[0];
    }

    @Override
    public String namespace() {
        return "";
    }

    @Override
    public long startOfThisThread() {
        return -1;
    }

    @Override
    public byte[] kernel(String path) {
        return new byte[0];
    }

    @Override
    public int user() {
        return USER.hashCode();
    }

    /** {@code brigade-NAME}: the user's own, or an error. */
    @Override
    public synchronized Path folder() throws IOException {
        if (folder == null || !Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            Path real = Path.of(System.getProperty("java.io.tmpdir")).toRealPath();
            StringBuilder name = new StringBuilder("brigade-");
            for (int i = 0; i < USER.length(); i++) {
                name.append(Character.isLetterOrDigit(USER.charAt(i)) ? USER.charAt(i) : '_');
            }
            Path ours = real.resolve(name.toString());
            try {
                createFolder(ours);
            } catch (FileAlreadyExistsException another) {
                requireOurs(ours);
            }
            folder = ours;
        }
        return folder;
    }

    /** Another user may have been faster where all users share java.io.tmpdir. */
    private static void requireOurs(Path there) throws IOException {
        if (!POSIX) {
            if (!Files.isDirectory(there, LinkOption.NOFOLLOW_LINKS)) {
                throw new IOException(there + " is no folder; remove it, or set java.io.tmpdir");
            }
            return; // each user has a java.io.tmpdir of his own there
        }
        PosixFileAttributes its =
            Files.readAttributes(there, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        boolean ours = its.isDirectory() && Files.isWritable(there)
            && PosixFilePermissions.toString(its.permissions()).equals("rwx------");
        if (ours) {
            Path mine = Files.createTempFile(there, "look", null); // its owner is this user, whatever the user's name
            ours = Files.getOwner(mine).equals(its.owner());
            Files.delete(mine);
        }
        if (!ours) {
            throw new IOException(there + " of user " + its.owner().getName() + " is no folder of this user's alone;"
                + " remove it, or set java.io.tmpdir for the launcher and all ranks");
        }
    }

    @Override
    public long memory() {
        try {
            return folder().toString().hashCode();
        } catch (IOException none) {
            return 0;
        }
    }

    @Override
    public String unfit(Path there) {
        return null;
    }

    @Override
    public boolean namesStay() {
        return true;
    }

    @Override
    public FileFacts file(Path path, boolean followLink) throws IOException {
        BasicFileAttributes its = followLink ? Files.readAttributes(path, BasicFileAttributes.class)
            : Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        Object key = its.fileKey();
        return new FileFacts(user(), FileFacts.mode(its.isRegularFile(), its.isDirectory(), its.isSymbolicLink()),
            key == null ? 0 : key.hashCode(), its.lastModifiedTime());
    }

    @Override
    public FileChannel create(Path path) throws IOException {
        return FileChannel.open(path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS), attributes("rw-------"));
    }

    private static FileAttribute<?>[] attributes(String mode) {
        return POSIX
            ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))}
            : new FileAttribute<?>[0];
    }

    @Override
    public void markFailed(Path path) {
        // Its first word tells.
    }

    @Override
    public void createFolder(Path path) throws IOException {
        Files.createDirectory(path, attributes("rwx------"));
    }

    /** A console shows both in the order of their arrival; so no order is lost there. */
    @Override
    public String stream(int number) {
        return "";
    }

    @Override
    public File nothing() {
        return new File(NOTHING);
    }
}
