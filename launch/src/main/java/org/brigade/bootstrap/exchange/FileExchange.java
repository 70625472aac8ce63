package org.brigade.bootstrap.exchange;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import mpi.ErrorClass;
import mpi.MPIException;
import org.brigade.bootstrap.Deadline;
import org.brigade.bootstrap.Exchange;
import org.brigade.bootstrap.Job;
import org.brigade.interrupt.FileStep;
import org.brigade.memory.NativeMemory;
import org.brigade.nativ.Mapping;
import org.brigade.process.OfferedFile;
import org.brigade.process.ProcessStat;
import org.brigade.process.ProcessWatch;
import org.brigade.transport.Endpoint;

/**
 * An exchange through memory that all ranks of a job map, as they all run on one machine, perhaps on emulated nodes.
 * See {@link ExchangeDescriptor}.
 */
public final class FileExchange implements Exchange {
    private static final int MOST_BYTES = 1 << 20;

    private final Job job;
    private final long timeoutMillis;
    private final NativeMemory memory;
    private final ProcessWatch[] watches;
    private long round;
    private boolean closed;

    private FileExchange(Job job, long timeoutMillis, NativeMemory memory) {
        this.job = job;
        this.timeoutMillis = timeoutMillis;
        this.memory = memory;
        this.watches = new ProcessWatch[job.size()];
    }

    /**
     * Joins the exchange.
     *
     * @param place of the file, from {@link ExchangeFile#place}
     * @param timeoutMillis how long to wait for others in each call
     * @throws MPIException if there is no such file, or it belongs to another job
     */
    public static FileExchange open(Job job, String place, long timeoutMillis) {
        int bytes = ExchangeDescriptor.bytes(job.size());
        NativeMemory memory;
        try {
            memory = new FileStep<NativeMemory>() {
                @Override
                protected NativeMemory attempt() throws IOException {
                    try (FileChannel file = OfferedFile.open(Path.of(place))) {
                        return file.size() == bytes ? new NativeMemory(Mapping.map(file, bytes)) : null;
                    }
                }
            }.run();
        } catch (IOException e) {
            throw error(job,
                "cannot open " + place + " (BRIGADE_EXCHANGE), the file by which mpjrun joins its nodes: " + e
                    + "; is that mpjrun still running?");
        }
        if (memory == null) {
            throw error(job, place + " (BRIGADE_EXCHANGE) was not made for " + job.size()
                + " ranks; unset what an outer launcher has left in the environment");
        }
        FileExchange exchange = new FileExchange(job, timeoutMillis, memory);
        ProcessStat self = ProcessStat.self();
        if (memory.getLongAcquire(ExchangeDescriptor.pid(job.rank())) != 0) {
            throw error(job, "another process is rank " + job.rank() + " of this job; start each rank once");
        }
        memory.putLong(ExchangeDescriptor.startTime(job.rank()), self == null ? 0 : self.startTime());
        memory.putLongRelease(ExchangeDescriptor.pid(job.rank()), self == null ? -1 : self.pid());
        return exchange;
    }

    @Override
    public byte[][] allgather(byte[] mine) {
        if (mine.length > MOST_BYTES) {
            throw new IllegalArgumentException(
                "a rank may give an exchange at most " + MOST_BYTES + " bytes, not " + mine.length);
        }
        byte[][] all = new byte[job.size()][];
        int longest = mine.length;
        int done = 0;
        do {
            bring(mine, done);
            for (int rank = 0; rank < all.length; rank++) {
                await(rank);
                if (done == 0) {
                    all[rank] = new byte[announced(rank)];
                    longest = Math.max(longest, all[rank].length);
                }
                int piece = Math.min(ExchangeDescriptor.PIECE_BYTES, all[rank].length - done);
                if (piece > 0) {
                    memory.bytes.get(ExchangeDescriptor.piece(rank, round), all[rank], done, piece);
                }
            }
            done += ExchangeDescriptor.PIECE_BYTES;
        } while (done < longest);
        return all;
    }

    private void bring(byte[] mine, int from) {
        round++;
        memory.putLong(ExchangeDescriptor.total(job.rank(), round), mine.length);
        int piece = Math.min(ExchangeDescriptor.PIECE_BYTES, mine.length - from);
        if (piece > 0) {
            memory.bytes.put(ExchangeDescriptor.piece(job.rank(), round), mine, from, piece);
        }
        memory.putLongRelease(ExchangeDescriptor.rounds(job.rank()), round);
    }

    private int announced(int rank) {
        long total = memory.getLong(ExchangeDescriptor.total(rank, round));
        if (total < 0 || total > MOST_BYTES) {
            throw error(job,
                "rank " + rank + " announces " + total + " bytes to the exchange; give all ranks the same brigade.jar");
        }
        return (int) total;
    }

    /** Waits until a rank has written its part of this round. */
    private void await(int rank) {
        if (memory.getLongAcquire(ExchangeDescriptor.rounds(rank)) >= round) {
            return;
        }
        Deadline patience = new Deadline(timeoutMillis, job.size(), 0);
        ProcessWatch launcher = null;
        try {
            while (memory.getLongAcquire(ExchangeDescriptor.rounds(rank)) < round) {
                if (patience.slow()) {
                    launcher = launcher != null ? launcher : ProcessWatch.ofLauncher();
                    if (launcher != null && launcher.ended()) {
                        throw error(job, "the launcher (pid " + launcher.pid() + ") died");
                    }
                    for (int each = 0; each < job.size(); each++) {
                        if (lost(each) != null) {
                            throw error(job, lost(each) + " during Init; its own messages say why");
                        }
                    }
                }
                if (patience.exhausted()) {
                    throw error(job, "waited " + timeoutMillis / 1000 + " s for rank " + rank
                        + " to call Init; start all ranks of the job, or raise brigade.init.timeout (seconds)");
                }
                patience.pause();
            }
        } finally {
            if (launcher != null) {
                launcher.close();
            }
        }
    }

    @Override
    public synchronized String lost(int rank) {
        if (closed || rank == job.rank()) {
            return null;
        }
        if (watches[rank] == null) {
            long pid = memory.getLongAcquire(ExchangeDescriptor.pid(rank));
            if (pid <= 0) {
                return null;
            }
            watches[rank] = new ProcessWatch(pid, memory.getLong(ExchangeDescriptor.startTime(rank)));
        }
        if (!watches[rank].ended()) {
            return null;
        }
        long ending = memory.getLongAcquire(ExchangeDescriptor.ending(rank));
        return ending == ExchangeDescriptor.FINALIZED ? null
            : ending == ExchangeDescriptor.ENDS ? Endpoint.exited(rank)
                : "rank " + rank + " (pid " + watches[rank].pid() + ") died";
    }

    @Override
    public synchronized void ends(boolean finalized) {
        if (!closed) {
            memory.putLongRelease(ExchangeDescriptor.ending(job.rank()),
                finalized ? ExchangeDescriptor.FINALIZED : ExchangeDescriptor.ENDS);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        for (ProcessWatch watch : watches) {
            if (watch != null) {
                watch.close();
            }
        }
    }

    private static MPIException error(Job job, String what) {
        return ErrorClass.OTHER.in("Init on rank " + job.rank() + " of " + job.size(), what);
    }
}
