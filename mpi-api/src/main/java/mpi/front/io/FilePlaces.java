package mpi.front.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileLock;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.List;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Reads and writes places of an open file, in the calling thread. An interrupt of that thread closes a FileChannel for
 * all threads and for ever; an AsynchronousFileChannel knows no interrupts. This one has an executor that runs each
 * access at once, so nothing here is asynchronous, and no other thread takes part.
 */
final class FilePlaces implements AutoCloseable {
    private static final Caller CALLER = new Caller();

    private final AsynchronousFileChannel channel;

    private FilePlaces(AsynchronousFileChannel channel) {
        this.channel = channel;
    }

    static FilePlaces open(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
        throws IOException {
        return new FilePlaces(AsynchronousFileChannel.open(path, options, CALLER, attributes));
    }

    long size() throws IOException {
        return channel.size();
    }

    /** As FileChannel's: at least one byte, or -1 at the end of the file. */
    int read(ByteBuffer into, long at) throws IOException {
        return result(channel.read(into, at));
    }

    /** As FileChannel's: at least one byte. */
    int write(ByteBuffer from, long at) throws IOException {
        return result(channel.write(from, at));
    }

    void truncate(long size) throws IOException {
        channel.truncate(size);
    }

    /** Data, length and the other facts about the file. */
    void force() throws IOException {
        channel.force(true);
    }

    /** Waits until no other process holds a lock of this region. */
    FileLock lock(long from, long bytes, boolean shared) throws IOException {
        return result(channel.lock(from, bytes, shared));
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private static <T> T result(Future<T> there) throws IOException {
        try {
            return there.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failed) {
                throw failed;
            }
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            throw new IllegalStateException("the executor has not run the access at once", e);
        }
    }

    private static final class Caller extends AbstractExecutorService {
        @Override
        public void execute(Runnable access) {
            access.run();
        }

        @Override
        public void shutdown() {
            // No thread is its own.
        }

        @Override
        public List<Runnable> shutdownNow() {
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return false;
        }
    }
}
