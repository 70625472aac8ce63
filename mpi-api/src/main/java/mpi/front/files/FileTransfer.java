package mpi.front.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.front.arguments.Arguments;
import mpi.front.io.TwoPhase;
import mpi.front.io.UserData;
import mpi.front.io.ViewAccess;
import mpi.front.job.Constants;
import mpi.front.types.Bytes;
import mpi.front.types.ItemType;
import mpi.spi.Operation;

/**
 * The calls of a {@code File} that read or write, with explicit offsets, individual and shared pointers.
 *
 * <p>
 * Collective calls move data as the single calls do, unless the ranks' pieces lie between each other in small parts:
 * then by {@link TwoPhase}. All ranks decide alike, as they decide by the same numbers.
 */
public final class FileTransfer {
    /** Where a call reads or writes. */
    public enum Where {
        EXPLICIT, INDIVIDUAL, SHARED
    }

    /** Aggregators pass over the whole range, so it must not be much longer than the data. */
    private static final int MOST_HOLES = 16;

    private final OpenFile file;
    private final String call;
    private final boolean writes;
    private final UserData data;
    private final long bytes;

    /** Checks everything but the place. */
    public FileTransfer(OpenFile file, String call, boolean writes, Where where, Object buf, int count, ItemType type) {
        this.file = file;
        this.call = call;
        this.writes = writes;
        file.handle.lower(call);
        if (where != Where.SHARED) {
            file.checkRandom(call);
        }
        if (writes) {
            file.checkWritable(call);
        } else if (file.has(Constants.MODE_WRONLY)) {
            throw file.handle.error(ErrorClass.ACCESS, call,
                "the file is open with MPI.MODE_WRONLY; open it with MPI.MODE_RDWR or MPI.MODE_RDONLY");
        }
        Object checked = Arguments.buffer(file.handle, call, "buf", buf, 0, count, 1, type, !writes);
        bytes = (long) count * type.size;
        if (bytes % file.etypeBytes != 0) {
            throw file.handle.error(ErrorClass.TYPE, call, "count " + count + " of " + type + " has " + bytes
                + " bytes, no whole number of etypes of " + file.etypeBytes + " bytes; pass such a count");
        }
        if (bytes > 0 && file.view.isEmpty()) {
            throw file.handle.error(ErrorClass.ARG, call,
                "the view of this rank has no data; pass count 0, or set a view that has some");
        }
        data = new UserData() {
            @Override
            public void get(long offset, byte[] out, int at, int n) {
                Bytes.get(checked, offset, out, at, n);
            }

            @Override
            public void put(long offset, byte[] in, int at, int n) {
                Bytes.put(checked, offset, in, at, n);
            }

            @Override
            public Object memory() {
                return checked instanceof ByteBuffer || checked instanceof byte[] ? checked : null;
            }

            @Override
            public ByteBuffer direct() {
                return checked instanceof ByteBuffer bytes && bytes.isDirect() ? bytes : null;
            }
        };
    }

    // ---- of one rank ----

    /** Returns the bytes that were moved. */
    public long run(Where where, long offset) {
        return move(where, offset);
    }

    /** An operation that is complete; errors of the file system are thrown by the call that completes it. */
    public Operation start(Where where, long offset) {
        long moved = 0;
        MPIException failure = null;
        long begin = where == Where.EXPLICIT ? place(offset) : 0;
        try {
            moved = move(where, begin / file.etypeBytes);
        } catch (MPIException e) {
            failure = e;
        }
        return new FileOperation(moved, failure);
    }

    private long move(Where where, long offset) {
        switch (where) {
            case EXPLICIT :
                return alone(place(offset));
            case SHARED :
                try {
                    return alone(place(file.shared.advance(call, bytes / file.etypeBytes)));
                } catch (IOException e) {
                    throw FileErrors.of(file.handle, call, file.stored.path, e);
                }
            default :
                synchronized (file) {
                    long moved = alone(place(file.position));
                    file.position += moved / file.etypeBytes;
                    return moved;
                }
        }
    }

    /** The first byte of the data, if all of them have a place. */
    private long place(long offset) {
        long begin = file.dataByte(call, offset);
        file.dataByte(call, (begin + bytes) / file.etypeBytes);
        return begin;
    }

    private long alone(long begin) {
        if (bytes == 0) {
            return 0;
        }
        try {
            if (!file.atomic) {
                return access(begin);
            }
            long low = file.view.offset(begin);
            return file.stored.locked(low, end(begin) - low, !writes, () -> access(begin));
        } catch (IOException e) {
            throw FileErrors.of(file.handle, call, file.stored.path, e);
        }
    }

    private long access(long begin) throws IOException {
        ViewAccess access = new ViewAccess(file.stored, file.view);
        if (!writes) {
            return access.read(begin, bytes, data);
        }
        access.write(begin, bytes, data);
        return bytes;
    }

    private long end(long begin) {
        return file.view.offset(begin + bytes - 1) + 1;
    }

    // ---- of all ranks ----

    /**
     * Runs a collective call. A rank whose arguments are wrong makes it fail on all, unless no rank waits for another,
     * as all views are in one piece ({@link OpenFile#apart}). Returns the bytes moved here.
     */
    public static long together(OpenFile file, String call, boolean writes, Where where, long offset, Object buf,
        int count,
        ItemType type) {
        FileTransfer transfer = null;
        long begin = 0;
        MPIException wrong = null;
        try {
            transfer = new FileTransfer(file, call, writes, where, buf, count, type);
            begin = where == Where.SHARED ? 0 : transfer.place(where == Where.EXPLICIT ? offset : file.position);
        } catch (MPIException e) {
            wrong = e;
        }
        if (where == Where.SHARED) {
            long first = ordered(file, call, transfer, wrong);
            wrong = null;
            try {
                begin = transfer.place(first);
            } catch (MPIException e) {
                wrong = e;
            }
        }
        if (file.apart && wrong != null) {
            throw wrong;
        }
        long moved = file.apart ? transfer.alone(begin) : new Round(file, call, transfer, wrong, begin).run();
        if (where == Where.INDIVIDUAL) {
            synchronized (file) {
                file.position += moved / file.etypeBytes;
            }
        }
        return moved;
    }

    /** Where this rank begins, in etypes, if each, by rank, takes the shared pointer on. */
    private static long ordered(OpenFile file, String call, FileTransfer transfer, MPIException wrong) {
        long[] all = file.ranks.agree(call, wrong, transfer == null ? 0 : transfer.bytes / file.etypeBytes);
        long before = 0;
        long total = 0;
        for (int rank = 0; rank < file.exchange.ranks; rank++) {
            before = rank == file.exchange.rank ? total : before;
            total += all[2 * rank + 1];
        }
        long first = 0;
        MPIException failed = null;
        try {
            first = file.exchange.rank == 0 ? file.shared.advance(call, total) : 0;
        } catch (IOException e) {
            failed = FileErrors.of(file.handle, call, file.stored.path, e);
        }
        return file.ranks.agree(call, failed, first)[1] + before;
    }

    /** What the ranks know of each other's pieces when they choose how to move them. */
    private static final class Round {
        private static final int NUMBERS = 9;

        private final OpenFile file;
        private final FileTransfer transfer;
        private final long begin;
        private final long[] all;
        private long low = Long.MAX_VALUE;
        private long high;
        private long total;

        Round(OpenFile file, String call, FileTransfer transfer, MPIException wrong, long begin) {
            this.file = file;
            this.transfer = transfer;
            this.begin = begin;
            boolean some = wrong == null && transfer.bytes > 0;
            all = file.ranks.agree(call, wrong, some ? file.view.offset(begin) : 0, some ? transfer.end(begin) : 0,
                some ? transfer.bytes : 0, file.view.pieceBytes(), file.view.overlaps() ? 1 : 0,
                file.hints.buffering, file.hints.aggregators, file.hints.window);
        }

        private long of(int rank, int number) {
            return all[rank * NUMBERS + number];
        }

        public long run() {
            if (!interleaves()) {
                return transfer.alone(begin);
            }
            TwoPhase phases = new TwoPhase(file.exchange, file.stored, file.collecting, (int) of(0, 7), (int) of(0, 8),
                low, high, file.view, begin, transfer.bytes);
            MPIException failed = null;
            long moved = transfer.bytes;
            try {
                if (transfer.writes) {
                    phases.write(transfer.data);
                } else {
                    moved = phases.read(transfer.data);
                }
            } catch (IOException e) {
                failed = FileErrors.of(file.handle, transfer.call, file.stored.path, e);
            }
            file.ranks.agree(transfer.call, failed);
            return moved;
        }

        /** Whether aggregators move the data; the same on all ranks. */
        private boolean interleaves() {
            long[][] ranges = new long[file.exchange.ranks][];
            long shortest = Long.MAX_VALUE;
            boolean overlapping = false;
            for (int rank = 0; rank < ranges.length; rank++) {
                ranges[rank] = new long[] {of(rank, 1), of(rank, 2)};
                if (of(rank, 3) > 0) {
                    low = Math.min(low, of(rank, 1));
                    high = Math.max(high, of(rank, 2));
                    total += of(rank, 3);
                    shortest = Math.min(shortest, of(rank, 4));
                    overlapping |= of(rank, 5) != 0;
                }
            }
            if (total == 0 || overlapping || of(0, 6) == FileHints.NEVER) {
                return false;
            }
            Arrays.sort(ranges, (a, b) -> Long.compare(a[0], b[0]));
            boolean interleaved = false;
            long end = 0;
            for (long[] range : ranges) {
                interleaved |= range[0] < end;
                end = Math.max(end, range[1]);
            }
            return of(0, 6) == FileHints.ALWAYS
                || interleaved && shortest < file.longPiece(transfer.writes, total / ranges.length)
                    && (high - low) / MOST_HOLES <= total;
        }
    }
}
