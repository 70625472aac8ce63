package mpi.front.io;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import mpi.spi.TypeMap;

/**
 * Reads and writes data of a view by this rank alone, one stretch of the file after the other. The kernel copies from
 * and to a direct buffer of the user's; all other memory is copied in between, by chunks that stay in a cache.
 */
public final class ViewAccess {
    private static final int CHUNK = 256 << 10;

    private final StoredFile file;
    private final ViewMap view;

    public ViewAccess(StoredFile file, ViewMap view) {
        this.file = file;
        this.view = view;
    }

    /** Writes n bytes of data, from byte {@code from} of the view's data on. */
    public void write(long from, long n, UserData data) throws IOException {
        ByteBuffer direct = data.direct();
        if (direct != null) {
            move(from, (int) n, direct, true);
            return;
        }
        byte[] chunk = new byte[(int) Math.min(CHUNK, n)];
        for (long done = 0; done < n; done += CHUNK) {
            int bytes = (int) Math.min(CHUNK, n - done);
            data.get(done, chunk, 0, bytes);
            move(from + done, bytes, ByteBuffer.wrap(chunk), true);
        }
    }

    /** Reads n bytes of data; fewer if the file ends before. Returns how many. */
    public long read(long from, long n, UserData data) throws IOException {
        ByteBuffer direct = data.direct();
        if (direct != null) {
            return move(from, (int) n, direct, false);
        }
        byte[] chunk = new byte[(int) Math.min(CHUNK, n)];
        long done = 0;
        while (done < n) {
            int bytes = (int) Math.min(CHUNK, n - done);
            int got = move(from + done, bytes, ByteBuffer.wrap(chunk), false);
            data.put(done, chunk, 0, got);
            done += got;
            if (got < bytes) {
                break;
            }
        }
        return done;
    }

    private int move(long from, int bytes, ByteBuffer memory, boolean writes) throws IOException {
        Stretches stretches = new Stretches(memory, writes);
        try {
            view.visit(from, from + bytes, stretches);
            stretches.flush();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return stretches.moved;
    }

    /** Joins pieces that follow each other in the file, and moves each stretch by one call. */
    private final class Stretches implements TypeMap.Visitor {
        private final ByteBuffer memory;
        private final boolean writes;
        private long begin;
        private int waiting;
        private boolean ended;
        int moved;

        Stretches(ByteBuffer memory, boolean writes) {
            this.memory = memory;
            this.writes = writes;
        }

        @Override
        public void blocks(long at, long stride, long bytes, long count) {
            for (long i = 0; i < count && !ended; i++) {
                long place = at + i * stride;
                if (place != begin + waiting) {
                    flush();
                    begin = place;
                }
                waiting += (int) bytes;
            }
        }

        void flush() {
            if (waiting == 0 || ended) {
                return;
            }
            try {
                int done = waiting;
                if (writes) {
                    file.write(memory, moved, waiting, begin);
                } else {
                    done = file.read(memory, moved, waiting, begin);
                    ended = done < waiting;
                }
                moved += done;
                waiting = 0;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
