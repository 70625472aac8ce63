package org.brigade.transport.staging;

import mpi.spi.DeviceBuffer;
import org.brigade.device.CopyQueue;
import org.brigade.memory.Region;

/**
 * A copy from a peer's device memory into this rank's over two ways at once: the first bytes by the copy engine over
 * the link between the GPUs, the last ones through the host, from where the peer puts them meanwhile. The two ways
 * share nothing but their ends, so the shorter time is that of the best division; a share of the host that is too large
 * costs more than it ever brings, as all wait for it.
 */
public final class MultiPathCopy {
    /** Shorter copies have ended before the way through the host is under way. */
    public static final long SHORTEST = 64L << 20;

    private static final int ALIGNMENT = 2 << 20;
    private static final int PERCENT = 100;

    private final CopyQueue copies;
    /** The target as it was when the copy began. */
    private final Region target = new Region();
    private StagingReceiver host;
    private long hostAt;
    private boolean pulling;
    private boolean staging;

    /**
     * @param copies of this copy alone
     */
    public MultiPathCopy(CopyQueue copies) {
        this.copies = copies;
    }

    /** Of so many bytes those that go through the host, at a share in percent: the last ones. */
    public static long hostBytes(long bytes, int share) {
        return bytes < SHORTEST || share <= 0 ? 0 : bytes / PERCENT * Math.min(share, PERCENT) & -ALIGNMENT;
    }

    /**
     * Begins.
     *
     * @param mapped where the first byte lies
     * @param at where it goes in the target, which is device memory
     * @param hostBytes those of the bytes, the last, that come through the host
     * @param host where they come; may be null if there are none
     */
    public void begin(long mapped, Region target, long at, long bytes, long hostBytes, StagingReceiver host) {
        long direct = bytes - hostBytes;
        staging = hostBytes > 0;
        if (staging) {
            // First, as the peer sends this part whether or not the device takes the other.
            this.target.wrap(target.buffer(), target.offset());
            this.host = host;
            hostAt = at + direct;
            host.begin(hostBytes);
        }
        copies.pull(mapped, (DeviceBuffer) target.buffer(), target.offset() + at, direct);
        pulling = true;
    }

    /** Does what can be done now; whether all bytes are where they belong. */
    public boolean ended() {
        if (staging) {
            hostAt += host.take(target, hostAt);
            staging = !host.ended();
        }
        return pullEnded();
    }

    /**
     * As {@link #ended}, where nobody needs the bytes any more: those that come through the host go nowhere, and a
     * failure of the device is no one's concern.
     */
    public boolean dropped() {
        if (staging) {
            host.discard(Long.MAX_VALUE);
            staging = !host.ended();
        }
        try {
            return pullEnded();
        } catch (RuntimeException failed) {
            return pullEnded();
        }
    }

    private boolean pullEnded() {
        if (pulling) {
            pulling = false; // as it is if the device fails
            pulling = copies.running() > 0;
        }
        if (pulling || staging) {
            return false;
        }
        target.clear();
        return true;
    }

    /** Whether a copy runs. */
    public boolean isRunning() {
        return pulling || staging;
    }

    /** Waits for what runs and gives everything back. */
    public void close() {
        copies.close();
    }
}
