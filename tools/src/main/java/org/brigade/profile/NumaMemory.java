package org.brigade.profile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.brigade.nativ.Affinity;

/**
 * Memory on a NUMA node. Linux puts a page on the node of the processor that touches it first, so the allocating thread
 * moves there for a while.
 */
public final class NumaMemory {
    private static final Path MAPS = Path.of("/proc/self/numa_maps");

    private NumaMemory() {
    }

    /**
     * Runs an allocation that touches all its memory, on a processor of the NUMA node if the system allows it, else
     * anywhere.
     */
    public static <T> T on(HostMachine machine, int numa, Supplier<T> allocation) {
        BitSet before = Affinity.current();
        boolean moved = !before.isEmpty() && Affinity.set(machine.processors(numa));
        try {
            return allocation.get();
        } finally {
            if (moved) {
                Affinity.set(before);
            }
        }
    }

    /** Direct memory on a NUMA node, zeros. */
    public static ByteBuffer allocate(HostMachine machine, int numa, int bytes) {
        return on(machine, numa, () -> ByteBuffer.allocateDirect(bytes));
    }

    /**
     * The kernel's number of the NUMA node that has most pages of the mapping around an address.
     *
     * @return -1 if the system does not tell
     */
    public static int nodeOf(long address) {
        try {
            return nodeOf(address, Files.readAllLines(MAPS));
        } catch (IOException e) {
            return -1;
        }
    }

    /** @param maps lines as {@code 7f1200000000 default anon=512 dirty=512 N0=500 N1=12}, ascending */
    static int nodeOf(long address, List<String> maps) {
        int best = -1;
        for (String line : maps) {
            String[] words = line.split(" ");
            if (!words[0].matches("[0-9a-f]{1,16}")
                || Long.compareUnsigned(Long.parseUnsignedLong(words[0], 16), address) > 0) {
                continue;
            }
            best = -1;
            long most = 0;
            for (String word : words) {
                if (word.toUpperCase(Locale.ROOT).matches("N\\d{1,4}=\\d{1,15}")) {
                    long pages = Long.parseLong(word.substring(word.indexOf('=') + 1));
                    if (pages > most) {
                        most = pages;
                        best = Integer.parseInt(word.substring(1, word.indexOf('=')));
                    }
                }
            }
        }
        return best;
    }
}
