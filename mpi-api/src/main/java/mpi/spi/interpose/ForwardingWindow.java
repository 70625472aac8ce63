package mpi.spi.interpose;

import java.nio.ByteBuffer;
import mpi.spi.Operation;
import mpi.spi.window.Access;
import mpi.spi.window.WindowEnd;

/** A window that does what another one does: override the calls that a tool wants to see. */
public class ForwardingWindow implements WindowEnd {
    private final WindowEnd below;

    public ForwardingWindow(WindowEnd below) {
        this.below = below;
    }

    @Override
    public ByteBuffer memory(int rank) {
        return below.memory(rank);
    }

    @Override
    public long bytes() {
        return below.bytes();
    }

    @Override
    public long address() {
        return below.address();
    }

    @Override
    public Operation access(Access access) {
        return below.access(access);
    }

    @Override
    public void fence(boolean nothingBefore, boolean nothingAfter) {
        below.fence(nothingBefore, nothingAfter);
    }

    @Override
    public void post(int[] origins) {
        below.post(origins);
    }

    @Override
    public void start(int[] targets) {
        below.start(targets);
    }

    @Override
    public void complete() {
        below.complete();
    }

    @Override
    public void await() {
        below.await();
    }

    @Override
    public boolean test() {
        return below.test();
    }

    @Override
    public void lock(int target, boolean exclusive, boolean check) {
        below.lock(target, exclusive, check);
    }

    @Override
    public void unlock(int target) {
        below.unlock(target);
    }

    @Override
    public void lockAll(boolean check) {
        below.lockAll(check);
    }

    @Override
    public void unlockAll() {
        below.unlockAll();
    }

    @Override
    public void flush(String call, int target) {
        below.flush(call, target);
    }

    @Override
    public void sync() {
        below.sync();
    }

    @Override
    public void attach(Object given, Object buffer, long bytes) {
        below.attach(given, buffer, bytes);
    }

    @Override
    public void detach(Object given) {
        below.detach(given);
    }

    @Override
    public void free() {
        below.free();
    }

    @Override
    public String name() {
        return below.name();
    }

    @Override
    public void rename(String name) {
        below.rename(name);
    }

    @Override
    public void returnErrors(boolean wish) {
        below.returnErrors(wish);
    }

    @Override
    public void threw(String call) {
        below.threw(call);
    }
}
