package org.brigade.profile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import mpi.Intracomm;
import org.brigade.nativ.Affinity;
import org.brigade.nativ.Libc;
import org.brigade.nativ.Mapping;
import org.brigade.process.NamelessFile;
import org.brigade.process.OfferedFile;
import org.brigade.topology.profile.Transfer;
import org.brigade.topology.search.TransferWorker;

/**
 * A processor core that stands for a GPU: instead of a GPU's memory it reads and writes memory of its NUMA node, which
 * all workers map. A core does one copy at a time, so several transfers of its own take turns, piece by piece.
 *
 * <p>
 * Java cannot control caches, so a transfer from memory that fits into a cache is faster than the memory.
 */
public final class HostWorker implements TransferWorker {
    private static final int PIECE = 64 << 10;
    /** Characters of a path in /proc, at most. */
    private static final int PLACE = 64;
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private final HostMachine machine;
    private final int home;
    private final int bytes;
    private final boolean pinned;
    /** By worker: the memory that others access, mapped. */
    private final ByteBuffer[] shared;
    private final long[] sharedAddress;
    /** Private memory: one half to read from, one to write to. */
    private final ByteBuffer own;
    private final long ownAddress;
    /** By NUMA node: bounce memory, one half to write to, one to read from; made on first use. */
    private final ByteBuffer[] bounce;
    private final long[] bounceAddress;

    /**
     * Makes the worker of this rank. Collective: all ranks map each other's memory.
     *
     * @param processor to run on
     * @param bytes of each transfer
     * @throws IOException if /dev/shm has no room for {@code bytes} of each rank; the message has the cure
     */
    public HostWorker(Intracomm world, HostMachine machine, int processor, int bytes) throws IOException {
        this.machine = machine;
        this.bytes = bytes;
        int rank = world.getRank();
        home = machine.numaOf(processor);
        BitSet only = new BitSet();
        only.set(processor);
        pinned = Affinity.set(only);
        shared = new ByteBuffer[world.getSize()];
        sharedAddress = new long[shared.length];
        long free = Files.getFileStore(SHARED_MEMORY).getUsableSpace();
        boolean room = free >= (long) bytes * shared.length + (16 << 20);
        // All or none, so that no rank waits for one that has thrown.
        int[] least = new int[1];
        world.allReduce(new int[] {room ? 1 : 0}, least, 1, mpi.MPI.INT, mpi.MPI.MIN);
        if (least[0] == 0) {
            throw new IOException("/dev/shm has " + (free >> 20) + " MiB free, and " + shared.length
                + " ranks that measure with " + (bytes >> 20) + " MiB each need "
                + (((long) bytes * shared.length >> 20) + 16) + "; free some, or give fewer --bytes");
        }
        try (NamelessFile mine = NamelessFile.make(SHARED_MEMORY, "profile")) {
            try (FileChannel open = mine.open()) {
                shared[rank] = Mapping.map(open, bytes);
            }
            for (int i = 0; i < bytes; i += 4096) {
                shared[rank].put(i, (byte) 1); // the first touch
            }
            char[] places = new char[shared.length * PLACE];
            world.allGather(Arrays.copyOf(mine.place().toCharArray(), PLACE), PLACE, mpi.MPI.CHAR, places, PLACE,
                mpi.MPI.CHAR);
            for (int peer = 0; peer < shared.length; peer++) {
                if (peer != rank) {
                    Path place = Path.of(new String(places, peer * PLACE, PLACE).trim());
                    try (FileChannel open = OfferedFile.open(place)) {
                        shared[peer] = Mapping.map(open, bytes);
                    }
                }
                sharedAddress[peer] = Libc.address(shared[peer]);
            }
            world.barrier();
        }
        own = ByteBuffer.allocateDirect(2 * bytes);
        ownAddress = Libc.address(own);
        bounce = new ByteBuffer[machine.numaNodes()];
        bounceAddress = new long[bounce.length];
    }

    /** Whether the system let the worker stay on its processor. */
    public boolean pinned() {
        return pinned;
    }

    /**
     * Whether all bounce memory so far, and its own memory, is on the intended NUMA nodes, as far as the system tells.
     */
    public boolean placed() {
        boolean placed = on(ownAddress, home);
        for (int numa = 0; numa < bounce.length; numa++) {
            placed &= bounce[numa] == null || on(bounceAddress[numa], numa);
        }
        return placed;
    }

    private boolean on(long address, int numa) {
        int node = NumaMemory.nodeOf(address);
        return node < 0 || machine.indexOf(node) == numa;
    }

    @Override
    public void prepare(List<Transfer> transfers) {
        for (Transfer transfer : transfers) {
            int numa = transfer.type().fromGpu() ? transfer.type().toGpu() ? -1 : transfer.to() : transfer.from();
            if (numa >= 0 && bounce[numa] == null) {
                bounce[numa] = NumaMemory.allocate(machine, numa, 2 * bytes);
                bounceAddress[numa] = Libc.address(bounce[numa]);
            }
        }
    }

    @Override
    public void move(List<Transfer> transfers) {
        long[] from = new long[transfers.size()];
        long[] to = new long[transfers.size()];
        for (int i = 0; i < from.length; i++) {
            Transfer transfer = transfers.get(i);
            from[i] = ownAddress;
            to[i] = ownAddress + bytes;
            switch (transfer.type()) {
                case GPU_READ_CPUMEM_MEMCPY -> from[i] = bounceAddress[transfer.from()] + bytes;
                case GPU_WRITE_CPUMEM_MEMCPY -> to[i] = bounceAddress[transfer.to()];
                case GPU_READ_GPUMEM_MEMCPY -> from[i] = sharedAddress[transfer.from()];
                case GPU_WRITE_GPUMEM_MEMCPY -> to[i] = sharedAddress[transfer.to()];
                default -> throw new IllegalArgumentException(transfer + ": processors copy within a node only");
            }
        }
        for (int at = 0; at < bytes; at += PIECE) {
            for (int i = 0; i < from.length; i++) {
                Libc.copy(to[i] + at, from[i] + at, Math.min(PIECE, bytes - at));
            }
        }
    }

    /** Memory ends with the process: Java cannot unmap it earlier. */
    @Override
    public void close() {
    }
}
