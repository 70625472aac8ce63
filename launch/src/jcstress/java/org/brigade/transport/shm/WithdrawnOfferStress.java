package org.brigade.transport.shm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import mpi.spi.DeviceBuffer;
import org.brigade.device.CopyEngine;
import org.brigade.device.CopyQueue;
import org.brigade.device.DeviceGroup;
import org.brigade.device.Devices;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.transport.Endpoint;
import org.brigade.transport.Link;
import org.brigade.transport.tail.SegmentTail;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Short messages in device memory, whose sender takes its offer back while the receiver accepts it: each message comes
 * one way, whole, and the sender writes its next message into the same memory as soon as it knows that the last one is
 * taken.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Every byte as it was sent.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Bytes that were not there yet, or no longer.")
@State
public class WithdrawnOfferStress {
    private static final int BYTES = 200;
    /** Of these the sender offers 0, 2, 5, 10 and 19, or more if some are taken: it offers less and less. */
    private static final int MESSAGES = 24;
    /** Fewer than all messages need: the last ones go step by step, so that the receiver finds one of them offered. */
    private static final int SENDS = 16;
    private static final int TRIES = 200;

    private static final SegmentDescriptor LAYOUT = SegmentDescriptor.smallest(2);

    private final NativeMemory memory = NativeMemory.allocate((int) LAYOUT.bytes());
    private final Plain sending = new Plain(1 << 20);
    private final Plain receiving = new Plain(2 << 20);
    private final Link out = end(0).link(1, Endpoint.POINT_TO_POINT);
    private final Link in = end(1).link(0, Endpoint.POINT_TO_POINT);
    private final Region source = new Region().wrap(sending, 0);
    private final Region target = new Region().wrap(receiving, 0);
    private int message;
    private long sent;
    private int arrived;
    private long taken;

    /** Device memory, in this process's own. */
    private static final class Plain extends DeviceBuffer {
        final ByteBuffer content = ByteBuffer.allocateDirect(BYTES);

        Plain(long address) {
            super(address, BYTES);
        }

        @Override
        public void read(long at, ByteBuffer to, int toAt, int length) {
            to.put(toAt, content, (int) at, length);
        }

        @Override
        public void write(long at, ByteBuffer from, int fromAt, int length) {
            content.put((int) at, from, fromAt, length);
        }

        @Override
        public void copy(long at, DeviceBuffer to, long toAt, long length) {
            ((Plain) to).content.put((int) toAt, content, (int) at, (int) length);
        }

        @Override
        public String toString() {
            return "plain memory";
        }
    }

    /** A device that copies when it is asked for the second time: the sender may come between. */
    private final class Slow implements Devices, CopyEngine, CopyQueue {
        /** What is to be copied; null if nothing is. */
        private DeviceBuffer pulls;
        private long from;
        private long place;
        private long length;
        private boolean asked;

        @Override
        public Object underlying(Object buffer) {
            return null;
        }

        @Override
        public long export(Endpoint endpoint, DeviceBuffer buffer) {
            return buffer.address;
        }

        @Override
        public long offset(DeviceBuffer buffer) {
            return 0;
        }

        @Override
        public DeviceGroup open(Endpoint endpoint, int[] members, int rank, DeviceBuffer buffer,
            CommunicatorTopology wires,
            Exchange exchange) {
            return null;
        }

        @Override
        public CopyEngine copies() {
            return this;
        }

        @Override
        public void pin(NativeMemory pinned) {
        }

        @Override
        public long map(Endpoint endpoint, int peer, long export, long offset, DeviceBuffer beside) {
            return export + offset;
        }

        @Override
        public int hostShare(Endpoint endpoint, int peer, long export, DeviceBuffer beside) {
            return 0;
        }

        @Override
        public CopyQueue queue() {
            return this;
        }

        @Override
        public void pull(long mapped, DeviceBuffer to, long at, long bytes) {
            from = mapped - sending.address;
            pulls = to;
            place = at;
            length = bytes;
            asked = false;
        }

        @Override
        public void read(DeviceBuffer from, long at, NativeMemory to, int toAt, int bytes) {
            throw new IllegalStateException();
        }

        @Override
        public void write(NativeMemory from, int fromAt, DeviceBuffer to, long at, int bytes) {
            throw new IllegalStateException();
        }

        @Override
        public int running() {
            if (pulls != null && asked) {
                sending.copy(from, pulls, place, length);
                pulls = null;
            }
            asked = true;
            return pulls == null ? 0 : 1;
        }

        @Override
        public void close() {
        }
    }

    private SharedEndpoint end(int rank) {
        SharedEndpoint end = SharedEndpoint.ofThread(LAYOUT, memory, rank);
        end.use(new Slow(), new SegmentTail(() -> {
            throw new IOException("nothing is staged here");
        }, Path.of("/nonexistent"), NativeMemory.allocate(Long.BYTES), 0));
        end.deviceSide().patienceNanos = 1;
        return end;
    }

    private void send() {
        if (message == MESSAGES) {
            return;
        }
        if (message == 0 && sent == 0) {
            fill();
        }
        sent += Math.max(0, out.trySend(message, message, source, 0, BYTES, sent));
        if (sent == BYTES) {
            sent = 0;
            message++;
            fill(); // at once: nothing reads the last message any more
        }
    }

    private void fill() {
        for (int i = 0; i < BYTES; i += 4) {
            sending.content.putInt(i, message << 24 | i);
        }
    }

    private int receive() {
        if (!in.poll()) {
            return 0;
        }
        int wrong = in.kind() == arrived && in.key() == arrived && in.bytes() == BYTES ? 0 : 1;
        taken += in.tryRecv(target, taken);
        if (taken == BYTES) {
            for (int i = 0; i < BYTES; i += 4) {
                wrong += receiving.content.getInt(i) == (arrived << 24 | i) ? 0 : 1;
            }
            taken = 0;
            arrived++;
        }
        return wrong;
    }

    @Actor
    public void sending() {
        for (int i = 0; i < SENDS; i++) {
            send();
        }
    }

    @Actor
    public void receiving(II_Result result) {
        for (int i = 0; i < TRIES; i++) {
            result.r1 += receive();
        }
    }

    /** What the actors left undone. */
    @Arbiter
    public void rest(II_Result result) {
        for (int i = 0; arrived < MESSAGES && i < 10_000; i++) {
            send();
            result.r2 += receive();
        }
        result.r2 += arrived == MESSAGES ? 0 : 1;
    }
}
