package org.brigade.transport.cuda.stream;

import org.brigade.transport.cuda.driver.Allocation;
import org.brigade.transport.cuda.ipc.IpcMemory;

/**
 * A stretch of this rank's memory for which every member of a group has one of the same length: what lies in it has a
 * place in each of theirs. Registered and ended by all members.
 */
final class Window {
    final Allocation allocation;
    final long begin;
    final long bytes;
    /** Where each member's window begins here. */
    private final long[] begins;
    /** The mappings of the members' allocations; 0 where there is none to end. */
    private final long[] mappings;

    Window(Allocation allocation, long begin, long bytes, long[] begins, long[] mappings) {
        this.allocation = allocation;
        this.begin = begin;
        this.bytes = bytes;
        this.begins = begins;
        this.mappings = mappings;
    }

    boolean contains(long address, long length) {
        return address >= begin && address - begin <= bytes - length;
    }

    /** Whether any of so many bytes is in here. */
    boolean overlaps(long address, long length) {
        return address < begin + bytes && begin < address + length;
    }

    /** Where a member has what this rank has at an address. */
    long at(int member, long address) {
        return begins[member] + (address - begin);
    }

    /** With the context current. */
    void close() {
        for (long mapping : mappings) {
            if (mapping != 0) {
                IpcMemory.close(mapping);
            }
        }
    }
}
