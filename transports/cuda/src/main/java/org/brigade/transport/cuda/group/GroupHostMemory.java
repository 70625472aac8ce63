package org.brigade.transport.cuda.group;

import java.io.IOException;
import jcuda.CudaException;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;
import org.brigade.device.DeviceGroup.Waiting;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.NodeMemory;
import org.brigade.transport.cuda.driver.Addresses;
import org.brigade.transport.cuda.driver.Gpu;

/**
 * Page-locked host memory that all members of a group have mapped: words that their streams and hosts write and wait
 * for, and slots for data that goes through host memory. Member 0 makes it, in the node's memory. The slots are
 * allocated when a call first needs them, as they need many bytes, of which there may be few.
 *
 * <pre>
 *      0  copied     copies by the copy engine that have ended          the root's stream
 *     64  sent       pieces that lie in slots                           the root's stream
 *    128  given up   1: some member did; slots are undefined         any host
 *    192  users      members that have not freed it                    any host, by compare-and-set
 *    512  taken      [member], 64 bytes each: pieces copied out         that member's stream
 *   1024  slots      [member], 64 bytes each: 0 not asked for yet,      that member's host
 *                    -1 none, else how many this member can use
 *   4096  told       [member][by], 64 bytes each: {@link Arrivals}      that member's kernel or stream
 *   8192  pairs      [member][word], 64 bytes each: {@link PairStreams}     streams
 *   64 Ki slots of 4 MiB
 * </pre>
 *
 * The words of streams are 32 bits, and are compared by difference. A member that gives up releases its own streams by
 * writing the words that they wait for, which the others may see, too: hence the word that says so.
 */
final class GroupHostMemory {
    static final int COPIED = 0;
    static final int SENT = 64;
    static final int SLOT_BYTES = 4 << 20;
    private static final int GIVEN_UP = 128;
    private static final int USERS = 192;
    private static final int TAKEN = 512;
    private static final int SLOTS = 1024;
    private static final int LINE = 64;
    static final int TOLD = 4096;
    static final int PAIRS = 8192;
    private static final int HEADER_BYTES = 64 << 10;

    private static final int MOST_SLOTS = 8;
    /** Fewer slots do not keep both copy engines busy. */
    private static final int FEWEST_SLOTS = 2;
    private static final int BYTES = HEADER_BYTES + MOST_SLOTS * SLOT_BYTES;

    private final NodeMemory node;
    private final long at;
    private final NativeMemory memory;
    /** Addresses of the header and the slots on the GPU; 0: not page-locked. */
    private long header;
    private long slots;
    private boolean freed;

    private GroupHostMemory(NodeMemory node, long at) throws IOException {
        this.node = node;
        this.at = at;
        memory = new NativeMemory(node.map(at, BYTES));
    }

    /** Makes the memory. @return null if there is no room */
    static GroupHostMemory make(NodeMemory node, int ranks) {
        long at = -1;
        try {
            // The slots take no space, and no member touches them before they have been filled.
            at = node.reserve(BYTES);
            node.fill(at, HEADER_BYTES);
            GroupHostMemory made = new GroupHostMemory(node, at);
            made.memory.putLong(USERS, ranks);
            return made;
        } catch (IOException noRoom) {
            if (at >= 0) {
                node.release(at, BYTES);
                node.end(at, BYTES);
            }
            return null;
        }
    }

    /** Maps the memory that member 0 has made. @return null if that is refused */
    static GroupHostMemory open(NodeMemory node, long at) {
        try {
            return new GroupHostMemory(node, at);
        } catch (IOException refused) {
            return null;
        }
    }

    /** Where it lies in the node's memory. */
    long at() {
        return at;
    }

    /** Page-locks the header; needs the GPU's context current. False if that is refused. */
    boolean lockHeader() {
        header = lock(0, HEADER_BYTES);
        return header != 0;
    }

    /**
     * Number of slots, 0 if they are impossible: the same on all members. The first call is collective, and pieces can
     * be copied only after it.
     */
    int slots(Gpu gpu, int rank, int ranks, Waiting waiting) {
        if (memory.getLong(SLOTS + LINE * rank) == 0) {
            long mine = rank == 0 ? fill() : awaitSlots(0, waiting);
            if (mine > 0) {
                gpu.enter();
                try {
                    slots = lock(HEADER_BYTES, mine * SLOT_BYTES);
                } finally {
                    gpu.leave();
                }
            }
            memory.putLongRelease(SLOTS + LINE * rank, slots == 0 ? -1 : mine);
        }
        long all = MOST_SLOTS;
        for (int member = 0; member < ranks; member++) {
            all = Math.min(all, awaitSlots(member, waiting));
        }
        return (int) Math.max(0, all);
    }

    private long awaitSlots(int member, Waiting waiting) {
        long found = memory.getLongAcquire(SLOTS + LINE * member);
        while (found == 0) {
            waiting.turn();
            found = memory.getLongAcquire(SLOTS + LINE * member);
        }
        return found;
    }

    /**
     * Writes to as many slots as there is room for, so that a lack of space shows here and not as a SIGBUS later; frees
     * the space if it is not enough.
     */
    private int fill() {
        int filled = 0;
        try {
            while (filled < MOST_SLOTS) {
                node.fill(slotAt(filled), SLOT_BYTES);
                filled++;
            }
        } catch (IOException noRoom) {
            node.release(slotAt(filled), SLOT_BYTES); // what of it was written
        }
        if (filled < FEWEST_SLOTS) {
            node.release(slotAt(0), (long) filled * SLOT_BYTES);
            return -1;
        }
        return filled;
    }

    private long slotAt(int slot) {
        return at + HEADER_BYTES + (long) slot * SLOT_BYTES;
    }

    private long lock(int at, long bytes) {
        Pointer pointer = pointer(at);
        try {
            if (JCudaDriver.cuMemHostRegister(pointer, bytes, JCudaDriver.CU_MEMHOSTREGISTER_PORTABLE
                | JCudaDriver.CU_MEMHOSTREGISTER_DEVICEMAP) != CUresult.CUDA_SUCCESS) {
                return 0;
            }
            CUdeviceptr device = new CUdeviceptr();
            return JCudaDriver.cuMemHostGetDevicePointer(device, pointer, 0) == CUresult.CUDA_SUCCESS
                ? Addresses.of(device) : 0;
        } catch (CudaException refused) {
            return 0;
        }
    }

    private Pointer pointer(int at) {
        return Pointer.to(memory.bytes.slice(at, memory.capacity() - at));
    }

    /** A word's address on the GPU. */
    CUdeviceptr word(int at) {
        return Addresses.device(header + at);
    }

    static int taken(int member) {
        return TAKEN + LINE * member;
    }

    CUdeviceptr slot(int index) {
        return Addresses.device(slots + (long) index * SLOT_BYTES);
    }

    /** A 64-bit word. */
    long get(int word) {
        return memory.getLongAcquire(word);
    }

    void put(int word, int value) {
        memory.bytes.putInt(word, value);
    }

    /** This rank gives up; called before it releases anything. */
    void giveUp() {
        memory.putLongRelease(GIVEN_UP, 1);
    }

    boolean isGivenUp() {
        return memory.getLongAcquire(GIVEN_UP) != 0;
    }

    /** Frees the memory when no stream uses it any more; needs the context current. Never throws. */
    void free() {
        unlock(slots, HEADER_BYTES);
        unlock(header, 0);
        slots = 0;
        header = 0;
        if (!freed) {
            freed = true;
            leave();
        }
    }

    private void unlock(long locked, int at) {
        if (locked != 0) {
            try {
                JCudaDriver.cuMemHostUnregister(pointer(at));
            } catch (CudaException gone) {
                // The context is gone, and its locks with it.
            }
        }
    }

    /** The last member to free it gives the memory back. */
    private void leave() {
        long users = memory.getLongAcquire(USERS);
        while (!memory.compareAndSetLong(USERS, users, users - 1)) {
            users = memory.getLongAcquire(USERS);
        }
        if (users == 1) {
            node.release(at, BYTES);
            node.end(at, BYTES);
        }
    }
}
