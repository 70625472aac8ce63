package org.brigade.transport.tail;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.brigade.interrupt.FileStep;
import org.brigade.memory.NativeMemory;
import org.brigade.nativ.Libc;
import org.brigade.nativ.Mapping;
import org.brigade.process.NamelessFile;
import org.brigade.transport.NodeMemory;

/**
 * The part of a segment's file behind the segment: memory of windows, of communicators and of links, made when it is
 * needed. On Linux the file has lost its name in Init, so nothing here ever has one.
 *
 * <pre>
 *   segment | stretch | stretch | ...      each from a page on; a word of the segment says where the last one ends
 * </pre>
 *
 * A rank that reserves adds to that word, or takes a stretch that it has ended before. It lengthens the file at once,
 * as a mapping beyond the file's end would: but that may also shorten a file that another rank lengthens meanwhile.
 */
public final class SegmentTail implements NodeMemory, Closeable {
    private static final int PAGE = 4096;
    private static final byte[] EMPTY_PAGE = new byte[PAGE];
    private static final int ZEROS = 256 << 10;
    private static final int LONGEST_MAP = 1 << 30;
    private static final int MOST_KEPT = 64;

    /** Gives the file, at the first use. */
    public interface Source {
        NamelessFile file() throws IOException;
    }

    /** What is done with the file. */
    private interface Use<T> {
        T of(FileChannel file) throws IOException;
    }

    /** A small part that stays mapped; whether it has memory for sure, as this process has filled it. */
    private record Kept(ByteBuffer bytes, boolean filled) {
    }

    private final Source source;
    private final Path directory;
    private final NativeMemory counter;
    private final int word;
    private final FreeStretches ended = new FreeStretches();
    private final TreeMap<Long, Kept> kept = new TreeMap<>();
    private NamelessFile file;
    private boolean closed;

    /**
     * @param directory of the file, for messages
     * @param counter the memory in which the end of the last stretch is counted, in its word at {@code word}
     */
    public SegmentTail(Source source, Path directory, NativeMemory counter, int word) {
        this.source = source;
        this.directory = directory;
        this.counter = counter;
        this.word = word;
    }

    @Override
    public synchronized long reserve(long bytes) throws IOException {
        long whole = pages(bytes);
        long at = ended.take(whole);
        if (at < 0) {
            do {
                at = counter.getLongAcquire(word);
            } while (!counter.compareAndSetLong(word, at, at + whole));
            long last = at + whole - 1;
            with(open -> open.write(ByteBuffer.allocate(1), last));
        } else if (whole > SMALL) {
            forget(at, whole);
        }
        return at;
    }

    @Override
    public synchronized void fill(long at, long bytes) throws IOException {
        Kept mapped = bytes <= SMALL ? kept(at, bytes) : null;
        if (mapped != null && mapped.filled) {
            int from = (int) (at - kept.floorKey(at));
            for (int done = 0; done < bytes; done += PAGE) {
                mapped.bytes.put(from + done, EMPTY_PAGE, 0, (int) Math.min(PAGE, bytes - done));
            }
            return;
        }
        with(open -> {
            ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(ZEROS, bytes));
            for (long done = 0; done < bytes;) {
                zeros.clear().limit((int) Math.min(zeros.capacity(), bytes - done));
                done += open.write(zeros, at + done);
            }
            return null;
        });
        if (bytes > 0 && bytes <= SMALL) {
            keep(at, (int) bytes, true);
        }
    }

    @Override
    public synchronized ByteBuffer map(long at, int bytes) throws IOException {
        if (bytes == 0) {
            return ByteBuffer.allocateDirect(0).order(ByteOrder.nativeOrder());
        }
        if (bytes > SMALL) {
            return mapped(at, bytes);
        }
        if (kept(at, bytes) == null) {
            keep(at, bytes, false);
        }
        return kept(at, bytes).bytes.slice((int) (at - kept.floorKey(at)), bytes).order(ByteOrder.nativeOrder());
    }

    /** The part that stays mapped and has all of these bytes; null if there is none. */
    private Kept kept(long at, long bytes) {
        Map.Entry<Long, Kept> floor = kept.floorEntry(at);
        return floor != null && at + bytes <= floor.getKey() + floor.getValue().bytes.capacity() ? floor.getValue()
            : null;
    }

    private void keep(long at, int bytes, boolean filled) throws IOException {
        if (kept.size() == MOST_KEPT) {
            kept.clear();
        }
        kept.put(at, new Kept(mapped(at, bytes), filled));
    }

    private void forget(long at, long bytes) {
        kept.entrySet()
            .removeIf(each -> each.getKey() < at + bytes && each.getKey() + each.getValue().bytes.capacity() > at);
    }

    @Override
    public ByteBuffer mapAlone(long at, int bytes) throws IOException {
        return mapped(at, bytes);
    }

    private ByteBuffer mapped(long at, int bytes) throws IOException {
        return with(open -> {
            if (open.size() < at + bytes) {
                throw new IOException("byte " + (at + bytes) + " is behind the end of the file");
            }
            return Mapping.map(open, at, bytes).order(ByteOrder.nativeOrder());
        });
    }

    @Override
    public synchronized void release(long at, long bytes) {
        forget(at, bytes);
        try {
            for (long done = 0; done < bytes; done += LONGEST_MAP) {
                int piece = (int) Math.min(LONGEST_MAP, pages(bytes - done));
                Libc.removePages(mapped(at + done, piece), piece);
            }
        } catch (IOException | LinkageError kept) {
            // The memory stays, for the next stretch here.
        }
    }

    @Override
    public synchronized void end(long at, long bytes) {
        if (bytes > SMALL) {
            forget(at, bytes);
        }
        ended.add(at, pages(bytes));
    }

    @Override
    public long free() {
        return directory.toFile().getUsableSpace();
    }

    @Override
    public String place() {
        return directory.toString();
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        if (file != null) {
            file.close();
        }
    }

    /** So many bytes, in whole pages. */
    public static long pages(long bytes) {
        return bytes + PAGE - 1 & -PAGE;
    }

    /** Uses a channel of its own, which an interrupt of this thread may close: then another one serves. */
    private <T> T with(Use<T> use) throws IOException {
        return new FileStep<T>() {
            @Override
            protected T attempt() throws IOException {
                try (FileChannel open = file().open()) {
                    return use.of(open);
                }
            }
        }.run();
    }

    private synchronized NamelessFile file() throws IOException {
        if (closed) {
            throw new IOException("the job has ended");
        }
        if (file == null) {
            file = source.file();
        }
        return file;
    }
}
