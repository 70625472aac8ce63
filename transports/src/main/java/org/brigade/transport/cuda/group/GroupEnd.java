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

    private final Endpoint endpoint;
    private final Gpu gpu;
    private final ScratchUse use;
    /** Null if the group was never completed. */
    private final CudaGroup group;
    /** Null if the group was never completed. */
    private final CudaGroup.Resources resources;
    private final ScratchMemory scratch;
    private final List<Runnable> staging;
    private final long[] mapped;
    private final boolean[] foreign;
    private boolean unmapped;

    GroupEnd(Endpoint endpoint, Gpu gpu, ScratchUse use, CudaGroup group, CudaGroup.Resources resources,
        ScratchMemory scratch, List<Runnable> staging, long[] mapped, boolean[] foreign) {
        this.endpoint = endpoint;
        this.gpu = gpu;
        this.use = use;
        this.group = group;
        this.resources = resources;
        this.scratch = scratch;
        this.staging = staging;
        this.mapped = mapped;
        this.foreign = foreign;
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
     */
    public static void last(Endpoint endpoint) {
        goOn();
        synchronized (PENDING) {
            for (int i = PENDING.size() - 1; i >= 0; i--) {
                GroupEnd each = PENDING.get(i);
                if (each.endpoint == endpoint) {
                    PENDING.remove(i);
                    if (!each.unmapped && each.group != null) {
                        each.group.abort();
                        each.forget();
                    }
                }
            }
        }
    }

    private boolean hasEnded() {
        try {
            gpu.enter();
            try {
                if (!unmapped) {
                    if (resources != null && resources.isRunning()) {
                        return false;
                    }
                    unmap();
                }
                if (use.isByOthers()) {
                    return false;
                }
                for (Runnable each : staging) {
                    each.run();
                }
                if (scratch != null) {
                    scratch.free();
                }
            } finally {
                gpu.leave();
            }
        } catch (RuntimeException e) {
            // The context is gone, and everything in it.
            forget();
            use.end();
        }
        return true;
    }

    private void unmap() {
        forget();
        for (int member = 0; member < mapped.length; member++) {
            if (foreign[member]) {
                IpcMemory.close(mapped[member]);
            }
        }
        unmapped = true;
        use.end();
        if (resources != null) {
            resources.free();
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
