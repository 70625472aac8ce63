package org.brigade.process;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/**
 * A file without a name, which this process holds open. The kernel removes it with the last process that has it open or
 * mapped, however that ends. It is opened anew through /proc: that gives a channel of one's own, which an interrupt of
 * a thread may close. Where names must stay ({@link Platform#namesStay}), it has its name until its maker closes it or
 * ends; the file of a killed maker is removed by the next job.
 */
public final class NamelessFile implements Closeable {
    private static final String FILES = "/proc/self/fd";
    private static final String GONE = " (deleted)";
    private static final Set<OpenOption> MADE =
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE, LinkOption.NOFOLLOW_LINKS);
    private static final long ANY = -1;

    private final Closeable kept;
    private final Path path;
    /** The path by which this process can open the file. */
    private final Path link;
    private final boolean named;
    private volatile boolean closed;

    private NamelessFile(Closeable kept, Path path, Path link, boolean named) {
        this.kept = kept;
        this.path = path;
        this.link = link;
        this.named = named;
    }

    /**
     * Makes an empty file of mode 0600.
     *
     * @param what the file is for: letters
     */
    public static NamelessFile make(Path directory, String what) throws IOException {
        return make(directory.toRealPath().resolve(MakerName.of(what)));
    }

    /**
     * Makes an empty file of mode 0600. The JDK opens it and removes its name in two calls of the system, with nothing
     * between them. A process that is killed just there leaves an empty file, whose name must tell the process
     * ({@link MakerName}): another job removes it. No other file of this process may have had that name.
     */
    public static NamelessFile make(Path path) throws IOException {
        if (Platform.here().namesStay()) {
            FileChannel made = Platform.here().create(path);
            path.toFile().deleteOnExit();
            return new NamelessFile(made, path, path, true);
        }
        Set<PosixFilePermission> ours = EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        FileChannel kept = FileChannel.open(path, MADE, PosixFilePermissions.asFileAttribute(ours));
        NamelessFile file = of(kept, path, ANY);
        if (!ours.equals(Files.getPosixFilePermissions(file.link()))) {
            Files.setPosixFilePermissions(file.link(), ours); // the user's umask takes this user's own rights
        }
        return file;
    }

    /**
     * A file that this process has open.
     *
     * @param kept what holds it open; {@link #close} closes that
     * @param path the name that it had
     * @param inode its number
     */
    public static NamelessFile of(Closeable kept, Path path, long inode) throws IOException {
        if (Platform.here().namesStay()) {
            return new NamelessFile(kept, path, path, false);
        }
        String end = "/" + path.getFileName() + GONE;
        String[] open = new File(FILES).list();
        for (int i = 0; open != null && i < open.length; i++) {
            Path link = Path.of(FILES, open[i]);
            try {
                if (Files.readSymbolicLink(link).toString().endsWith(end)
                    && (inode == ANY || (long) Files.getAttribute(link, "unix:ino") == inode)) {
                    return new NamelessFile(kept, path, Path.of(FILES, open[i]), false);
                }
            } catch (IOException closedMeanwhile) {
                // Try the next one.
            }
        }
        kept.close();
        throw new IOException(FILES + " does not show " + path + "; mount /proc in this container");
    }

    /** The name that a file had, which a link of /proc leads to. */
    public static Path formerName(Path link) throws IOException {
        String target = Files.readSymbolicLink(link).toString();
        return Path.of(target.endsWith(GONE) ? target.substring(0, target.length() - GONE.length()) : target);
    }

    /** A channel of its own, to read and to write. */
    public FileChannel open() throws IOException {
        if (closed) { // another file may have the descriptor by now
            throw new IOException("the job has ended");
        }
        return FileChannel.open(link(), StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /** The path by which this process can open the file. */
    public Path link() {
        return link;
    }

    /** The path by which other processes of this user can open the file, as long as this one has it open. */
    public String place() {
        return Platform.here().namesStay() ? path.toString()
            : "/proc/" + ProcessHandle.current().pid() + "/fd/" + link.getFileName();
    }

    /** The directory in which the file had a name. */
    public Path directory() {
        return path.getParent();
    }

    @Override
    public void close() throws IOException {
        closed = true;
        kept.close();
        if (named) {
            path.toFile().delete(); // not where some process has it mapped, on Windows: then the next job does
        }
    }

    /** Whether a process holds a file that it has made for this. False if that cannot be seen. */
    static boolean isHeld(long pid, String what) {
        File folder;
        try {
            folder = Platform.here().namesStay() ? Platform.here().folder().toFile() : new File("/proc/" + pid + "/fd");
        } catch (IOException none) {
            return false;
        }
        String[] files = folder.list();
        for (int i = 0; files != null && i < files.length; i++) {
            try {
                String name = Platform.here().namesStay() ? files[i]
                    : Files.readSymbolicLink(new File(folder, files[i]).toPath()).toString();
                if (name.contains("-" + what)
                    && name.contains(MakerName.MAKER + Long.toString(pid) + MakerName.MAKER)) {
                    return true;
                }
            } catch (IOException closedMeanwhile) {
                // Try the next one.
            }
        }
        return false;
    }
}
