package org.brigade.transport.cuda.group;

import java.util.ArrayList;
import java.util.List;
import org.brigade.transport.Endpoint;
import org.brigade.transport.cuda.driver.Gpu;
import org.brigade.transport.cuda.ipc.IpcMemory;

/**
 * The end of a group that this rank has closed. It has two steps, each taken when possible and without waiting. Once
 * nothing of this rank runs any more in the group, the others' memory is unmapped, and they are told
 * ({@link ScratchUse}). Once all others have told so, this rank's own memory that they wrote into is freed. A member
 * that dies first never tells, so the memory that it may have written into stays until this process ends.
 *
 * <p>
 * Continued whenever a group begins or ends.
 */
public final class GroupEnd {
    private static final List<GroupEnd> PENDING = new ArrayList<>();

    /**
     * What a member has for a group, which goes with it.
     *
     * @param scratch null where the group never came to be; {@code resources}, too
     * @param mapped by rank: every member's scratch memory, as mapped here
     * @param foreign by rank: whether that is another process's
     */
    record Parts(Endpoint endpoint, Gpu gpu, ScratchMemory scratch, long[] mapped, boolean[] foreign,
        CudaGroup.Resources resources, ScratchUse use) {
    }

    private final Parts parts;
    /** Null if it never came to be. */
    private final CudaGroup group;
    private final List<Runnable> staging;
    private boolean unmapped;

    GroupEnd(Parts parts, CudaGroup group, List<Runnable> staging) {
        this.parts = parts;
        this.group = group;
        this.staging = staging;
    }

    /** Goes as far as possible now. Never throws. */
    void begin() {
        synchronized (PENDING) {
            PENDING.add(this);
            goOn();
        }
    }

    /** Continues all unfinished ends. Never throws. */
    static void goOn() {
        synchronized (PENDING) {
            for (int i = PENDING.size() - 1; i >= 0; i--) {
                if (PENDING.get(i).hasEnded()) {
                    PENDING.remove(i);
                }
            }
        }
    }

    /**
     * The last attempt for an endpoint's groups, after all ranks have closed theirs: the rest is freed with the
     * process.
     *
     * @return whether no group of this process is left, so that none of its kernels runs
     */
    public static boolean last(Endpoint endpoint) {
        goOn();
        synchronized (PENDING) {
            boolean ended = PENDING.isEmpty();
            for (int i = PENDING.size() - 1; i >= 0; i--) {
                GroupEnd each = PENDING.get(i);
                if (each.parts.endpoint == endpoint) {
                    PENDING.remove(i);
                    if (!each.unmapped && each.group != null) {
                        each.group.abort();
                        each.forget();
                    }
                }
            }
            return ended;
        }
    }

    private boolean hasEnded() {
        try {
            parts.gpu.enter();
            try {
                if (!unmapped) {
                    if (parts.resources != null && parts.resources.isRunning()) {
                        return false;
                    }
                    unmap();
                }
                if (parts.use.isByOthers()) {
                    return false;
                }
                for (Runnable each : staging) {
                    each.run();
                }
                if (parts.scratch != null) {
                    parts.scratch.free();
                }
            } finally {
                parts.gpu.leave();
            }
        } catch (RuntimeException e) {
            // The context is gone, and everything in it.
            forget();
            parts.use.end();
        }
        return true;
    }

    private void unmap() {
        forget();
        for (int member = 0; member < parts.mapped.length; member++) {
            if (parts.foreign[member]) {
                IpcMemory.close(parts.mapped[member]);
            }
        }
        unmapped = true;
        parts.use.end();
        if (parts.resources != null) {
            parts.resources.free();
        }
    }

    /** The group's words are no longer read. */
    private void forget() {
        if (group != null) {
            LiveGroups.remove(group);
            Watchdog.forget(group);
        }
    }
}
