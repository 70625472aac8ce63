package org.brigade.engine;

import java.util.Arrays;
import org.brigade.memory.Region;
import org.brigade.schedule.Role;
import org.brigade.schedule.Slice;

/** The buffers of one call behind the roles that its schedule names, how they are divided into blocks and windows, and the scratch memory. Used again from call to call. */
public final class Operands {
    /** The caller's buffers; whoever makes the call wraps them. */
    public final Region send = new Region();
    public final Region recv = new Region();
    /** How the buffers are divided; whoever makes the call says so. */
    public final BlockMap sendMap = new BlockMap();
    public final BlockMap recvMap = new BlockMap();
    public final BlockMap scratchMap = new BlockMap();
    private final Scratch input = new Scratch();
    private Scratch[] scratch = {};
    private long windowBytes;

    /** Where the slice last resolved begins in its region, and its bytes. */
    long at;
    long bytes;
    /** The kind of a message of these bytes: whether others of the same block follow in later windows, and whether it is one. */
    int kind;

    /** For calls in place whose schedule would overwrite what it still has to read: SEND becomes a copy of the first bytes of RECV, which has been wrapped. */
    public void sendCopyOfRecv(long length) {
        input.reserve(length);
        new LocalCopy().copy(input.region, 0, recv, 0, length);
        send.wrap(input.region.buffer(), 0);
    }

    /**
     * Cuts the blocks into windows and reserves scratch memory, once buffers and maps are set.
     *
     * @param chunk  bytes of a window; 0: one window
     * @param extent bytes of one item, which no window cuts
     * @param areas  areas of scratch in use
     * @return windows of the longest block
     */
    int prepare(long chunk, int extent, int areas) {
        long longest = Math.max(Math.max(sendMap.longest(), recvMap.longest()), scratchMap.longest());
        windowBytes = chunk <= 0 ? Math.max(longest, 1) : Math.max(chunk / extent, 1) * extent;
        if (scratch.length < areas) {
            int old = scratch.length;
            scratch = Arrays.copyOf(scratch, areas);
            for (int i = old; i < areas; i++) {
                scratch[i] = new Scratch();
            }
        }
        for (int i = 0; i < areas; i++) {
            scratch[i].reserve(scratchMap.total());
        }
        return (int) Math.max(1, (longest + windowBytes - 1) / windowBytes);
    }

    /** The region behind a slice in a round; leaves position and length in {@link #at} and {@link #bytes}. A window of -1: the whole stretch. */
    Region resolve(Slice slice, int round, int window) {
        Role role = slice.role();
        BlockMap map = role == Role.RECV ? recvMap : role == Role.SEND ? sendMap : scratchMap;
        int first = slice.first().at(round);
        long begin = map.offset(first);
        long length = map.length(first, slice.blocks());
        kind = slice.blocks() > 1 || map.isDivided() ? Progress.PART : Progress.COLLECTIVE;
        if (window >= 0) {
            long skip = Math.min(length, window * windowBytes);
            begin += skip;
            length -= skip;
            if (length > windowBytes) {
                length = windowBytes;
                kind |= Progress.MORE;
            }
        }
        at = begin;
        bytes = length;
        return role == Role.RECV ? recv : role == Role.SEND ? send : scratch[slice.area()].region;
    }

    /**
     * Less has come for a slice than it has room for, and nothing follows: its block ends there, also for who passes it on.
     *
     * @return false if the slice cannot be shorter than planned without moving something else
     */
    boolean shorten(Slice slice, int round, int window, long came) {
        return slice.role() == Role.RECV && slice.blocks() == 1 && recvMap.shorten(slice.first().at(round), Math.max(0, window) * windowBytes + came);
    }

    /** Lets go of the caller's buffers. */
    void clear() {
        send.clear();
        recv.clear();
    }
}
