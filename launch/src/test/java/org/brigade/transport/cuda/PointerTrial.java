package org.brigade.transport.cuda;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.Random;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import mpi.spi.DeviceBuffer;
import org.brigade.transport.cuda.driver.Addresses;
import org.brigade.transport.cuda.driver.CudaBuffer;
import org.brigade.transport.cuda.driver.CudaDriver;
import org.brigade.transport.cuda.driver.CudaResult;
import org.brigade.transport.cuda.driver.DeviceMemory;

/**
 * What {@link PointersTest} runs in a process with the software driver: one public method without parameters for each
 * claim.
 */
public final class PointerTrial {
    private static final int LONG = (3 << 20) + 7;

    private final CudaDevices devices = new CudaDevices();
    private final CUcontext[] contexts = new CUcontext[2];

    PointerTrial() {
        if (CudaDriver.missing() != null) {
            throw new IllegalStateException(CudaDriver.missing());
        }
        for (int ordinal = 0; ordinal < contexts.length; ordinal++) {
            CUdevice device = new CUdevice();
            well(JCudaDriver.cuDeviceGet(device, ordinal));
            contexts[ordinal] = new CUcontext();
            well(JCudaDriver.cuDevicePrimaryCtxRetain(contexts[ordinal], device));
        }
    }

    public static void main(String[] arguments) throws ReflectiveOperationException {
        PointerTrial.class.getMethod(arguments[0]).invoke(new PointerTrial());
        System.out.println("true");
    }

    private static void well(int result) {
        CudaResult.check(result, "the trial");
    }

    private static void that(boolean condition, Object what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }

    private CUdeviceptr allocate(int ordinal, long bytes) {
        CUdeviceptr pointer = new CUdeviceptr();
        well(JCudaDriver.cuCtxPushCurrent(contexts[ordinal]));
        well(JCudaDriver.cuMemAlloc(pointer, bytes));
        well(JCudaDriver.cuCtxPopCurrent(new CUcontext()));
        return pointer;
    }

    private void free(CUdeviceptr pointer) {
        well(JCudaDriver.cuCtxPushCurrent(contexts[0]));
        well(JCudaDriver.cuMemFree(pointer));
        well(JCudaDriver.cuCtxPopCurrent(new CUcontext()));
    }

    private CudaBuffer buffer(Object pointer) {
        return (CudaBuffer) devices.underlying(pointer);
    }

    private void refused(Object pointer, String reason) {
        try {
            Object found = devices.underlying(pointer);
            throw new AssertionError("found " + found + " where this should be said: " + reason);
        } catch (IllegalArgumentException expected) {
            that(expected.getMessage().contains(reason), expected.getMessage());
        }
    }

    private static ByteBuffer random(int bytes) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
        byte[] content = new byte[bytes];
        new Random(bytes).nextBytes(content);
        buffer.put(0, content);
        return buffer;
    }

    /** Writes, reads back, and compares; at odd places, in one piece and in many. */
    private void holds(DeviceBuffer buffer, int bytes) {
        ByteBuffer sent = random(bytes + 3);
        ByteBuffer back = ByteBuffer.allocateDirect(bytes + 5);
        buffer.write(0, sent, 3, bytes);
        buffer.read(0, back, 5, bytes);
        that(sent.slice(3, bytes).equals(back.slice(5, bytes)), buffer + " has lost what was written");
        that(back.getInt(0) == 0 && back.get(4) == 0, "written before the target's begin");
    }

    public void deviceMemoryReachesToTheEndOfItsAllocation() {
        CUdeviceptr pointer = allocate(1, 4096);
        CudaBuffer whole = buffer(pointer);
        that(whole.bytes == 4096 && whole.offset() == 0, whole);
        that(whole.toString().equals("device memory of 4096 bytes on GPU 1"), whole);
        CudaBuffer rest = buffer(pointer.withByteOffset(100));
        that(rest.bytes == 3996 && rest.offset() == 100 && rest.allocation == whole.allocation, rest);
        that(buffer(pointer) == whole, "a second object for the same address");
    }

    public void pointersOfTheRuntimeApiAreDeviceMemory() {
        CUdeviceptr pointer = allocate(0, 4096);
        Pointer plain = Addresses.host(Addresses.of(pointer));
        that(buffer(plain) == buffer(pointer), buffer(plain));
        that(buffer(plain.withByteOffset(96)).bytes == 4000, buffer(plain.withByteOffset(96)));
    }

    public void pointersToArraysAndBuffersAreThese() {
        int[] array = {1, 2, 3, 4};
        that(devices.underlying(Pointer.to(array)) == array, "the array itself");
        IntBuffer rest = (IntBuffer) devices.underlying(Pointer.to(array).withByteOffset(8));
        that(rest.remaining() == 2 && rest.get(0) == 3, rest);
        refused(Pointer.to(array).withByteOffset(2), "a multiple of 4");
        refused(Pointer.to(array).withByteOffset(400), "lies within");
        ByteBuffer direct = ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder()).putInt(8, 77);
        direct.position(4);
        ByteBuffer same = (ByteBuffer) devices.underlying(Pointer.to(direct).withByteOffset(8));
        that(same.isDirect() && same.remaining() == 56 && same.getInt(0) == 77, same);
        that(devices.underlying("nothing of CUDA's") == null, "a String");
    }

    public void pageLockedMemoryIsADirectBuffer() {
        well(JCudaDriver.cuCtxPushCurrent(contexts[0]));
        Pointer pinned = new Pointer();
        well(JCudaDriver.cuMemHostAlloc(pinned, 256, 0));
        ByteBuffer view = (ByteBuffer) devices.underlying(pinned.withByteOffset(16));
        pinned.getByteBuffer().order(ByteOrder.nativeOrder()).putInt(16, 99);
        that(view.isDirect() && view.remaining() == 240 && view.getInt(0) == 99, view);
    }

    public void whatLeadsNowhereIsSaid() {
        refused(new CUdeviceptr(), "null pointer");
        refused(new Pointer(), "null pointer");
        refused(Addresses.device(0x1234_5678_9abcL), "no live allocation");
        CUdeviceptr pointer = allocate(0, 1 << 20);
        buffer(pointer);
        free(pointer);
        refused(pointer, "no live allocation");
    }

    public void anotherAllocationAtTheSameAddressIsNoticed() {
        for (int turn = 0; turn < 20; turn++) {
            CUdeviceptr pointer = allocate(0, 1 << 20);
            CudaBuffer old = buffer(pointer);
            free(pointer);
            CUdeviceptr next = allocate(0, 1 << 19);
            CudaBuffer now = buffer(next);
            that(now.bytes == 1 << 19 && now.allocation != old.allocation, now);
            that(!DeviceMemory.isAlive(old.allocation) && DeviceMemory.isAlive(now.allocation), "alive");
            free(next);
        }
    }

    public void copiesOfAllLengthsArriveWhole() {
        CUdeviceptr pointer = allocate(0, LONG + 64);
        CudaBuffer buffer = buffer(pointer.withByteOffset(1));
        for (int bytes : new int[] {0, 1, 1000, 64 << 10, (64 << 10) + 1, 1 << 20, LONG}) {
            holds(buffer, bytes);
        }
        CudaBuffer other = buffer(allocate(1, LONG));
        ByteBuffer content = random(LONG);
        buffer.write(0, content, 0, LONG);
        buffer.copy(5, other, 2, LONG - 5);
        ByteBuffer back = ByteBuffer.allocateDirect(LONG);
        other.read(2, back, 0, LONG - 5);
        that(back.slice(0, LONG - 5).equals(content.slice(5, LONG - 5)), "a copy between GPUs");
        buffer.copy(0, buffer, LONG / 2 + 1, LONG / 2);
        buffer.read(LONG / 2 + 1, back, 0, LONG / 2);
        that(back.slice(0, LONG / 2).equals(content.slice(0, LONG / 2)), "a copy within a GPU");
    }

    public void copiesUsePageLockedMemoryAsItIs() {
        well(JCudaDriver.cuCtxPushCurrent(contexts[0]));
        Pointer pinned = new Pointer();
        well(JCudaDriver.cuMemHostAlloc(pinned, LONG, 0));
        ByteBuffer host = (ByteBuffer) devices.underlying(pinned);
        host.put(0, random(LONG), 0, LONG);
        CudaBuffer buffer = buffer(allocate(0, LONG));
        buffer.write(0, host, 0, LONG);
        ByteBuffer back = ByteBuffer.allocateDirect(LONG);
        buffer.read(0, back, 0, LONG);
        that(back.equals(random(LONG)), "a copy from page-locked memory");
    }

    /** Works, but is not offered to peers. */
    public void memoryOfPoolsIsStaged() {
        well(JCudaDriver.cuCtxPushCurrent(contexts[0]));
        CUdeviceptr pointer = new CUdeviceptr();
        well(JCudaDriver.cuMemAllocAsync(pointer, LONG, new CUstream()));
        well(JCudaDriver.cuCtxSynchronize());
        that(!buffer(pointer).allocation.exportable, "exportable");
        holds(buffer(pointer), LONG);
    }

    public void memoryOfAnotherContextIsStagedThere() {
        CUcontext own = new CUcontext();
        CUdevice device = new CUdevice();
        well(JCudaDriver.cuDeviceGet(device, 0));
        well(JCudaDriver.cuCtxCreate(own, 0, device));
        CUdeviceptr pointer = new CUdeviceptr();
        well(JCudaDriver.cuMemAlloc(pointer, LONG));
        CudaBuffer buffer = buffer(pointer);
        that(buffer.allocation.foreign != null && !buffer.allocation.exportable, buffer);
        holds(buffer, LONG);
        CudaBuffer primary = buffer(allocate(0, LONG));
        ByteBuffer content = random(LONG);
        buffer.write(0, content, 0, LONG);
        buffer.copy(0, primary, 0, LONG);
        ByteBuffer back = ByteBuffer.allocateDirect(LONG);
        primary.read(0, back, 0, LONG);
        that(back.equals(content), "a copy between contexts");
        CUcontext current = new CUcontext();
        well(JCudaDriver.cuCtxGetCurrent(current));
        that(current.equals(own), "the caller's context has changed");
    }

    public void aThreadWithoutAContextIsServedAndKeepsNone() throws InterruptedException {
        CUdeviceptr pointer = allocate(1, LONG);
        Throwable[] thrown = new Throwable[1];
        Thread thread = new Thread(() -> holds(buffer(pointer), LONG));
        thread.setUncaughtExceptionHandler((where, what) -> thrown[0] = what);
        thread.start();
        thread.join();
        that(thrown[0] == null, thrown[0]);
        CUcontext current = new CUcontext();
        well(JCudaDriver.cuCtxGetCurrent(current));
        that(current.equals(new CUcontext()), "a context was left behind");
    }
}
