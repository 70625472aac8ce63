package org.brigade.engine;

import java.util.Arrays;
import mpi.spi.BlockMap;
import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Extent;
import mpi.spi.Operand;
import org.brigade.memory.Region;
import org.brigade.op.LocalCopy;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.schedule.Role;
import org.brigade.schedule.Slice;

/**
 * The buffers of one call by role, how they are divided into blocks and windows, and the scratch memory. Reused from
 * call to call.
 */
public final class Operands {
    private static final BlockMap NONE = new BlockMap();
    /** Longer vectors in device memory are not staged whole: each arriving piece is reduced by itself. */
    private static final long LONGEST_STAGED = 256 << 20;
    /** Longer results of an allgather, alltoall or bcast go to their devices straight. */
    private static final long LONGEST_STAGED_COPY = 1 << 20;
    /** The copy of a shorter chunk takes longer to start than to run: 512 KiB take 19 us, 10 of them to start. */
    private static final long LEAST_COPIED = 512 << 10;
    private static final long APART = -1;

    private final Region send = new Region();
    private final Region recv = new Region();
    /** How the buffers are divided: the call's own maps, valid until it has ended. */
    private BlockMap sendMap = NONE;
    private BlockMap recvMap = NONE;
    private BlockMap scratchMap = NONE;
    private final BlockMap ownMap = new BlockMap();
    private final Scratch input = new Scratch();
    /** The result of a staged call, and where in device memory it must go; 0 bytes if the call is not staged. */
    private final Scratch output = new Scratch();
    private final Region device = new Region();
    private long resultBytes;
    /** Where a staged call's input lies in its result; APART if it is not in place. */
    private long inResult;
    /** Whether a bcast is staged, whose message may come shorter than planned; and whether this is its root. */
    private boolean spread;
    private boolean spreads;
    /** Whether {@link #fetch} must be called. */
    boolean fetching;
    /** Made when first needed. */
    private LocalCopy copies;
    private Scratch[] scratch = {};
    private long windowBytes;

    /** Position of the slice last resolved in its region, and its bytes. */
    long at;
    long bytes;
    /**
     * The kind of a message with these bytes: whether more of the same block follows in later windows, and whether it
     * is a block.
     */
    int kind;
    /**
     * Whether the slice is the beginning of a block that has turned out to be empty. Who gets it next may expect more,
     * and must hear that nothing comes.
     */
    boolean emptied;

    /**
     * Takes the buffers of a call and how they are divided; vectors are cut into this many blocks.
     *
     * @param most as {@link #mostStaged} says
     */
    void bind(Call call, int blocks, long most) {
        sendMap = call.send.blocks;
        recvMap = call.recv.blocks;
        sendMap.cut(blocks);
        recvMap.cut(blocks);
        recv.wrap(call.recv.buffer, call.recv.offset);
        if (call.inPlace && call.collective.overwrites) {
            copyInput(recv, sendMap.span());
        } else {
            send.wrap(call.send.buffer, call.send.offset);
        }
        if (send.isDevice() || recv.isDevice()) {
            stage(call, most);
        }
        scratchMap = call.collective.scratch == Extent.NONE ? NONE : switch (call.collective.counts) {
            case VECTOR -> call.collective.send == Extent.NONE ? recvMap : sendMap;
            case EQUAL -> uniform(call);
            case SHARED, LOCAL -> call.collective.contiguous() ? sendMap : packed(call);
        };
    }

    /**
     * The longest vector, or longest buffer of all blocks, whose call is moved to host memory as a whole. Of longer
     * ones each message is copied from and to the device by itself. Between nodes that is no gain if chunks are so
     * short that starting their copies takes longer than the network does.
     *
     * @param chunk bytes of a window; 0: one window
     */
    public static long mostStaged(Collective collective, CommunicatorTopology wires, long chunk) {
        boolean copies = collective == Collective.ALLGATHER || collective == Collective.ALLTOALL
            || collective == Collective.BCAST;
        boolean slow = copies && wires.nodes() > 1 && chunk > 0 && chunk < LEAST_COPIED;
        return collective.reduces || slow ? LONGEST_STAGED : copies ? LONGEST_STAGED_COPY : 0;
    }

    /**
     * Moves a call to host memory if each of its pieces would otherwise be copied from and to a device. The input is
     * copied once, and the result once when the call has ended. A copy takes some 10 us however short. So a tree of a
     * bcast costs one copy at its root, as equation (6) of Xin, Xie, Li (2020) has it, and one at the end. The v-forms,
     * of whose blocks each may come shorter than planned, write where they receive, and are not staged.
     */
    private void stage(Call call, long most) {
        if (Math.max(sendMap.span(), recvMap.span()) > most) {
            return;
        }
        spread = call.collective == Collective.BCAST;
        spreads = spread && call.rank == call.root;
        fetching = spreads || send.isDevice();
        inResult = APART;
        boolean result = switch (call.collective) {
            case REDUCE -> call.rank == call.root;
            case EXSCAN -> call.rank > 0;
            default -> true;
        };
        if (result && recv.isDevice()) {
            resultBytes = recvMap.span();
            device.wrap(call.recv.buffer, call.recv.offset);
            output.reserve(resultBytes);
            recv.wrap(output.region.buffer(), 0);
            inResult = call.inPlace && !call.collective.overwrites ? call.send.offset - call.recv.offset : APART;
        }
    }

    private LocalCopy copies() {
        if (copies == null) {
            copies = new LocalCopy();
        }
        return copies;
    }

    /** Copies a staged call's input to host memory, before its first step. */
    void fetch() {
        fetching = false;
        if (spreads) {
            copies().copy(recv, 0, device, 0, resultBytes);
        } else if (inResult == APART) {
            copyInput(send, sendMap.span());
        } else {
            copies().copy(recv, inResult, send, 0, sendMap.span());
            send.wrap(recv.buffer(), inResult);
        }
    }

    /** Copies a staged call's result to the device, once all its steps are done. */
    void deliver() {
        if (resultBytes > 0 && !spreads) {
            copies().copy(device, 0, recv, 0, resultBytes);
        }
    }

    private BlockMap packed(Call call) {
        ownMap.packed(recvMap, call.ranks);
        return ownMap;
    }

    private BlockMap uniform(Call call) {
        ownMap.uniform(call.bytes(), call.ranks);
        return ownMap;
    }

    /**
     * Makes SEND a copy of the first bytes of a region: of RECV for calls in place whose schedule would overwrite what
     * it still has to read.
     */
    private void copyInput(Region from, long length) {
        input.reserve(length);
        copies().copy(input.region, 0, from, 0, length);
        send.wrap(input.region.buffer(), 0);
    }

    /**
     * Keeps the input: a copy for a vector in place, valid until this object is bound to another call in place; else
     * the input itself.
     */
    public void keepInput(Call call, Operand kept) {
        kept.buffer = call.send.buffer;
        kept.offset = call.send.offset;
        if (call.inPlace) {
            recv.wrap(call.recv.buffer, call.recv.offset);
            copyInput(recv, call.send.blocks.span());
            kept.buffer = send.buffer();
            kept.offset = send.offset();
            clear();
        }
    }

    /**
     * Cuts the blocks into windows and reserves scratch memory, once a call is bound.
     *
     * @param chunk bytes of a window; 0: one window
     * @param extent bytes of one item, which no window cuts
     * @param areas areas of scratch in use
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

    /** The region of a slice in a round; sets {@link #at} and {@link #bytes}. Window -1: the whole stretch. */
    Region resolve(Slice slice, int round, int window) {
        Role role = slice.role();
        BlockMap map = role == Role.RECV ? recvMap : role == Role.SEND ? sendMap : scratchMap;
        int first = slice.first().at(round);
        long begin = map.offset(first);
        long length = map.length(first, slice.blocks());
        emptied = length == 0 && window <= 0 && slice.blocks() == 1 && map.isShortened(first);
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
     * A slice is shorter than its room, and nothing follows: its block ends there, also when it is passed on.
     *
     * @return false if the slice cannot be shorter than planned without moving something else
     */
    boolean shorten(Slice slice, int round, int window, long came) {
        long length = Math.max(0, window) * windowBytes + came;
        boolean possible =
            slice.role() == Role.RECV && slice.blocks() == 1 && recvMap.shorten(slice.first().at(round), length);
        if (possible && spread && resultBytes > 0) {
            resultBytes = length; // what lies behind on the device stays as it is
        }
        return possible;
    }

    /** Forgets the caller's buffers. */
    void clear() {
        send.clear();
        recv.clear();
        device.clear();
        resultBytes = 0;
        fetching = false;
        spread = false;
        spreads = false;
    }
}
