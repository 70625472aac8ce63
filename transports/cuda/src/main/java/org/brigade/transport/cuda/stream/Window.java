package org.brigade.transport.cuda.stream;

import org.brigade.transport.cuda.driver.Allocation;
import org.brigade.transport.cuda.ipc.IpcMemory;

/**
 * A stretch of this rank's memory that matches one of the same length on every member of a group: each position in it
 * has a counterpart in each of theirs. Registered and ended by all members.
 */
final class Window {
    final Allocation allocation;
    final long begin;
    final long bytes;
    /** By member: the address here of its window. */
    private final long[] begins;
    /** The mappings of the members' allocations; 0 if there is none to end. */
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

    /** Whether any of so many bytes lies in this window. */
    boolean overlaps(long address, long length) {
        return address < begin + bytes && begin < address + length;
    }

    /** The counterpart at a member of an address of this rank. */
    long at(int member, long address) {
        return begins[member] + (address - begin);
    }

    /** Needs the context current. */
    void close() {
        for (long mapping : mappings) {
            if (mapping != 0) {
                IpcMemory.close(mapping);
            }
        }
    }
}
