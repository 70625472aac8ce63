package org.brigade.window;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.List;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Operation;
import mpi.spi.TypeMap;
import mpi.spi.window.Access;
import mpi.spi.window.WindowEnd;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;

/**
 * One rank's end of a window. A target whose memory and control block this process has mapped is accessed by copies, on
 * the spot; the others by {@link WindowMessages}. All of it under the progress lock, which a waiting call releases
 * between two looks.
 */
final class RankWindow implements WindowEnd {
    /** Accesses to mapped memory work on when its owner has died: so now and then a flush looks after the members. */
    private static final int FLUSHES_UNSEEN = 1024;

    private final WindowService service;
    private final Progress progress;
    private final WindowGroup group;
    private final int rank;
    private final boolean locks;
    private final WindowSizes sizes;
    private final TargetMemory[] memories;
    private final ControlBlock[] controls;
    private final ByteBuffer[] mapped;
    private final WindowMessages messages;
    private final List<PeerReach> peers;
    private final DirectAccess direct;
    final Epochs epochs;
    private final WindowWait wait;
    private final WindowLocks taken;
    private final String[] name;
    private final ActiveTargets groups;
    private final NodeStretch stretch;
    private int flushes;

    /** What each rank has said of its memory. */
    record WindowSizes(boolean dynamic, long[] bytes, int[] units) {
    }

    /**
     * @param memories by rank: the memory that this process can touch; null for the others'
     * @param controls the same for control blocks
     * @param mapped the same for the buffers of memory that was made with the window
     * @param messages null if there is no rank that this process cannot touch
     * @param peers the ways by which ranks' own buffers were found
     * @param stretch the memory that the ranks of this node share; null if they share none
     */
    RankWindow(WindowService service, Progress progress, WindowGroup group, boolean locks, WindowSizes sizes,
        TargetMemory[] memories, ControlBlock[] controls, ByteBuffer[] mapped, MemoryAccess accesses,
        WindowMessages messages, List<PeerReach> peers, NodeStretch stretch) {
        this.service = service;
        this.progress = progress;
        this.group = group;
        Membership membership = group.membership;
        this.rank = membership.rank;
        this.locks = locks;
        this.sizes = sizes;
        this.memories = memories;
        this.controls = controls;
        this.mapped = mapped;
        this.messages = messages;
        this.peers = peers;
        this.stretch = stretch;
        int ranks = membership.members.length;
        name = new String[] {membership.name()};
        epochs = new Epochs(rank, ranks, name);
        wait = new WindowWait(progress, membership);
        direct = new DirectAccess(memories, controls, accesses, epochs, wait);
        taken = new WindowLocks(controls, messages, epochs, wait);
        groups = new ActiveTargets(progress, rank, controls, messages, epochs, wait);
    }

    boolean usesMessages() {
        return messages != null;
    }

    /** Whether other ranks may wait for answers of this one while it makes no calls. */
    boolean isTarget() {
        return messages != null && (locks || sizes.dynamic || sizes.bytes[rank] > 0);
    }

    /** Serves other ranks; under the lock. */
    boolean serve() {
        return messages != null && messages.serve();
    }

    private void enter() {
        progress.lock.lock();
        name[0] = group.membership.name();
    }

    private void leave() {
        progress.lock.unlock();
    }

    // ---- accesses ----

    @Override
    public ByteBuffer memory(int of) {
        return mapped[of];
    }

    @Override
    public long bytes() {
        return sizes.dynamic ? 0 : sizes.bytes[rank];
    }

    @Override
    public long address() {
        return memories[rank].address();
    }

    @Override
    public Operation access(Access access) {
        enter();
        try {
            epochs.access(access.call, access.target);
            int to = access.target;
            long at = access.displacement * sizes.units[to];
            boolean held = memories[to] != null ? memories[to].holds(at, access.items)
                : sizes.dynamic || access.items.size == 0
                    || at + access.items.lowest >= 0 && at + access.items.highest <= sizes.bytes[to];
            if (!held) {
                throw outside(access);
            }
            if (access.bytes == 0) {
                return null;
            }
            if (memories[to] != null) {
                direct.run(access, at);
                return null;
            }
            MessageAccess whole = new MessageAccess(this, access);
            for (long from = 0; from < access.bytes;) {
                wait.until(access.call, -1, () -> !messages.isFull(to));
                from += messages.ask(whole, at, from);
            }
            return whole;
        } finally {
            leave();
        }
    }

    MPIException outside(Access access) {
        TypeMap items = access.items;
        long unit = sizes.units[access.target];
        return epochs.error(ErrorClass.RMA_RANGE, access.call, "displacement " + access.displacement + " with items of "
            + access.bytes + " bytes, from byte " + (access.displacement * unit + items.lowest) + " to "
            + (access.displacement * unit + items.highest) + ", is outside the window of rank " + access.target
            + (sizes.dynamic ? ", where no attached buffer has all of these bytes; attach it first"
                : ", which has " + sizes.bytes[access.target] + " bytes and a displacement unit of " + unit
                    + "; pass a smaller displacement or count"));
    }

    boolean test(MessageAccess access) {
        enter();
        try {
            progress.poll();
            boolean done = access.open == 0;
            if (done) {
                raise(access);
            } else {
                progress.testedInVain();
            }
            return done;
        } finally {
            leave();
        }
    }

    void await(MessageAccess access) {
        enter();
        try {
            wait.until(access.access.call, -1, () -> access.open == 0);
            raise(access);
        } finally {
            leave();
        }
    }

    private void raise(MessageAccess access) {
        MPIException failure = access.failure;
        if (failure != null) {
            access.failure = null;
            messages.failed(access.access.target); // it is thrown here, and not by the next flush
            throw failure;
        }
    }

    /**
     * Waits until a target, or for -1 every target, has answered.
     *
     * @return the error of an access that was outside a window, or whose memory failed; null if there is none
     */
    private MPIException drained(String call, int to) {
        if (messages == null) {
            return null;
        }
        MPIException failed = null;
        for (int each = Math.max(0, to); each < (to < 0 ? controls.length : to + 1); each++) {
            int one = each;
            wait.until(call, -1, () -> messages.open(one) == 0);
            MPIException last = messages.failed(each);
            failed = last == null ? failed : last;
        }
        return failed;
    }

    private static void raise(MPIException failed) {
        if (failed != null) {
            throw failed;
        }
    }

    // ---- active targets ----

    @Override
    public void fence(boolean nothingBefore, boolean nothingAfter) {
        MPIException failed;
        enter();
        try {
            epochs.fence("fence", nothingAfter);
            failed = drained("fence", -1);
            TargetMemory.Freed own = memories[rank].freed();
            failed = failed == null && own != null ? epochs.lost("fence", rank, own.getMessage()) : failed;
        } finally {
            leave();
        }
        sync();
        group.meet("fence"); // the others wait in theirs
        raise(failed);
    }

    @Override
    public void post(int[] origins) {
        enter();
        try {
            groups.post(origins);
        } finally {
            leave();
        }
    }

    @Override
    public void start(int[] targets) {
        enter();
        try {
            groups.start(targets);
        } finally {
            leave();
        }
    }

    @Override
    public void complete() {
        enter();
        try {
            raise(groups.complete(call -> drained(call, -1)));
        } finally {
            leave();
        }
    }

    @Override
    public void await() {
        enter();
        try {
            groups.await();
        } finally {
            leave();
        }
    }

    @Override
    public boolean test() {
        enter();
        try {
            return groups.test();
        } finally {
            leave();
        }
    }

    // ---- passive targets ----

    @Override
    public void lock(int to, boolean exclusive, boolean check) {
        enter();
        try {
            requireLocks("lock");
            boolean holds = epochs.holdsAny();
            epochs.lock("lock", to, !check ? Epochs.UNCHECKED : exclusive ? Epochs.EXCLUSIVE : Epochs.SHARED);
            if (check) {
                taken.take("lock", to, exclusive, holds);
            }
        } finally {
            leave();
        }
    }

    private void requireLocks(String call) {
        if (!locks) {
            throw epochs.error(ErrorClass.RMA_SYNC, call,
                "the window was made with the hint no_locks=true; make it without");
        }
    }

    @Override
    public void unlock(int to) {
        enter();
        try {
            epochs.held("unlock", to);
            MPIException failed = null;
            try {
                failed = drained("unlock", to);
            } finally {
                VarHandle.fullFence();
                taken.give(to);
                epochs.unlock(to);
            }
            drained("unlock", to);
            raise(failed);
        } finally {
            leave();
        }
    }

    @Override
    public void lockAll(boolean check) {
        enter();
        try {
            requireLocks("lockAll");
            epochs.lockAll("lockAll", check ? Epochs.SHARED : Epochs.UNCHECKED);
            if (check) {
                taken.takeAll();
            }
        } finally {
            leave();
        }
    }

    @Override
    public void unlockAll() {
        enter();
        try {
            epochs.requireLockAll("unlockAll");
            MPIException failed = null;
            try {
                failed = drained("unlockAll", -1);
            } finally {
                VarHandle.fullFence();
                for (int each = 0; each < controls.length; each++) {
                    taken.give(each);
                }
                epochs.unlockAll();
            }
            drained("unlockAll", -1);
            raise(failed);
        } finally {
            leave();
        }
    }

    @Override
    public void flush(String call, int to) {
        enter();
        try {
            epochs.requireLocked(call, to);
            raise(drained(call, to));
            if (++flushes % FLUSHES_UNSEEN == 0) {
                progress.lookAfter(group.membership, call);
            }
        } finally {
            leave();
        }
        VarHandle.fullFence();
    }

    @Override
    public void sync() {
        VarHandle.fullFence();
    }

    /** This rank finalizes; under the lock. */
    void giveUp() {
        taken.giveUp();
        closePeers();
    }

    private void closePeers() {
        for (PeerReach each : peers) {
            each.close();
        }
    }

    // ---- memory ----

    @Override
    public void attach(Object given, Object buffer, long bytes) {
        enter();
        try {
            requireDynamic("attach");
            if (memories[rank].has(given)) {
                throw epochs.error(ErrorClass.RMA_ATTACH, "attach",
                    "this buffer is attached already; detach it first, or attach another");
            }
            memories[rank].add(memories[rank].end() + 63 & -64, bytes, given, buffer);
        } finally {
            leave();
        }
    }

    @Override
    public void detach(Object given) {
        enter();
        try {
            requireDynamic("detach");
            if (!memories[rank].remove(given)) {
                throw epochs.error(ErrorClass.RMA_ATTACH, "detach",
                    "this buffer is not attached; pass the object that attach got");
            }
        } finally {
            leave();
        }
    }

    private void requireDynamic(String call) {
        if (!sizes.dynamic) {
            throw epochs.error(ErrorClass.RMA_FLAVOR, call,
                "the memory of this window was given when it was made; make a dynamic window, new Win(info, comm)");
        }
    }

    @Override
    public void free() {
        MPIException failed;
        enter();
        try {
            epochs.free("free");
            failed = drained("free", -1);
            closePeers(); // before their owners may free the memory
        } finally {
            leave();
        }
        boolean met = false;
        try {
            group.meet("free");
            met = true;
        } finally {
            progress.lock.lock();
            service.remove(this);
            progress.lock.unlock();
            if (messages != null) {
                messages.close();
            }
            if (stretch != null && !met) {
                stretch.release();
            }
        }
        if (stretch != null && stretch.leave()) {
            service.left.add(stretch);
        }
        group.end();
        raise(failed);
    }

    // ---- name and errors ----

    @Override
    public String name() {
        return group.membership.name();
    }

    @Override
    public void rename(String its) {
        group.rename(its);
    }

    @Override
    public void returnErrors(boolean wish) {
        group.returnErrors(wish);
    }

    @Override
    public void threw(String call) {
        group.threw(call);
    }
}
