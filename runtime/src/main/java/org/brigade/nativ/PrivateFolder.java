package org.brigade.nativ;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;
import org.brigade.process.Platform;
import org.brigade.setting.Portable;

/**
 * A folder from which code may be loaded: only this user and root can put files into it or replace any step of its
 * path. It belongs to this user and has mode 0700. It is the cache of {@link UserFolders}. A user without one gets a
 * new folder in java.io.tmpdir, with a name that nobody can guess; it is removed when the process ends.
 *
 * <p>
 * Every step of a path must belong to this user or root. The owner of / counts as root, as root has another number in
 * some containers; but not in a folder that others may write to, as all other users may have that same number there.
 */
public final class PrivateFolder {
    private static final int TYPE = 0170000;
    private static final int LINK = 0120000;
    private static final int DIRECTORY = 0040000;
    private static final int REGULAR = 0100000;
    private static final int OTHERS_WRITE = 0022;
    private static final int STICKY = 01000;
    private static final int MOST_LINKS = 40;
    /** Of this process; less than 0 before it is known. */
    private static volatile int user = -1;
    /** Apart, as these sets cost a cold program 1.4 ms, and most programs make nothing. */
    private static final class Ours {
        static final Set<PosixFilePermission> PERMISSIONS = EnumSet.of(PosixFilePermission.OWNER_READ,
            PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);
        static final FileAttribute<Set<PosixFilePermission>> MODE = PosixFilePermissions.asFileAttribute(PERMISSIONS);
    }

    /** This process's folder among temporary files; null before it is needed. */
    private static Path temporary;

    private PrivateFolder() {
    }

    /** Of a folder that is made. */
    static FileAttribute<?>[] mode() {
        return Portable.ON ? new FileAttribute<?>[0] : new FileAttribute<?>[] {Ours.MODE};
    }

    /**
     * This user's folder; makes it if it is missing.
     *
     * @throws IOException if there is none: what is wrong with each candidate, and the cure
     */
    public static Path ofThisUser() throws IOException {
        return ofThisUser(UserFolders.cache(), System.getProperty("java.io.tmpdir"));
    }

    /**
     * This process's folder in java.io.tmpdir: a new one, until the process ends.
     *
     * @throws IOException if it cannot be made, or others can replace a step of its path
     */
    static Path inTemporaryFolder() throws IOException {
        return inTemporaryFolder(System.getProperty("java.io.tmpdir"));
    }

    private static synchronized Path inTemporaryFolder(String parent) throws IOException {
        Path real = walk(Path.of(parent).toAbsolutePath().normalize(), false, new int[1]);
        // Init may have made it java.io.tmpdir, for JCuda.
        boolean ours = temporary != null && (real.equals(temporary) || real.equals(temporary.getParent()));
        if (!ours || complaint(temporary) != null) {
            requireStep(real);
            String names = "brigade-" + namespace() + "-";
            removeStale(real, names);
            // A name that nobody can guess. It tells the process, for whoever finds the folder when that was killed.
            Path made =
                Files.createTempDirectory(real, names + ProcessHandle.current().pid() + "-", Ours.MODE);
            try {
                Runtime.getRuntime().addShutdownHook(new Removal(made));
            } catch (IllegalStateException ending) {
                Files.delete(made);
                throw new IOException("this process is ending", ending);
            }
            temporary = made;
        }
        return temporary;
    }

    /** A number of this process's pid namespace: in another one, a pid is another process. */
    private static int namespace() {
        return Platform.here().namespace().hashCode() & Integer.MAX_VALUE;
    }

    /** Removes this user's folders of processes that were killed. */
    private static void removeStale(Path parent, String names) throws IOException {
        String[] found = parent.toFile().list();
        for (int i = 0; found != null && i < found.length; i++) {
            int end = found[i].startsWith(names) ? found[i].indexOf('-', names.length()) : -1;
            if (end > 0 && !new File("/proc/" + found[i].substring(names.length(), end)).exists()
                && new File("/proc/self").exists()) {
                Path folder = parent.resolve(found[i]);
                try {
                    Map<String, Object> its = look(folder);
                    if ((int) its.get("uid") == uid() && ((int) its.get("mode") & TYPE) == DIRECTORY) {
                        new Removal(folder).run();
                    }
                } catch (NoSuchFileException gone) {
                    // Another process has removed it.
                }
            }
        }
    }

    /** Removes a folder and the files in it. */
    private static final class Removal extends Thread {
        private final Path folder;

        Removal(Path folder) {
            this.folder = folder;
        }

        @Override
        public void run() {
            File[] files = folder.toFile().listFiles();
            for (int i = 0; files != null && i < files.length; i++) {
                files[i].delete();
            }
            folder.toFile().delete();
        }
    }

    /** @param cache null for a user without a home */
    static Path ofThisUser(Path cache, String temporary) throws IOException {
        StringBuilder wrong = new StringBuilder();
        Path found = cache == null ? null : tried(cache, wrong);
        if (found != null) {
            return found;
        }
        try {
            return inTemporaryFolder(temporary);
        } catch (IOException e) {
            note(wrong, Path.of(temporary), e);
        }
        throw new IOException("there is no folder for libraries that only this user can write to: " + wrong
            + "; set XDG_CACHE_HOME to a folder of this user's, mode 0700, in one that others cannot write to");
    }

    private static Path tried(Path folder, StringBuilder wrong) {
        try {
            return at(folder);
        } catch (IOException e) {
            note(wrong, folder, e);
            return null;
        }
    }

    private static void note(StringBuilder wrong, Path folder, IOException e) {
        wrong.append(wrong.length() == 0 ? "" : "; ").append(e instanceof UntrustedException ? "" : folder + ": ")
            .append(e.getMessage());
    }

    /**
     * The folder at a path. Missing steps are made with mode 0700; existing ones of this user are set to 0700, too.
     *
     * @return the path without links
     * @throws IOException if it cannot be made, or others can write to it or to a step of its path
     */
    public static Path at(Path folder) throws IOException {
        if (Portable.ON) { // the user's own folders are trusted: no other user can be told there
            Files.createDirectories(folder.toAbsolutePath().getParent());
            if (!Files.isDirectory(folder)) {
                makeFolder(folder);
            }
            return folder.toRealPath();
        }
        Path real = walk(folder.toAbsolutePath().normalize(), true, new int[1]);
        Map<String, Object> its = look(real);
        if ((int) its.get("uid") != uid()) {
            throw new UntrustedException(real + " belongs to user " + its.get("uid") + ", not to this one");
        }
        if (((int) its.get("mode") & 0777) != 0700) {
            Files.setPosixFilePermissions(real, Ours.PERMISSIONS);
        }
        return real;
    }

    /**
     * What others could do to a file or folder; null if only this user and root can change or replace it. A file with
     * two names is not trusted: others can give a second name to a file of this user's.
     */
    public static String complaint(Path file) {
        if (Portable.ON) {
            return Files.exists(file) ? null : file + " is not there";
        }
        try {
            Path real = walk(file.toAbsolutePath().normalize(), false, new int[1]);
            return complaint(real, look(real));
        } catch (IOException e) {
            return e instanceof NoSuchFileException ? e.getMessage() + " is not there" : e.getMessage();
        }
    }

    /** The same of the file or folder itself, whose path has been followed. */
    private static String complaint(Path real, Map<String, Object> its) throws IOException {
        int mode = (int) its.get("mode");
        return !trusted(real, its)
            ? real + " belongs to user " + its.get("uid")
            : (mode & OTHERS_WRITE) != 0 ? real + " can be written to by others"
                : (mode & TYPE) == REGULAR && (int) its.get("nlink") != 1 ? real + " has another name, too" : null;
    }

    /** Whether a file is trusted and has this length and CRC-32: it is whole. */
    public static boolean holds(Path file, long bytes, long crc) {
        return complaint(file) == null && isWhole(file, bytes, crc);
    }

    /** The same of a file in a folder that {@link #ofThisUser()} or {@link #inTemporaryFolder()} has given. */
    static boolean holds(Path folder, String name, long bytes, long crc) {
        try {
            Path file = folder.resolve(name);
            if (!Portable.ON) {
                Map<String, Object> its = look(file);
                if (((int) its.get("mode") & TYPE) != REGULAR || complaint(file, its) != null) {
                    return false;
                }
            }
            return isWhole(file, bytes, crc);
        } catch (IOException absent) {
            return false;
        }
    }

    private static boolean isWhole(Path file, long bytes, long crc) {
        try {
            if (file.toFile().length() != bytes) {
                return false;
            }
            CRC32 sum = new CRC32();
            // Files.readAllBytes makes a channel first: 5 ms in a cold JVM without a class archive, a stream 0.5.
            try (FileInputStream in = new FileInputStream(file.toFile())) {
                sum.update(in.readAllBytes());
            }
            return sum.getValue() == crc;
        } catch (IOException unreadable) {
            return false;
        }
    }

    /**
     * Puts a file into a folder atomically, safe beside any number of processes that do the same. An existing file
     * stays if it is trusted and has this content.
     *
     * @param folder of this user's, or one in which others cannot delete this user's files (/tmp)
     * @throws IOException if it cannot be written, or the name is taken by another user's file
     */
    public static Path put(Path folder, String name, byte[] content) throws IOException {
        Path real = Portable.ON ? folder.toRealPath() : walk(folder.toAbsolutePath().normalize(), false, new int[1]);
        Path file = real.resolve(name);
        if (!Portable.ON) {
            requireStep(real);
        }
        if (complaint(file) == null && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
            && Arrays.equals(Files.readAllBytes(file), content)) {
            return file;
        }
        // In the same folder, so that the move is a rename: a process that has the old file open keeps it, later ones
        // get the
        // new one.
        Path part = Files.createTempFile(file.getParent(), name + ".", ".part", mode());
        try {
            Files.write(part, content);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
        return file;
    }

    /**
     * Follows a path from / on, step by step. Only the last step may be missing, or any if it is to be made. The caller
     * checks the last step.
     */
    private static Path walk(Path path, boolean make, int[] links) throws IOException {
        Path at = path.getRoot();
        Map<String, Object> itself = look(at); // each look costs a cold program a tenth of a millisecond
        for (Path name : path) {
            requireStep(at, itself);
            Path next = at.resolve(name);
            if (make && !Files.exists(next, LinkOption.NOFOLLOW_LINKS)) {
                makeFolder(next);
            }
            Map<String, Object> its = look(next);
            if (((int) its.get("mode") & TYPE) == LINK) {
                if (!trusted(next, its)) {
                    throw new UntrustedException(next + " is a link of user " + its.get("uid"));
                }
                if (++links[0] > MOST_LINKS) {
                    throw new UntrustedException(next + " is one of too many links");
                }
                next = walk(at.resolve(Files.readSymbolicLink(next)).normalize(), make, links);
                its = look(next);
            }
            at = next;
            itself = its;
        }
        return at;
    }

    private static void makeFolder(Path folder) throws IOException {
        try {
            Platform.here().createFolder(folder);
        } catch (FileAlreadyExistsException another) {
            // Another rank was faster, or another user: it is checked.
        }
    }

    /** In a step of the path others must not be able to replace an entry that is not theirs. */
    private static void requireStep(Path folder) throws IOException {
        requireStep(folder, look(folder));
    }

    private static void requireStep(Path folder, Map<String, Object> its) throws IOException {
        int mode = (int) its.get("mode");
        if ((mode & TYPE) != DIRECTORY) {
            throw new UntrustedException(folder + " is no folder");
        }
        if (!trusted(folder, its)) {
            throw new UntrustedException(folder + " belongs to user " + its.get("uid"));
        }
        if ((mode & OTHERS_WRITE) != 0 && (mode & STICKY) == 0) {
            throw new UntrustedException(folder + " can be written to by others");
        }
    }

    private static Map<String, Object> look(Path path) throws IOException {
        return Files.readAttributes(path, "unix:uid,mode,nlink", LinkOption.NOFOLLOW_LINKS);
    }

    /** Whether what lies at a place is this user's, root's or, in a folder of its own, the owner of /'s. */
    private static boolean trusted(Path place, Map<String, Object> its) throws IOException {
        int owner = (int) its.get("uid");
        if (owner == 0 || owner == uid()) {
            return true; // first, as each look takes long
        }
        Path folder = place.getParent();
        return trusted(owner, uid(), (int) Files.getAttribute(Path.of("/"), "unix:uid"),
            folder != null && ((int) look(folder).get("mode") & OTHERS_WRITE) != 0);
    }

    /**
     * @param top the owner of /
     * @param open whether others may write to the folder
     */
    static boolean trusted(int owner, int user, int top, boolean open) {
        return owner == user || owner == 0 || owner == top && !open;
    }

    private static int uid() throws IOException {
        if (user < 0) {
            user = Platform.here().user();
        }
        return user;
    }

    private static final class UntrustedException extends IOException {
        private static final long serialVersionUID = 1;

        UntrustedException(String what) {
            super(what);
        }
    }
}
