package org.brigade.transport.shm;

import static org.brigade.transport.shm.SegmentDescriptor.*;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.brigade.interrupt.FileStep;
import org.brigade.memory.NativeMemory;
import org.brigade.nativ.Mapping;
import org.brigade.process.MakerName;
import org.brigade.process.NamelessFile;
import org.brigade.process.ProcessIdentity;
import org.brigade.process.ProcessStat;

/**
 * A segment's file, as ranks find it that have not made it: among the files that its maker has open ({@link #seek}), or
 * under its name ({@link #look}). See {@link SegmentCreation}.
 */
final class SegmentFile implements Closeable {
    /** What one look finds. */
    enum Condition { ABSENT, FOREIGN, FAILED, INCOMPLETE, READY }

    private static final int TYPE = 0170000;
    private static final int REGULAR = 0100000;
    private static final int PERMISSIONS = 0777;
    private static final int MODE = 0600;
    /** The kind and mode of every segment's file. */
    static final int REGULAR_0600 = REGULAR | MODE;
    private static final int MODE_FAILED = 0400;
    private static final String MADE = "" + MakerName.MAKER;
    private static final String WISH = ".asks";
    private static final LinkOption[] FOLLOWED = {};
    private static final LinkOption[] NOT_FOLLOWED = {LinkOption.NOFOLLOW_LINKS};

    private final Path path;
    private final int uid;
    private final ByteBuffer words = ByteBuffer.allocate(CREATOR_WORDS).order(ByteOrder.nativeOrder());
    /** Where the last look found the file: its name, or the maker's descriptor. */
    private Path at;
    private Path shownAs;
    private FileTime modified;
    private long inode;
    /** Open from the first {@link #seek} or {@link #map} that finds the file. */
    private FileChannel kept;
    /** Looks in a row at a process whose files are hidden. */
    private int barred;

    SegmentFile(Path path, int uid) {
        this.path = path;
        this.uid = uid;
        this.at = path;
    }

    Path path() {
        return path;
    }

    /** The number of the file that was looked at. */
    long inode() {
        return inode;
    }

    /** Why the creator failed, in its own words if it could leave them. */
    String failure() {
        try (InputStream file = Files.newInputStream(at, options())) {
            byte[] told = file.readNBytes(ROWS);
            if (told.length > FAILURE_TEXT) {
                int length = (int) ByteBuffer.wrap(told).order(ByteOrder.nativeOrder()).getLong(FAILURE_LENGTH);
                return new String(told, FAILURE_TEXT, length, StandardCharsets.UTF_8);
            }
        } catch (IOException gone) {
            // The creator's words are gone with the file.
        }
        return "rank 0 could not make the shared segment " + path + "; its own message says why";
    }

    /**
     * Looks for the nameless file among those that a process has open, the newest first. After READY, {@link #word}
     * gives the header's words.
     */
    Condition seek(long pid) {
        String files = "/proc/" + pid + "/fd";
        String[] open = new File(files).list();
        barred = open == null && isRunning(pid) ? barred + 1 : 0;
        for (int i = open == null ? 0 : open.length; i-- > 0;) {
            try {
                at = Path.of(files, open[i]);
                shownAs = NamelessFile.formerName(at);
                if (shownAs.toString().startsWith(path.toString())
                    && shownAs.toString().startsWith(MADE, path.toString().length())) {
                    return open();
                }
            } catch (IOException gone) {
                // The process has closed it, or ended.
            }
        }
        return Condition.ABSENT;
    }

    private static boolean isRunning(long pid) {
        ProcessStat stat = ProcessStat.of(pid);
        return stat != null && !stat.isEnding();
    }

    /**
     * Whether the files of a running process stay hidden: it is in another user namespace, or may not be traced. Once
     * could only mean that it ended just then.
     */
    boolean isBarred() {
        return barred > 2;
    }

    /** Opens the file at this place, if this user has made it. That waits for nobody, even if it is a pipe. */
    private Condition open() throws IOException {
        Map<String, Object> attributes = Files.readAttributes(at, "unix:uid,mode,ino");
        int mode = (int) attributes.get("mode");
        inode = (long) attributes.get("ino");
        if ((int) attributes.get("uid") != uid || (mode & TYPE) != REGULAR) {
            return Condition.ABSENT;
        }
        if ((mode & PERMISSIONS) == MODE_FAILED) {
            return Condition.FAILED;
        }
        if ((mode & PERMISSIONS) != MODE) {
            return Condition.ABSENT;
        }
        return new FileStep<Condition>() {
            @Override
            protected Condition attempt() throws IOException {
                kept = FileChannel.open(at, StandardOpenOption.READ, StandardOpenOption.WRITE);
                words.clear();
                while (words.hasRemaining() && kept.read(words, words.position()) > 0) {
                    // The next part of it.
                }
                if (!isReplaced() && !words.hasRemaining() && words.getLong(MAGIC) == READY) {
                    return Condition.READY;
                }
                close();
                return Condition.ABSENT;
            }
        }.run();
    }

    /**
     * Looks at the name, and never follows a symbolic link. After READY and INCOMPLETE, {@link #word} gives the
     * header's words.
     */
    Condition look() throws IOException {
        Map<String, Object> attributes;
        at = path;
        shownAs = path;
        try {
            attributes = Files.readAttributes(path, "unix:uid,mode,ino,lastModifiedTime", LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException absent) {
            return Condition.ABSENT;
        }
        int mode = (int) attributes.get("mode");
        modified = (FileTime) attributes.get("lastModifiedTime");
        inode = (long) attributes.get("ino");
        if ((int) attributes.get("uid") != uid || (mode & TYPE) != REGULAR) {
            return Condition.FOREIGN;
        }
        if ((mode & PERMISSIONS) == MODE_FAILED) {
            return Condition.FAILED;
        }
        if ((mode & PERMISSIONS) != MODE) {
            return Condition.FOREIGN;
        }
        words.clear();
        try (InputStream file = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
            words.position(file.readNBytes(words.array(), 0, CREATOR_WORDS));
            if (isReplaced()) {
                return look();
            }
        } catch (NoSuchFileException gone) {
            return Condition.ABSENT;
        }
        return !words.hasRemaining() && words.getLong(MAGIC) == READY ? Condition.READY : Condition.INCOMPLETE;
    }

    /** A word of the header that {@link #look} read; 0 where there is none yet. */
    long word(int at) {
        return words.position() >= at + Long.BYTES ? words.getLong(at) : 0;
    }

    /** The process that made the file, by the file's name or else by its header; pid 0 if neither says. */
    ProcessIdentity creator() {
        ProcessIdentity maker = MakerName.maker(path.getFileName().toString());
        return maker != null ? maker
            : new ProcessIdentity(word(CREATOR_PID), word(CREATOR_START), word(CREATOR_NAMESPACE));
    }

    /** Milliseconds since the file last changed, when {@link #look} saw it. */
    long age() {
        return System.currentTimeMillis() - modified.toMillis();
    }

    /**
     * Whether this place no longer leads to the file that was looked at. While a name is free another user can take it,
     * and a descriptor's number is used again, so what is opened is looked at once more.
     */
    private boolean isReplaced() throws IOException {
        Map<String, Object> now = Files.readAttributes(at, "unix:uid,ino", options());
        return (int) now.get("uid") != uid || (long) now.get("ino") != inode;
    }

    private LinkOption[] options() {
        return at == path ? NOT_FOLLOWED : FOLLOWED;
    }

    /** Maps the file that was found, and keeps it open; null if it has gone meanwhile. */
    NativeMemory map() throws IOException {
        try {
            return new FileStep<NativeMemory>() {
                @Override
                protected NativeMemory attempt() throws IOException {
                    return mapped();
                }
            }.run();
        } catch (NoSuchFileException gone) {
            return null;
        }
    }

    private NativeMemory mapped() throws IOException {
        if (kept == null || !kept.isOpen()) { // an interrupt has closed it
            Set<OpenOption> how = new HashSet<>(Arrays.asList(options()));
            Collections.addAll(how, StandardOpenOption.READ, StandardOpenOption.WRITE);
            kept = FileChannel.open(at, how);
        }
        // Mapping would lengthen a file that is shorter than its header says, with pages that nobody has reserved.
        if (!isReplaced() && kept.size() == word(BYTES)) {
            return new NativeMemory(Mapping.map(kept, word(BYTES)));
        }
        close();
        return null;
    }

    /** What keeps the file open that {@link #map} has mapped. No thread may use it: an interrupt would close it. */
    Closeable kept() {
        return kept;
    }

    /** The name by which /proc shows the file that was mapped. */
    Path shownAs() {
        return shownAs;
    }

    /** Closes the file; the next look may find another one. */
    @Override
    public void close() throws IOException {
        if (kept != null) {
            kept.close();
            kept = null;
        }
    }

    // ---- the wish for a name ----

    /** The file by which a rank tells the first one that it cannot open its files. */
    File wish(ProcessIdentity of) {
        return new File(path + WISH + MakerName.madeBy(of));
    }

    /** Asks the first rank to give the file a name, unless this rank has asked before. */
    void ask(ProcessIdentity self, ExitHook hook) throws IOException {
        File wish = wish(self);
        synchronized (hook) {
            if (!hook.ended() && !wish.exists()) {
                hook.owns(wish);
                Files.createFile(wish.toPath(), PosixFilePermissions
                    .asFileAttribute(EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE)));
            }
        }
    }

    /** Whether a rank of this user has asked for a name. */
    boolean isAsked() throws IOException {
        String prefix = path.getFileName() + WISH + MakerName.MAKER;
        String[] names = path.getParent().toFile().list();
        for (int i = 0; names != null && i < names.length; i++) {
            if (names[i].startsWith(prefix) && (int) Files.getAttribute(path.resolveSibling(names[i]), "unix:uid",
                LinkOption.NOFOLLOW_LINKS) == uid) {
                return true;
            }
        }
        return false;
    }
}
