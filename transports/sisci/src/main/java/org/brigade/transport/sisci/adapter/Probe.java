package org.brigade.transport.sisci.adapter;

import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.brigade.memory.NativeMemory;

/**
 * Finds out whether DMA moves anything. On a host whose IOMMU is off or broken, a transfer from registered memory may
 * report success and move nothing (others have met such machines too). So a few bytes are sent each way and the
 * receiver compares checksums.
 */
public final class Probe {
    public static final int REGISTERED = 1;
    public static final int ADDRESSED = 2;
    /** Instead of a checksum: the library refused the transfer. */
    public static final long NOT_SENT = -1;

    private static final int BYTES = 4096;
    private static final int PATIENCE_MILLIS = 2000;

    private Probe() {
    }

    /** Sends the probes to the start of the peer's first ring, which nobody uses yet; returns their checksums. */
    public static long[] send(Adapter adapter, Outbox to) {
        return new long[] {send(adapter, to, true, 0), send(adapter, to, false, BYTES)};
    }

    private static long send(Adapter adapter, Outbox to, boolean registered, int at) {
        DmaChannel channel = null;
        try {
            channel = new DmaChannel(adapter, BYTES, registered ? REGISTERED : ADDRESSED);
            NativeMemory memory = channel.staging();
            SplittableRandom random = new SplittableRandom(System.nanoTime() ^ (long) to.id << 32);
            for (int i = 0; i < BYTES; i += 8) {
                memory.putLong(i, random.nextLong());
            }
            channel.startStaged(to.remote, InboxDescriptor.ring(0, to.ringBytes) + at, BYTES);
            int state = channel.await(PATIENCE_MILLIS);
            return state == Sisci.DMA_DONE || state == Sisci.DMA_IDLE ? checksum(memory, 0) : NOT_SENT;
        } catch (SisciException refused) {
            return NOT_SENT;
        } finally {
            if (channel != null) {
                channel.close();
            }
        }
    }

    /** Which of a peer's probes have arrived. */
    public static int arrived(Inbox inbox, long[] checksums) {
        int ring = InboxDescriptor.ring(0, inbox.ringBytes);
        return (checksum(inbox.memory, ring) == checksums[0] ? REGISTERED : 0)
            | (checksum(inbox.memory, ring + BYTES) == checksums[1] ? ADDRESSED : 0);
    }

    private static long checksum(NativeMemory memory, int at) {
        CRC32C sum = new CRC32C();
        sum.update(memory.bytes.slice(at, BYTES));
        return sum.getValue();
    }
}
