package org.brigade.window;

import mpi.MPIException;
import mpi.spi.window.Access;
import org.brigade.memory.Region;
import org.brigade.nativ.ProcessMemory;

/** Accesses by the origin itself: to memory that it has mapped, or can copy to and from. Under the progress lock. */
final class DirectAccess {
    private static final int QUICK_LOOKS = 1000;

    private final TargetMemory[] memories;
    private final ControlBlock[] controls;
    private final MemoryAccess accesses;
    private final Epochs epochs;
    private final WindowWait wait;
    private final Region target = new Region();
    private final Region origin = new Region();
    private final Region result = new Region();
    private final Region compare = new Region();

    DirectAccess(TargetMemory[] memories, ControlBlock[] controls, MemoryAccess accesses, Epochs epochs,
        WindowWait wait) {
        this.memories = memories;
        this.controls = controls;
        this.accesses = accesses;
        this.epochs = epochs;
        this.wait = wait;
    }

    /** Runs an access whose items lie in the target's memory at this byte. */
    void run(Access access, long at) {
        boolean combines = access.kind != Access.Kind.PUT && access.kind != Access.Kind.GET;
        if (combines) {
            acquire(access.call, controls[access.target]);
        }
        try {
            try {
                copy(access, at);
            } finally {
                if (combines) {
                    controls[access.target].releaseAccumulate();
                }
            }
        } catch (PeerMemory.CopyFailure e) {
            throw unreachable(access, e);
        } catch (TargetMemory.Freed e) {
            throw lost(access, e);
        } catch (MPIException e) { // of a device
            throw epochs.uncopied(access.call, access.target, e);
        }
    }

    private void acquire(String call, ControlBlock control) {
        for (int look = 0; !control.tryAccumulate(); look++) {
            if (look == QUICK_LOOKS) {
                wait.until(call, -1, control::tryAccumulate);
                return;
            }
            Thread.onSpinWait();
        }
    }

    /** The target's process has ended, or it has given its buffer back. */
    private MPIException unreachable(Access access, PeerMemory.CopyFailure failure) {
        if (failure.errno == ProcessMemory.NO_PROCESS) {
            wait.until(access.call, access.target, () -> false); // its loss will be seen
        }
        return lost(access, failure);
    }

    private MPIException lost(Access access, RuntimeException failure) {
        MPIException error = epochs.lost(access.call, access.target, failure.getMessage());
        error.initCause(failure);
        return error;
    }

    private void copy(Access access, long at) {
        memories[access.target].wrap(target, at, access.items);
        origin.wrap(access.origin, 0);
        result.wrap(access.result, 0);
        try {
            switch (access.kind) {
                case PUT, GET -> accesses.move(access.kind, target, origin, 0, result, 0, access.bytes);
                case SWAP -> accesses.swap(target, origin, 0, compare.wrap(access.compare, 0), 0, result, 0,
                    access.bytes);
                default -> accesses.accumulate(target, origin, 0, access.result == null ? null : result, 0,
                    access.bytes, access.element, access.op);
            }
        } finally {
            target.clear();
            origin.clear();
            result.clear();
            compare.clear();
        }
    }
}
