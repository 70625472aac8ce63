package org.brigade.transport.cuda.ipc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import jcuda.driver.CUresult;
import org.brigade.device.Devices;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.Endpoint;
import org.brigade.transport.cuda.driver.Allocation;
import org.brigade.transport.cuda.group.ScratchUse;
import org.brigade.transport.shm.SegmentDescriptor;
import org.brigade.transport.shm.SharedEndpoint;
import org.junit.jupiter.api.Test;

/** What a rank offers on its board, and what a peer makes of it; without a driver. */
class ExportTableTest {
    private static final long OWNER = 1;
    private static final long PEER = 2;

    /** A driver that hands out what it is told. */
    private static final class Memory implements ExportTable.Source {
        final Set<Allocation> dead = new HashSet<>();
        int handles;
        int answer = CUresult.CUDA_SUCCESS;

        @Override
        public int handle(Allocation allocation, long[] handle) {
            handles++;
            for (int i = 0; i < handle.length; i++) {
                handle[i] = allocation.id * 100 + i;
            }
            return answer;
        }

        @Override
        public boolean isAlive(Allocation allocation) {
            return !dead.contains(allocation);
        }

        @Override
        public byte[] gpu(Allocation allocation) {
            return ByteBuffer.allocate(16).putLong(allocation.id).putLong(~allocation.id).array();
        }
    }

    /** Maps every handle to an address of its own, and knows which are mapped. */
    private static final class Mappings implements ImportTable.Mapper {
        final List<Long> open = new ArrayList<>();
        int opened;
        int answer = CUresult.CUDA_SUCCESS;

        @Override
        public int open(long[] handle, long[] address) {
            for (int i = 1; i < handle.length; i++) {
                assertEquals(handle[0] + i, handle[i], "a handle of two allocations");
            }
            opened++;
            address[0] = handle[0] * 10;
            if (answer == CUresult.CUDA_SUCCESS) {
                open.add(address[0]);
            }
            return answer;
        }

        @Override
        public void close(long address) {
            assertTrue(open.remove(address), "closed twice: " + address);
        }
    }

    private final Memory memory = new Memory();
    private final Mappings mappings = new Mappings();
    private final SegmentDescriptor layout = SegmentDescriptor.smallest(2);
    private final NativeMemory segment = NativeMemory.allocate((int) layout.bytes());
    private final Endpoint owner = SharedEndpoint.ofThread(layout, segment, 0);
    private final Endpoint peer = SharedEndpoint.ofThread(layout, segment, 1);
    private final ExportTable exports = new ExportTable(owner.board(0), OWNER, memory);
    private final ImportTable imports = new ImportTable(peer, PEER, mappings);
    private long ids;

    private Allocation allocation() {
        long id = ++ids;
        return new Allocation(id << 20, 1 << 20, id, null, null, true, "memory");
    }

    private static long mappedAt(Allocation allocation) {
        return allocation.id * 1000;
    }

    @Test
    void anAllocationKeepsItsNumberAndIsMappedOnce() {
        Allocation one = allocation();
        Allocation other = allocation();
        long number = exports.offer(one);
        assertNotEquals(number, exports.offer(other));
        for (int turn = 0; turn < 3; turn++) {
            assertEquals(number, exports.offer(one));
            assertEquals(mappedAt(one), imports.address(0, number));
        }
        assertEquals(2, memory.handles);
        assertEquals(1, mappings.opened);
    }

    @Test
    void peersAreToldWhoseGpuItIsOnWhileItIsOffered() {
        Allocation one = allocation();
        Allocation other = allocation();
        long number = exports.offer(one);
        long otherNumber = exports.offer(other);
        imports.address(0, number);
        assertArrayEquals(memory.gpu(one), imports.gpuOf(0, number));
        assertArrayEquals(memory.gpu(other), imports.gpuOf(0, otherNumber));
        memory.dead.add(one);
        exports.offer(allocation());
        assertNull(imports.gpuOf(0, number));
    }

    @Test
    void withinAProcessTheAddressItselfServes() {
        Allocation one = allocation();
        ImportTable same = new ImportTable(peer, OWNER, mappings);
        assertEquals(one.base, same.address(0, exports.offer(one)));
        assertEquals(0, mappings.opened);
    }

    @Test
    void whatIsFreedIsRetiredAndItsMappingClosed() {
        Allocation one = allocation();
        long number = exports.offer(one);
        imports.address(0, number);
        memory.dead.add(one);
        Allocation next = allocation();
        long nextNumber = exports.offer(next);
        assertEquals(mappedAt(next), imports.address(0, nextNumber));
        assertEquals(List.of(mappedAt(next)), mappings.open);
        assertEquals(0, imports.address(0, number), "a number of the past led somewhere");
        assertTrue(imports.why().contains("no longer exports"), imports.why());
    }

    @Test
    void theLeastRecentlyUsedGivesWay() {
        List<Allocation> all = new ArrayList<>();
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < ExportEntry.LINES; i++) {
            all.add(allocation());
            numbers.add(exports.offer(all.get(i)));
        }
        exports.offer(all.get(0));
        long late = exports.offer(allocation());
        assertEquals(ExportEntry.line(numbers.get(1)), ExportEntry.line(late));
        assertEquals(numbers.get(0), exports.offer(all.get(0)));
        assertNotEquals(numbers.get(1), exports.offer(all.get(1)), "a number used for a second allocation");
    }

    @Test
    void whatCannotBeExportedIsUnreachableAndAskedAboutOnce() {
        assertEquals(Devices.UNREACHABLE, exports.offer(new Allocation(1 << 20, 1, 1, null, null, false, "memory")));
        assertEquals(0, memory.handles);
        memory.answer = CUresult.CUDA_ERROR_NOT_SUPPORTED;
        Allocation one = allocation();
        assertEquals(Devices.UNREACHABLE, exports.offer(one));
        assertEquals(Devices.UNREACHABLE, exports.offer(one));
        assertEquals(1, memory.handles);
    }

    @Test
    void aMappingThatIsRefusedIsAnErrorAndNoMapping() {
        mappings.answer = CUresult.CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
        long number = exports.offer(allocation());
        assertEquals(0, imports.address(0, number));
        assertTrue(imports.why().contains("CUDA_ERROR_PEER_ACCESS_UNSUPPORTED"), imports.why());
        mappings.answer = CUresult.CUDA_SUCCESS;
        assertNotEquals(0, imports.address(0, number));
    }

    @Test
    void ranksThatAreThreadsShareAnAllocationWithoutWearingOutTheirTables() {
        ExportTable others = new ExportTable(peer.board(1), OWNER, memory);
        Allocation shared = allocation();
        long here = exports.offer(shared);
        long there = others.offer(shared);
        for (int turn = 0; turn < 500; turn++) {
            assertEquals(here, exports.offer(shared));
            assertEquals(there, others.offer(shared));
        }
    }

    /**
     * Whatever is allocated, freed and used in whatever order: a number leads to its allocation, and none is used
     * twice.
     */
    @Test
    void numbersNeverLie() {
        Random random = new Random(1);
        List<Allocation> live = new ArrayList<>();
        Set<Long> dead = new HashSet<>();
        for (int turn = 0; turn < 20_000; turn++) {
            if (live.size() < 150 && random.nextInt(3) == 0 || live.isEmpty()) {
                live.add(allocation());
            }
            Allocation used = live.get(random.nextInt(live.size()));
            long number = exports.offer(used);
            assertFalse(dead.contains(number), "number " + number + " is used again");
            assertEquals(mappedAt(used), imports.address(0, number));
            if (random.nextInt(10) == 0) {
                live.remove(used);
                memory.dead.add(used);
                dead.add(number);
            }
        }
        assertTrue(mappings.open.size() <= ExportEntry.LINES, mappings.open.size() + " mappings are left open");
    }

    @Test
    void theTableFillsItsPartOfTheBoardAndNoMore() {
        assertEquals(ScratchUse.TABLE, ExportEntry.TABLE + ExportEntry.LINES * ExportEntry.BYTES);
        assertEquals(Endpoint.PULLED_AT, ScratchUse.TABLE + 8 * ScratchUse.WORDS);
        ByteBuffer before = owner.board(0).bytes.slice(0, ExportEntry.TABLE).duplicate();
        for (int i = 0; i < 2 * ExportEntry.LINES; i++) {
            exports.offer(allocation());
        }
        while (before.hasRemaining()) {
            assertEquals(0, before.get(), "byte " + before.position() + " belongs to the calls");
        }
    }
}
