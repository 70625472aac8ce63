package org.brigade.transport.shm;

import static org.brigade.transport.shm.SegmentDescriptor.*;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.brigade.interrupt.FileStep;
import org.brigade.memory.NativeMemory;
import org.brigade.nativ.Mapping;
import org.brigade.process.FileFacts;
import org.brigade.process.MakerName;
import org.brigade.process.NamelessFile;
import org.brigade.process.Platform;
import org.brigade.process.ProcessIdentity;

/**
 * A segment's file, as ranks find it that have not made it: among the files that its maker has open ({@link #seek}), or
 * under its name ({@link #look}). See {@link SegmentCreation}.
 */
final class SegmentFile implements Closeable {
    /** What one look finds. */
    enum Condition { ABSENT, FOREIGN, FAILED, INCOMPLETE, READY }

    private static final int MODE = 0600;
    /** This user, too, can open it to read and to write. */
    private static final int MODE_FAILED = 0700;
    /** Behind a segment's name: the file of a rank that knows that it cannot find the segment without one. */
    static final String ASKS = ".asks";
    /** The same of a rank that may only have been early. */
    static final String WAITS = ".waits";
    private static final LinkOption[] FOLLOWED = {};
    private static final LinkOption[] NOT_FOLLOWED = {LinkOption.NOFOLLOW_LINKS};

    private final Path path;
    /** Begins the name of a file that is being made. */
    private final String prefix;
    private final int uid;
    private ByteBuffer words = ByteBuffer.allocate(CREATOR_WORDS).order(ByteOrder.nativeOrder());
    /** Where the last look found the file: its name, or the maker's descriptor. */
    private Path at;
    private Path shownAs;
    private FileTime modified;
    private long inode;
    /** Open from the first {@link #seek} or {@link #map} that finds the file. */
    private FileChannel kept;
    /** Looks at a running process whose files are hidden. */
    private int barred;
    private File wish;
    private boolean asks;

    SegmentFile(Path path, int uid) {
        this.path = path;
        this.prefix = path.getFileName().toString() + MakerName.MAKER;
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
        try {
            ByteBuffer told = read(ROWS);
            if (told.position() > FAILURE_TEXT) {
                int length = (int) told.getLong(FAILURE_LENGTH);
                return new String(told.array(), FAILURE_TEXT, length, StandardCharsets.UTF_8);
            }
        } catch (IOException gone) {
            // The creator's words are gone with the file.
        } finally {
            close();
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
        barred += open == null && isRunning(pid) ? 1 : 0;
        for (int i = open == null ? 0 : open.length; i-- > 0;) {
            try {
                at = Path.of(files, open[i]);
                shownAs = NamelessFile.formerName(at);
                // The folder may have another path there, as in containers.
                String name = shownAs.getFileName() == null ? "" : shownAs.getFileName().toString();
                if (name.startsWith(prefix)) {
                    Condition condition = open();
                    if (condition != Condition.ABSENT) {
                        return condition;
                    }
                }
            } catch (IOException gone) {
                // The process has closed it, or ended.
            }
        }
        return Condition.ABSENT;
    }

    private static boolean isRunning(long pid) {
        return !Platform.here().isEnding(pid);
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
        FileFacts its = Platform.here().file(at, true);
        inode = its.number();
        if (its.owner() != uid || !its.isRegular()) {
            return Condition.ABSENT;
        }
        if (its.permissions() == MODE_FAILED) {
            return Condition.FAILED;
        }
        if (its.permissions() != MODE) {
            return Condition.ABSENT;
        }
        boolean ready = false;
        try {
            words = read(CREATOR_WORDS);
            ready = !isReplaced() && !words.hasRemaining() && words.getLong(MAGIC) == READY;
        } finally {
            if (!ready) {
                close();
            }
        }
        return ready ? Condition.READY : Condition.ABSENT;
    }

    /**
     * Opens what is at this place, and reads so many bytes from its beginning, if it has them. Whatever it is, even a
     * pipe that has taken the file's place, nothing here waits: a pipe opens at once to a process that reads and
     * writes, and refuses to be read at a position.
     */
    private ByteBuffer read(int bytes) throws IOException {
        return new FileStep<ByteBuffer>() {
            @Override
            protected ByteBuffer attempt() throws IOException {
                close();
                kept = FileChannel.open(at, how());
                ByteBuffer read = ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
                while (read.hasRemaining() && kept.read(read, read.position()) > 0) {
                    // The next part of it.
                }
                return read;
            }
        }.run();
    }

    /**
     * Looks at the name, and never follows a symbolic link. After READY and INCOMPLETE, {@link #word} gives the
     * header's words.
     */
    Condition look() throws IOException {
        FileFacts its;
        at = path;
        shownAs = path;
        try {
            its = Platform.here().file(path, false);
        } catch (NoSuchFileException absent) {
            return Condition.ABSENT;
        }
        modified = its.modified();
        inode = its.number();
        if (its.owner() != uid || !its.isRegular()) {
            return Condition.FOREIGN;
        }
        if (its.permissions() == MODE_FAILED) {
            return Condition.FAILED;
        }
        if (its.permissions() != MODE) {
            return Condition.FOREIGN;
        }
        try {
            words = read(CREATOR_WORDS);
        } catch (NoSuchFileException gone) {
            return Condition.ABSENT;
        } catch (IOException unreadable) {
            return Condition.FOREIGN; // it has been replaced by something that is no file
        } finally {
            close();
        }
        try {
            if (isReplaced()) {
                return look();
            }
        } catch (NoSuchFileException gone) {
            return Condition.ABSENT;
        }
        return word(MAGIC) == FAILED ? Condition.FAILED
            : !words.hasRemaining() && words.getLong(MAGIC) == READY ? Condition.READY : Condition.INCOMPLETE;
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
        FileFacts now = Platform.here().file(at, at != path);
        return now.owner() != uid || now.number() != inode;
    }

    private Set<OpenOption> how() {
        Set<OpenOption> how = new HashSet<>(Arrays.asList(options()));
        Collections.addAll(how, StandardOpenOption.READ, StandardOpenOption.WRITE);
        return how;
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
            kept = FileChannel.open(at, how());
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
    public void close() {
        try {
            if (kept != null) {
                kept.close();
            }
        } catch (IOException ignored) {
            // Nothing was written: nothing is lost.
        }
        kept = null;
    }

    // ---- the wish for a name ----

    /**
     * Asks the first rank to give the file a name, unless this rank has done so before.
     *
     * @param sure whether this rank cannot find it otherwise
     */
    void ask(ProcessIdentity self, ExitHook hook, boolean sure) throws IOException {
        if (wish != null && (asks || !sure)) {
            return;
        }
        withdraw(hook);
        asks = sure;
        wish = new File(path + (sure ? ASKS : WAITS) + MakerName.madeOnceBy(self));
        synchronized (hook) {
            if (!hook.ended()) {
                hook.owns(wish);
                Platform.here().create(wish.toPath()).close();
            }
        }
    }

    /** This rank has found the file. */
    void withdraw(ExitHook hook) {
        if (wish != null) {
            wish.delete();
            wish = null;
            hook.owns(null);
        }
    }
}
