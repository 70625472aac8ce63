package org.brigade.transport.shm;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import mpi.spi.DeviceBuffer;
import org.brigade.device.CopyEngine;
import org.brigade.device.CopyQueue;
import org.brigade.device.DeviceGroup;
import org.brigade.device.Devices;
import org.brigade.memory.NativeMemory;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.transport.Endpoint;

/**
 * Devices whose memory is in this process, but out of the links' sight, and whose copies take their time on threads of
 * their own.
 */
public final class SlowDevices implements Devices {
    /** What peers are allowed. */
    public enum Reach { MAPPED, NOT_MAPPED, NOT_EXPORTED, NO_ENGINE }

    private static final AtomicLong NEXT = new AtomicLong(1L << 32);
    private static final Map<Long, Memory> ALL = new ConcurrentHashMap<>();
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "slow copies");
        thread.setDaemon(true);
        return thread;
    });

    /** One allocation. */
    public static final class Memory extends DeviceBuffer {
        public final ByteBuffer content;

        private Memory(long address, int bytes) {
            super(address, bytes);
            content = ByteBuffer.allocateDirect(bytes);
        }

        public static Memory allocate(int bytes) {
            Memory memory = new Memory(NEXT.getAndAdd((bytes + (2L << 20)) & -(1L << 20)), bytes);
            ALL.put(memory.address, memory);
            return memory;
        }

        public void free() {
            ALL.remove(address);
        }

        @Override
        public void read(long at, ByteBuffer target, int targetAt, int length) {
            target.duplicate().clear().put(targetAt, content, (int) at, length);
        }

        @Override
        public void write(long at, ByteBuffer source, int sourceAt, int length) {
            content.put((int) at, source.duplicate().clear(), sourceAt, length);
        }

        @Override
        public void copy(long at, DeviceBuffer target, long targetAt, long length) {
            ((Memory) target).content.put((int) targetAt, content, (int) at, (int) length);
        }

        @Override
        public String toString() {
            return "slow memory of " + bytes + " bytes";
        }
    }

    private final Reach reach;
    private final int share;
    public final AtomicInteger pulls = new AtomicInteger();
    public final AtomicInteger reads = new AtomicInteger();
    public final AtomicInteger writes = new AtomicInteger();
    /** Copies that begin after so many fail; negative: none begins. */
    public volatile int failAfter = Integer.MAX_VALUE;
    private final CopyEngine engine = new Engine();

    public SlowDevices(Reach reach, int share) {
        this.reach = reach;
        this.share = share;
    }

    @Override
    public Object underlying(Object buffer) {
        return null;
    }

    @Override
    public long export(Endpoint endpoint, DeviceBuffer buffer) {
        return reach == Reach.NOT_EXPORTED ? UNREACHABLE : buffer.address;
    }

    @Override
    public long offset(DeviceBuffer buffer) {
        return 0;
    }

    @Override
    public DeviceGroup open(Endpoint endpoint, int[] members, int rank, DeviceBuffer buffer, CommunicatorTopology wires,
        Exchange exchange) {
        return null;
    }

    @Override
    public CopyEngine copies() {
        return reach == Reach.NO_ENGINE ? null : engine;
    }

    private final class Engine implements CopyEngine {
        @Override
        public void pin(NativeMemory memory) {
        }

        @Override
        public long map(Endpoint endpoint, int peer, long export, long offset, DeviceBuffer target) {
            return reach == Reach.NOT_MAPPED || !ALL.containsKey(export) ? 0 : export + offset;
        }

        @Override
        public int hostShare(Endpoint endpoint, int peer, long export, DeviceBuffer target) {
            return share;
        }

        @Override
        public CopyQueue queue() {
            return new Queue();
        }
    }

    /** Copies by one thread, in order, some of them late. */
    private final class Queue implements CopyQueue {
        private final SplittableRandom random = new SplittableRandom(7);
        private final AtomicInteger running = new AtomicInteger();
        private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
        private volatile Throwable failure;

        private void begin(Runnable copy) {
            if (failAfter < 0) {
                last.join();
                throw new IllegalStateException("the device is not there");
            }
            int nap = random.nextInt(4) == 0 ? random.nextInt(2000) : 0;
            boolean fails = pulls.get() + reads.get() + writes.get() > failAfter;
            running.incrementAndGet();
            last = last.thenRunAsync(() -> {
                try {
                    if (nap > 0) {
                        LockSupport.parkNanos(nap * 100L);
                    }
                    if (fails) {
                        throw new IllegalStateException("the device fell off the bus");
                    }
                    copy.run();
                } catch (Throwable e) {
                    failure = e;
                } finally {
                    running.decrementAndGet();
                }
            }, THREADS);
        }

        @Override
        public void pull(long mapped, DeviceBuffer target, long at, long bytes) {
            pulls.incrementAndGet();
            begin(() -> {
                Memory from = null;
                for (Memory memory : ALL.values()) {
                    if (mapped >= memory.address && mapped < memory.address + memory.bytes) {
                        from = memory;
                    }
                }
                from.copy(mapped - from.address, target, at, bytes);
            });
        }

        @Override
        public void read(DeviceBuffer source, long at, NativeMemory target, int targetAt, int bytes) {
            reads.incrementAndGet();
            begin(() -> source.read(at, target.bytes, targetAt, bytes));
        }

        @Override
        public void write(NativeMemory source, int sourceAt, DeviceBuffer target, long at, int bytes) {
            writes.incrementAndGet();
            begin(() -> target.write(at, source.bytes, sourceAt, bytes));
        }

        @Override
        public int running() {
            int now = running.get(); // before: a failure comes before its copy's end
            if (failure != null) {
                last.join();
                Throwable once = failure;
                failure = null;
                throw new IllegalStateException(once);
            }
            return now;
        }

        @Override
        public void close() {
            last.join();
        }
    }
}
