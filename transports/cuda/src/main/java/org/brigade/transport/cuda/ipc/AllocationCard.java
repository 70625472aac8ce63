package org.brigade.transport.cuda.ipc;

import java.nio.ByteBuffer;
import java.util.Arrays;
import jcuda.driver.CUresult;
import mpi.spi.DeviceBuffer;
import org.brigade.device.DeviceMapping;
import org.brigade.device.Devices;
import org.brigade.transport.cuda.driver.Addresses;
import org.brigade.transport.cuda.driver.Allocation;
import org.brigade.transport.cuda.driver.CudaBuffer;
import org.brigade.transport.cuda.driver.DeviceMemory;
import org.brigade.transport.cuda.driver.Gpu;
import org.brigade.transport.cuda.driver.Gpus;

/**
 * What other processes need to map a buffer's memory for as long as they like, unlike the entries of
 * {@link ExportTable}, which make room for others.
 *
 * <pre>
 *  0 kind | 1 process | 2 address | 3 base | 4 bytes | 5 .. 6 GPU | 7 .. 14 handle for cuIpcOpenMemHandle
 * </pre>
 *
 * Memory that the driver does not export has the kind that only ranks of the same process can use.
 */
public final class AllocationCard {
    private static final long WITHIN_PROCESS = 1;
    private static final long EXPORTED = 2;

    private static final int HANDLE = 7;

    private AllocationCard() {
    }

    /** As {@link Devices#card}. */
    public static long[] of(CudaBuffer buffer) {
        Allocation allocation = buffer.allocation;
        long[] handle = new long[Devices.CARD_WORDS - HANDLE];
        long[] card = new long[Devices.CARD_WORDS];
        card[0] = export(allocation, handle) ? EXPORTED : WITHIN_PROCESS;
        card[1] = IpcMemory.PROCESS;
        card[2] = buffer.address;
        card[3] = allocation.base;
        card[4] = allocation.bytes;
        ByteBuffer uuid = ByteBuffer.wrap(allocation.gpu.uuid);
        card[5] = uuid.getLong(0);
        card[6] = uuid.getLong(8);
        System.arraycopy(handle, 0, card, HANDLE, handle.length);
        return card;
    }

    private static boolean export(Allocation allocation, long[] handle) {
        if (!allocation.exportable) {
            return false;
        }
        try {
            allocation.enter();
            try {
                return IpcMemory.export(allocation.base, handle) == CUresult.CUDA_SUCCESS;
            } finally {
                allocation.gpu.leave();
            }
        } catch (RuntimeException contextGone) {
            return false; // must not throw: the others wait for the card
        }
    }

    /** As {@link Devices#map}. */
    public static DeviceMapping map(Gpus gpus, DeviceMemory memory, long[] card, CudaBuffer beside) {
        if (card[1] == IpcMemory.PROCESS) {
            try {
                return new Mapping(memory.at(card[2], Addresses.device(card[2])), false);
            } catch (IllegalArgumentException freed) {
                return null;
            }
        }
        long[] address = new long[1];
        try {
            Gpu gpu = card[0] != EXPORTED ? null : beside != null ? beside.allocation.gpu : used(gpus, card);
            if (gpu == null) {
                return null;
            }
            gpu.enter();
            try {
                int result = IpcMemory.open(Arrays.copyOfRange(card, HANDLE, Devices.CARD_WORDS), address);
                return result == CUresult.CUDA_SUCCESS
                    ? new Mapping(DeviceMemory.mapped(address[0], card[4], gpu, card[2] - card[3]), true) : null;
            } finally {
                gpu.leave();
            }
        } catch (RuntimeException contextGone) {
            return null; // must not throw, either
        }
    }

    /** A GPU that this process uses anyway: the one with the memory, the thread's, or any; null if there is none. */
    private static Gpu used(Gpus gpus, long[] card) {
        Gpu there =
            gpus.withUuid(ByteBuffer.allocate(2 * Long.BYTES).putLong(card[5]).putLong(card[6]).array());
        int current = there == null ? Gpus.current() : -1;
        return there != null ? there : current >= 0 ? gpus.get(current) : gpus.any();
    }

    /** @param opened whether {@link #close} must end a mapping */
    private record Mapping(CudaBuffer memory, boolean opened) implements DeviceMapping {
        @Override
        public DeviceBuffer buffer() {
            return memory;
        }

        @Override
        public void close() {
            if (!opened) {
                return;
            }
            try {
                memory.allocation.enter();
                try {
                    IpcMemory.close(memory.allocation.base);
                } finally {
                    memory.allocation.gpu.leave();
                }
            } catch (RuntimeException contextGone) {
                // And everything in it.
            }
        }
    }
}
