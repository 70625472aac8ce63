package org.brigade.transport.shm;

import static org.brigade.transport.shm.SegmentDescriptor.*;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.brigade.bootstrap.Deadline;
import org.brigade.interrupt.FileStep;
import org.brigade.memory.NativeMemory;
import org.brigade.nativ.Mapping;
import org.brigade.process.MakerName;
import org.brigade.process.NamelessFile;
import org.brigade.process.Platform;
import org.brigade.process.ProcessIdentity;
import org.brigade.transport.tail.SegmentTail;

/**
 * The first rank's side of a segment's file, from its making until all ranks have mapped it. Its mode is 0600 from the
 * first moment. It has no name: the other ranks find it among the files that this process has open.
 *
 * <p>
 * Where a rank cannot open the first one's files, the file has a name until all have mapped it: first one that tells
 * its maker, {@code brigade-UID-KEY~PID~START~NAMESPACE}, so that a file left behind can be recognised at any moment;
 * once it is whole, {@code brigade-UID-KEY}. A creator that fails shows the file too, with mode 0700: that works even
 * where no space is left. Where names stay ({@link Platform#namesStay}), the file keeps its second one until the job is
 * over ({@link ExitHook}).
 */
final class SegmentCreation implements Closeable {
    private static final int ZEROS = 256 << 10;
    private static final long HEEDS_MILLIS = 1_000;

    private final Path path;
    private final ExitHook hook;
    private final boolean named;
    /** The file's first name. */
    private Path making;
    /** Where this process opens it. */
    private Path opened;
    private Closeable kept;
    private long inode;
    /** Since some rank waits that may only have been early; null if none does. */
    private Deadline waiting;

    /**
     * @param path of the file, if it has a name
     * @param named whether it has
     */
    SegmentCreation(Path path, ExitHook hook, boolean named) {
        this.path = path;
        this.hook = hook;
        this.named = named;
    }

    /**
     * Makes the file, fills all of it with zeros and maps it. The other ranks see it only after {@link #publish}.
     *
     * @throws IOException if there is no room for all of it
     */
    NativeMemory create(SegmentDescriptor layout, long keyHash, ProcessIdentity creator) throws IOException {
        making = Path.of(path + (named ? MakerName.madeBy(creator) : MakerName.madeOnceBy(creator)));
        ByteBuffer words = ByteBuffer.allocate(CREATOR_WORDS).order(ByteOrder.nativeOrder());
        words.putLong(VERSION, LAYOUT).putLong(BYTES, layout.bytes()).putLong(KEY_HASH, keyHash).putLong(RANKS,
            layout.ranks());
        words.putLong(SLOT_COUNT, layout.slots()).putLong(RING_BYTES, layout.ringBytes());
        words.putLong(CREATOR_PID, creator.pid()).putLong(CREATOR_START, creator.startTime())
            .putLong(CREATOR_NAMESPACE, creator.namespace());
        make();
        inode = Platform.here().file(opened, true).number();
        return new FileStep<NativeMemory>() {
            @Override
            protected NativeMemory attempt() throws IOException {
                try (FileChannel file =
                    FileChannel.open(opened, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                    file.write(words.rewind());
                    fill(file, layout.bytes());
                    NativeMemory memory = new NativeMemory(Mapping.map(file, layout.bytes()));
                    memory.putLong(TAIL, SegmentTail.pages(layout.bytes()));
                    return memory;
                }
            }
        }.run();
    }

    /** The hook waits meanwhile: what it does not see it cannot remove. */
    private void make() throws IOException {
        synchronized (hook) {
            if (hook.ended()) {
                throw new IOException("this process is ending");
            }
            if (!named) {
                NamelessFile file = NamelessFile.make(making);
                kept = file;
                opened = file.link();
                return;
            }
            hook.owns(making.toFile());
            opened = making;
            kept = Platform.here().create(making); // no thread uses this channel: an interrupt would close it
        }
    }

    private static void fill(FileChannel file, long bytes) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(ZEROS, bytes));
        for (long at = CREATOR_WORDS; at < bytes;) {
            zeros.clear().limit((int) Math.min(zeros.capacity(), bytes - at));
            at += file.write(zeros, at);
        }
    }

    /** Lets the other ranks find the file. */
    void publish(NativeMemory memory) throws IOException {
        memory.putLongRelease(MAGIC, READY);
        if (named) {
            rename();
        }
    }

    private void rename() throws IOException {
        synchronized (hook) {
            Files.move(making, path, StandardCopyOption.ATOMIC_MOVE);
            hook.owns(path.toFile());
        }
    }

    /** Gives back all memory but the header's. */
    void shrink() {
        if (opened == null) {
            return;
        }
        try {
            new FileStep<Void>() {
                @Override
                protected Void attempt() throws IOException {
                    try (FileChannel file = FileChannel.open(opened, StandardOpenOption.WRITE)) {
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
    void publishFailure(String why) {
        if (opened == null) {
            return; // there is no file to tell by; the other ranks will say what they waited for
        }
        byte[] text = why.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(text.length, ROWS - FAILURE_TEXT);
        ByteBuffer failed = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(FAILED);
        ByteBuffer told = ByteBuffer.allocate(FAILURE_TEXT - FAILURE_LENGTH + length).order(ByteOrder.nativeOrder());
        told.putLong(length).put(text, 0, length);
        try {
            new FileStep<Void>() {
                @Override
                protected Void attempt() throws IOException {
                    try (FileChannel file = FileChannel.open(opened, StandardOpenOption.WRITE)) {
                        file.write(told.rewind(), FAILURE_LENGTH);
                        file.write(failed.rewind(), MAGIC);
                    }
                    return null;
                }
            }.run();
        } catch (IOException noRoom) {
            // The mode alone then tells of the failure.
        }
        try {
            Platform.here().markFailed(opened);
            if (named) {
                rename();
            }
        } catch (IOException gone) {
            // As above.
        }
    }

    /**
     * Whether a rank of this user cannot find the file without a name: it says so, or has looked for long although the
     * file is there.
     */
    boolean isAsked() throws IOException {
        boolean waits = false;
        String[] names = path.getParent().toFile().list();
        for (int i = 0; names != null && i < names.length; i++) {
            boolean asks = names[i].startsWith(path.getFileName() + SegmentFile.ASKS + MakerName.MAKER);
            if ((asks || names[i].startsWith(path.getFileName() + SegmentFile.WAITS + MakerName.MAKER))
                && isOurs(path.resolveSibling(names[i]))) {
                if (asks) {
                    return true;
                }
                waits = true;
            }
        }
        waiting = !waits ? null : waiting == null ? new Deadline(HEEDS_MILLIS) : waiting;
        return waits && waiting.exhausted();
    }

    private static boolean isOurs(Path wish) throws IOException {
        try {
            return Platform.here().file(wish, false).owner() == MakerName.uid();
        } catch (NoSuchFileException withdrawn) {
            return false;
        }
    }

    /** All ranks have mapped the file. */
    void removeName() {
        if (named && !Platform.here().namesStay()) {
            path.toFile().delete();
        }
    }

    /** Gives up the file. A name is the hook's affair. */
    @Override
    public void close() throws IOException {
        if (kept != null) {
            kept.close();
        }
    }

    /** What keeps the file open. */
    Closeable kept() {
        return kept;
    }

    /** The name by which /proc shows it. */
    Path shownAs() {
        return named ? path : making;
    }

    long inode() {
        return inode;
    }
}
