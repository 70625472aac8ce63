package org.brigade.transport.shm;

import static org.brigade.transport.shm.SegmentDescriptor.*;

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
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.brigade.interrupt.FileStep;
import org.brigade.memory.NativeMemory;
import org.brigade.nativ.Mapping;
import org.brigade.process.MakerName;
import org.brigade.process.ProcessIdentity;
import org.brigade.transport.tail.SegmentTail;

/**
 * A segment's file, from its making until all ranks have mapped it. Its mode is 0600 from the first moment. It is made
 * under a name that tells its maker, {@code brigade-UID-KEY~PID~START~NAMESPACE}, so that a file left behind can be
 * recognised at any moment. Once it is whole, it is renamed to {@code brigade-UID-KEY}. A creator that fails renames it
 * too, with mode 0400: that works even where no space is left.
 */
final class SegmentFile {
    /** What one look at the name finds. */
    enum Condition { ABSENT, FOREIGN, FAILED, INCOMPLETE, READY }

    private static final int TYPE = 0170000;
    private static final int REGULAR = 0100000;
    private static final int PERMISSIONS = 0777;
    private static final int MODE = 0600;
    /** The kind and mode of every segment's file. */
    static final int REGULAR_0600 = REGULAR | MODE;
    private static final int MODE_FAILED = 0400;
    private static final int ZEROS = 256 << 10;

    private final Path path;
    private final int uid;
    private Path making;
    private final ByteBuffer words = ByteBuffer.allocate(CREATOR_WORDS).order(ByteOrder.nativeOrder());
    private FileTime modified;
    private long inode;

    SegmentFile(Path path, int uid) {
        this.path = path;
        this.uid = uid;
    }

    Path path() {
        return path;
    }

    /** The number of the file that was made or looked at. */
    long inode() {
        return inode;
    }

    /**
     * Makes the file, fills all of it with zeros and maps it. The other ranks see it only after {@link #publish}.
     *
     * @throws IOException if there is no room for all of it
     */
    NativeMemory create(SegmentDescriptor layout, long keyHash, ProcessIdentity creator, ExitHook hook)
        throws IOException {
        Set<OpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
            StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        Set<PosixFilePermission> ours = EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        making = Path.of(path + MakerName.madeBy(creator));
        words.clear().putLong(MAGIC, 0);
        words.putLong(VERSION, LAYOUT).putLong(BYTES, layout.bytes()).putLong(KEY_HASH, keyHash).putLong(RANKS,
            layout.ranks());
        words.putLong(SLOT_COUNT, layout.slots()).putLong(RING_BYTES, layout.ringBytes());
        words.putLong(CREATOR_PID, creator.pid()).putLong(CREATOR_START, creator.startTime())
            .putLong(CREATOR_NAMESPACE, creator.namespace());
        make(options, PosixFilePermissions.asFileAttribute(ours), hook);
        if (!ours.equals(Files.getPosixFilePermissions(making))) {
            Files.setPosixFilePermissions(making, ours); // the user's umask takes this user's own rights
        }
        inode = (long) Files.getAttribute(making, "unix:ino");
        return new FileStep<NativeMemory>() {
            @Override
            protected NativeMemory attempt() throws IOException {
                try (FileChannel file = FileChannel.open(making, StandardOpenOption.READ, StandardOpenOption.WRITE,
                    LinkOption.NOFOLLOW_LINKS)) {
                    file.write(words.rewind());
                    fill(file, layout.bytes());
                    NativeMemory memory = new NativeMemory(Mapping.map(file, layout.bytes()));
                    memory.putLong(TAIL, SegmentTail.pages(layout.bytes()));
                    return memory;
                }
            }
        }.run();
    }

    private static void fill(FileChannel file, long bytes) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(ZEROS, bytes));
        for (long at = CREATOR_WORDS; at < bytes;) {
            zeros.clear().limit((int) Math.min(zeros.capacity(), bytes - at));
            at += file.write(zeros, at);
        }
    }

    private void make(Set<OpenOption> options, FileAttribute<?> permissions, ExitHook hook) throws IOException {
        synchronized (hook) {
            if (hook.ended()) {
                throw new IOException("this process is ending");
            }
            hook.owns(making.toFile());
            FileChannel.open(making, options, permissions).close();
        }
    }

    /** Lets the other ranks find the file. */
    void publish(NativeMemory memory, ExitHook hook) throws IOException {
        memory.putLongRelease(MAGIC, READY);
        rename(hook);
    }

    private void rename(ExitHook hook) throws IOException {
        synchronized (hook) {
            Files.move(making, path, StandardCopyOption.ATOMIC_MOVE);
            hook.owns(path.toFile());
        }
    }

    /** Gives back all memory but the header's. */
    void shrink() {
        try {
            new FileStep<Void>() {
                @Override
                protected Void attempt() throws IOException {
                    try (FileChannel file =
                        FileChannel.open(making, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
                        file.truncate(ROWS);
                    }
                    return null;
                }
            }.run();
        } catch (IOException gone) {
            // The file is gone: there is nothing to give back.
        }
    }

    /** Leaves the reason of a failure for the ranks that look for the segment. */
    void publishFailure(String why, ExitHook hook) {
        byte[] text = why.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(text.length, ROWS - FAILURE_TEXT);
        ByteBuffer told = ByteBuffer.allocate(FAILURE_TEXT - FAILURE_LENGTH + length).order(ByteOrder.nativeOrder());
        told.putLong(length).put(text, 0, length);
        try {
            new FileStep<Void>() {
                @Override
                protected Void attempt() throws IOException {
                    try (FileChannel file =
                        FileChannel.open(making, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
                        file.write(told.rewind(), FAILURE_LENGTH);
                    }
                    return null;
                }
            }.run();
        } catch (IOException noRoom) {
            // The mode alone then tells of the failure.
        }
        try {
            Files.setPosixFilePermissions(making, EnumSet.of(PosixFilePermission.OWNER_READ));
            rename(hook);
        } catch (IOException gone) {
            // There is no file to tell by. The other ranks will say what they waited for.
        }
    }

    /** Why the creator failed, in its own words if it could leave them. */
    String failure() {
        try (InputStream file = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
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
     * Looks at the name, and never follows a symbolic link. After READY and INCOMPLETE, {@link #word} gives the
     * header's words.
     */
    Condition look() throws IOException {
        Map<String, Object> attributes;
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
     * Whether the name no longer belongs to the file that was looked at. While a name is free another user can take it,
     * so what is opened is looked at once more.
     */
    private boolean isReplaced() throws IOException {
        Map<String, Object> now = Files.readAttributes(path, "unix:uid,ino", LinkOption.NOFOLLOW_LINKS);
        return (int) now.get("uid") != uid || (long) now.get("ino") != inode;
    }

    /** Maps the file that {@link #look} has found; null if it has gone meanwhile. */
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
        try (FileChannel file =
            FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            // Mapping would lengthen a file that is shorter than its header says, with pages that nobody has reserved.
            return !isReplaced() && file.size() == word(BYTES) ? new NativeMemory(Mapping.map(file, word(BYTES)))
                : null;
        }
    }
}
