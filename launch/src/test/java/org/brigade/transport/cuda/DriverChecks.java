package org.brigade.transport.cuda;

import static jcuda.driver.JCudaDriver.*;
import static org.brigade.transport.cuda.Driver.allocate;
import static org.brigade.transport.cuda.Driver.enter;
import static org.brigade.transport.cuda.Driver.ints;
import static org.brigade.transport.cuda.Driver.is;
import static org.brigade.transport.cuda.Driver.kernel;
import static org.brigade.transport.cuda.Driver.launch;
import static org.brigade.transport.cuda.Driver.ok;
import static org.brigade.transport.cuda.Driver.stream;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.IntStream;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUctx_flags;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUevent_flags;
import jcuda.driver.CUfunction;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUpointer_attribute;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.CUstreamCaptureMode;
import jcuda.driver.CUstreamWaitValue_flags;
import jcuda.driver.CUstream_flags;

/** What SoftwareCudaTest claims of the driver, one method a claim, each run in a process of its own by its name. */
public final class DriverChecks {
    private static final int NON_BLOCKING = CUstream_flags.CU_STREAM_NON_BLOCKING;

    private DriverChecks() {
    }

    public static void main(String[] arguments) throws Throwable {
        try {
            DriverChecks.class.getMethod(arguments[0]).invoke(null);
        } catch (java.lang.reflect.InvocationTargetException e) {
            throw e.getCause();
        }
        System.out.println("true");
    }

    private static Pointer to(CUdeviceptr address) {
        return Pointer.to(address);
    }

    private static Pointer to(int value) {
        return Pointer.to(new int[] {value});
    }

    /** Host memory that a device sees, as buffer and address; its first four bytes are zeros. */
    private static ByteBuffer pinned(Pointer address, int bytes) {
        ok(cuMemHostAlloc(address, bytes, 0));
        return address.getByteBuffer(0, bytes).order(ByteOrder.nativeOrder()).putInt(0, 0);
    }

    private static CUdeviceptr device(Pointer host) {
        CUdeviceptr address = new CUdeviceptr();
        ok(cuMemHostGetDevicePointer(address, host, 0));
        return address;
    }

    private static long attribute(int attribute, CUdeviceptr address) {
        long[] value = new long[1];
        ok(cuPointerGetAttribute(Pointer.to(value), attribute, address));
        return value[0];
    }

    // ---- streams ----

    public static void aStreamWorksWhileTheHostGoesOn() {
        enter(0);
        Pointer word = new Pointer();
        ByteBuffer host = pinned(word, 4);
        CUstream stream = stream(NON_BLOCKING);
        CUdeviceptr after = ints(0);
        ok(launch(kernel("check_wait"), 1, 32, stream, to(device(word)), to(7), to(after)));
        is(CUresult.CUDA_ERROR_NOT_READY, cuStreamQuery(stream));
        host.putInt(0, 7);
        ok(cuStreamSynchronize(stream));
        ok(cuStreamQuery(stream));
        assertArrayEquals(new int[] {7}, ints(after, 1));
    }

    public static void theLegacyStreamWaitsForBlockingStreamsOnly() {
        enter(0);
        CUdeviceptr gate = ints(0, 0);
        CUdeviceptr other = gate.withByteOffset(4);
        CUstream blocking = stream(0);
        CUstream free = stream(NON_BLOCKING);
        ok(cuStreamWaitValue32(free, gate, 1, CUstreamWaitValue_flags.CU_STREAM_WAIT_VALUE_EQ));
        assertArrayEquals(new int[] {0}, ints(other, 1)); // a copy in the legacy stream, which the waiting one does not
                                                          // hold up
        ok(cuStreamWaitValue32(blocking, gate, 1, CUstreamWaitValue_flags.CU_STREAM_WAIT_VALUE_EQ));
        ok(cuMemsetD32(other, 5, 1)); // behind the blocking stream
        is(CUresult.CUDA_ERROR_NOT_READY, cuStreamQuery(null));
        CUstream writer = stream(NON_BLOCKING);
        ok(cuStreamWriteValue32(writer, gate, 1, 0));
        ok(cuStreamSynchronize(null));
        ok(cuStreamQuery(blocking));
        assertArrayEquals(new int[] {5}, ints(other, 1));
    }

    public static void eventsOrderStreams() {
        enter(0);
        CUdeviceptr words = ints(0, 0);
        CUstream first = stream(NON_BLOCKING);
        CUstream second = stream(NON_BLOCKING);
        CUevent event = new CUevent();
        ok(cuEventCreate(event, CUevent_flags.CU_EVENT_DISABLE_TIMING));
        ok(cuEventQuery(event)); // never recorded
        ok(cuStreamWaitValue32(first, words, 1, 0));
        ok(cuEventRecord(event, first));
        ok(cuStreamWaitEvent(second, event, 0));
        ok(cuMemsetD32Async(words.withByteOffset(4), 9, 1, second));
        is(CUresult.CUDA_ERROR_NOT_READY, cuEventQuery(event));
        is(CUresult.CUDA_ERROR_NOT_READY, cuStreamQuery(second));
        CUstream third = stream(NON_BLOCKING);
        ok(cuStreamWriteValue32(third, words, 1, 0));
        ok(cuEventSynchronize(event));
        ok(cuStreamSynchronize(second));
        assertArrayEquals(new int[] {1, 9}, ints(words, 2));
    }

    public static void timeBetweenEventsIsThatOfTheWorkBetween() throws InterruptedException {
        enter(0);
        Pointer word = new Pointer();
        ByteBuffer host = pinned(word, 4);
        CUevent start = new CUevent();
        CUevent end = new CUevent();
        ok(cuEventCreate(start, 0));
        ok(cuEventCreate(end, 0));
        CUstream stream = stream(NON_BLOCKING);
        ok(cuEventRecord(start, stream));
        ok(cuStreamWaitValue32(stream, device(word), 1, 0));
        ok(cuEventRecord(end, stream));
        float[] milliseconds = new float[1];
        is(CUresult.CUDA_ERROR_NOT_READY, cuEventElapsedTime(milliseconds, start, end));
        ok(cuEventSynchronize(start));
        Thread.sleep(20);
        host.putInt(0, 1);
        ok(cuEventSynchronize(end));
        ok(cuEventElapsedTime(milliseconds, start, end));
        assertTrue(milliseconds[0] >= 20, milliseconds[0] + " ms");
    }

    public static void valuesOfBothWidthsAreWrittenAndWaitedFor() {
        enter(0);
        CUdeviceptr words = ints(0, 0, 0, 0);
        CUstream writer = stream(NON_BLOCKING);
        CUstream reader = stream(NON_BLOCKING);
        ok(cuStreamWaitValue64(reader, words.withByteOffset(8), 1L << 40,
            CUstreamWaitValue_flags.CU_STREAM_WAIT_VALUE_GEQ));
        ok(cuStreamWriteValue32(reader, words, 3, 0));
        is(CUresult.CUDA_ERROR_NOT_READY, cuStreamQuery(reader));
        ok(cuStreamWriteValue64(writer, words.withByteOffset(8), (1L << 40) + 1, 0));
        ok(cuStreamSynchronize(reader));
        assertArrayEquals(new int[] {3, 0, 1, 256}, ints(words, 4));
        is(CUresult.CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue64(writer, words.withByteOffset(4), 1, 0));
    }

    public static void freeingMemoryWaitsForItsUse() {
        enter(0);
        CUstream stream = stream(NON_BLOCKING);
        CUdeviceptr words = ints(new int[1 << 20]);
        for (int i = 0; i < 20; i++) {
            ok(cuMemsetD32Async(words, i, 1 << 20, stream));
        }
        ok(cuMemFree(words));
        ok(cuStreamQuery(stream));
    }

    public static void hostFunctionsRunInTheirPlace() {
        enter(0);
        CUstream stream = stream(NON_BLOCKING);
        CUdeviceptr words = ints(0);
        int[] seen = new int[1];
        ok(cuMemsetD32Async(words, 4, 1, stream));
        ok(cuLaunchHostFunc(stream, data -> seen[0] = 1, null));
        ok(cuStreamSynchronize(stream));
        assertEquals(1, seen[0]);
    }

    public static void hostFunctionsMayNotCallTheDriver() {
        enter(0);
        CUstream stream = stream(NON_BLOCKING);
        int[] result = new int[1];
        ok(cuLaunchHostFunc(stream, data -> result[0] = cuStreamQuery(stream), null));
        ok(cuStreamSynchronize(stream));
        is(CUresult.CUDA_ERROR_NOT_PERMITTED, result[0]);
    }

    // ---- memory ----

    public static void addressesTellWhatTheyAre() {
        CUcontext context = enter(1);
        CUdeviceptr memory = allocate(1000);
        CUdeviceptr inside = memory.withByteOffset(10);
        assertEquals(2, attribute(CUpointer_attribute.CU_POINTER_ATTRIBUTE_MEMORY_TYPE, inside));
        assertEquals(1, attribute(CUpointer_attribute.CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, inside));
        assertEquals(1, attribute(CUpointer_attribute.CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, inside));
        long base = attribute(CUpointer_attribute.CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, inside);
        assertEquals(10, attribute(CUpointer_attribute.CU_POINTER_ATTRIBUTE_DEVICE_POINTER, inside) - base);
        assertEquals(1000, attribute(CUpointer_attribute.CU_POINTER_ATTRIBUTE_RANGE_SIZE, inside));
        CUcontext owner = new CUcontext();
        ok(cuPointerGetAttribute(Pointer.to(owner), CUpointer_attribute.CU_POINTER_ATTRIBUTE_CONTEXT, inside));
        assertEquals(context, owner);
        is(CUresult.CUDA_ERROR_INVALID_VALUE,
            cuPointerGetAttribute(Pointer.to(new long[1]), CUpointer_attribute.CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                memory.withByteOffset(1000)));
        Pointer host = new Pointer();
        pinned(host, 100);
        assertEquals(1, attribute(CUpointer_attribute.CU_POINTER_ATTRIBUTE_MEMORY_TYPE, device(host)));
    }

    public static void memoryThatIsFreedAndGotAgainHasAnotherNumber() {
        enter(0);
        CUdeviceptr first = allocate(4096);
        long id = attribute(CUpointer_attribute.CU_POINTER_ATTRIBUTE_BUFFER_ID, first);
        assertEquals(id, attribute(CUpointer_attribute.CU_POINTER_ATTRIBUTE_BUFFER_ID, first.withByteOffset(100)));
        ok(cuMemFree(first));
        CUdeviceptr second = allocate(4096);
        assertEquals(first, second, "the same place");
        assertNotEquals(id, attribute(CUpointer_attribute.CU_POINTER_ATTRIBUTE_BUFFER_ID, second));
        ok(cuMemFree(second));
        is(CUresult.CUDA_ERROR_INVALID_VALUE, cuMemFree(second));
    }

    public static void memoryOfAPoolCannotBeExported() {
        enter(0);
        CUdeviceptr memory = new CUdeviceptr();
        ok(cuMemAllocAsync(memory, 4096, new CUstream()));
        assertEquals(0, attribute(CUpointer_attribute.CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, memory));
        is(CUresult.CUDA_ERROR_INVALID_VALUE, cuIpcGetMemHandle(new jcuda.driver.CUipcMemHandle(), memory));
        ok(cuMemcpyHtoD(memory, Pointer.to(new int[] {3}), 4));
        assertArrayEquals(new int[] {3}, ints(memory, 1));
        ok(cuMemFreeAsync(memory, new CUstream()));
        ok(cuStreamSynchronize(null));
        is(CUresult.CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync(memory, new CUstream()));
    }

    public static void copiesOutsideAnAllocationAreRefused() {
        enter(0);
        CUdeviceptr memory = allocate(1000);
        is(CUresult.CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(memory, Pointer.to(new byte[1001]), 1001));
        is(CUresult.CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(Pointer.to(new byte[100]), memory.withByteOffset(901), 100));
    }

    public static void aCopyTakesPageableMemoryAtOnceAndPinnedMemoryInItsTurn() {
        enter(0);
        CUdeviceptr words = ints(0, 0, 0);
        CUstream stream = stream(NON_BLOCKING);
        ByteBuffer pageable = ByteBuffer.allocateDirect(4).order(ByteOrder.nativeOrder()).putInt(0, 1);
        Pointer address = new Pointer();
        ByteBuffer pinned = pinned(address, 4).putInt(0, 1);
        ok(cuStreamWaitValue32(stream, words, 1, 0));
        ok(cuMemcpyHtoDAsync(words.withByteOffset(4), Pointer.to(pageable), 4, stream));
        ok(cuMemcpyHtoDAsync(words.withByteOffset(8), address, 4, stream));
        pageable.putInt(0, 2);
        pinned.putInt(0, 2);
        CUstream writer = stream(NON_BLOCKING);
        ok(cuStreamWriteValue32(writer, words, 1, 0));
        ok(cuStreamSynchronize(stream));
        assertArrayEquals(new int[] {1, 1, 2}, ints(words, 3));
    }

    // ---- contexts ----

    public static void callsWithoutAContextSaySo() {
        enter(0);
        CUdeviceptr memory = allocate(8);
        ok(cuCtxPopCurrent(new CUcontext()));
        is(CUresult.CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(new CUdeviceptr(), 8));
        is(CUresult.CUDA_ERROR_INVALID_CONTEXT, cuMemcpyDtoH(Pointer.to(new int[1]), memory, 4));
        is(CUresult.CUDA_ERROR_INVALID_CONTEXT, cuCtxSynchronize());
    }

    public static void contextsAreAStackOfEachThread() throws InterruptedException {
        CUcontext primary = enter(0);
        CUcontext other = new CUcontext();
        CUdevice device = new CUdevice();
        ok(cuDeviceGet(device, 1));
        ok(cuCtxCreate(other, CUctx_flags.CU_CTX_SCHED_AUTO, device));
        ok(cuCtxGetDevice(device));
        assertEquals(1, attributeOf(device));
        int[] result = new int[1];
        Thread thread = new Thread(() -> result[0] = cuCtxSynchronize());
        thread.start();
        thread.join();
        is(CUresult.CUDA_ERROR_INVALID_CONTEXT, result[0]);
        CUcontext popped = new CUcontext();
        ok(cuCtxPopCurrent(popped));
        assertEquals(other, popped);
        ok(cuCtxGetCurrent(popped));
        assertEquals(primary, popped);
        ok(cuCtxEnablePeerAccess(other, 0));
        is(CUresult.CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, cuCtxEnablePeerAccess(other, 0));
    }

    /** Which of the two devices it is. */
    private static int attributeOf(CUdevice device) {
        CUdevice second = new CUdevice();
        ok(cuDeviceGet(second, 1));
        return device.equals(second) ? 1 : 0;
    }

    // ---- kernels ----

    public static void aKernelGetsItsArgumentsAndItsThreads() {
        enter(0);
        CUdeviceptr words = ints(new int[5000]);
        ok(launch(kernel("check_fill"), 3, 128, null, to(words), to(100), to(5000)));
        assertArrayEquals(IntStream.range(100, 5100).toArray(), ints(words, 5000));
    }

    public static void threadsOfABlockMeetAtBarriers() {
        enter(0);
        for (String name : new String[] {"check_reverse", "check_reverse_dynamic"}) {
            CUdeviceptr words = ints(IntStream.range(0, 64).toArray());
            Pointer parameters = Pointer.to(to(words));
            ok(cuLaunchKernel(kernel(name), 2, 1, 1, 32, 1, 1, 128, null, parameters, null));
            assertArrayEquals(IntStream.range(0, 64).map(i -> i < 32 ? 31 - i : 95 - i).toArray(), ints(words, 64),
                name);
        }
    }

    public static void blocksOfALaunchRunAtTheSameTime() {
        enter(0);
        CUdeviceptr counters = ints(0, 0);
        ok(launch(kernel("check_meet"), 8, 16, null, to(counters), to(counters.withByteOffset(4))));
        assertArrayEquals(new int[] {8, 128}, ints(counters, 2));
    }

    public static void blocksOfBrigadesKernelsAreMadeSmall() {
        enter(0);
        CUdeviceptr words = ints(0, 0);
        ok(launch(kernel("brigade_check_threads"), 2, 512, null, to(words)));
        assertArrayEquals(new int[] {4, 4}, ints(words, 2));
    }

    public static void aKernelThatIsNotThereIsNotFound() {
        enter(0);
        jcuda.driver.CUmodule module = new jcuda.driver.CUmodule();
        is(CUresult.CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(module, "neither a fatbin nor PTX"));
        ok(cuModuleLoadData(module, ".version 6.4\n"));
        is(CUresult.CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(new CUfunction(), module, "no_such_kernel"));
    }

    public static void aKernelThatFailsSpoilsItsContext() {
        enter(0);
        CUdeviceptr memory = allocate(8);
        ok(launch(kernel("check_trap"), 1, 8, null));
        is(CUresult.CUDA_ERROR_LAUNCH_FAILED, cuCtxSynchronize());
        is(CUresult.CUDA_ERROR_LAUNCH_FAILED, cuMemAlloc(new CUdeviceptr(), 8));
        is(CUresult.CUDA_ERROR_LAUNCH_FAILED, cuMemcpyDtoH(Pointer.to(new int[1]), memory, 4));
        enter(1);
        allocate(8);
    }

    public static void aKernelReachesAnotherDeviceOnlyWhereThatIsEnabled() {
        CUcontext other = enter(1);
        CUdeviceptr far = ints(0, 0);
        enter(0);
        CUfunction kernel = kernel("check_fill");
        ok(cuCtxEnablePeerAccess(other, 0));
        ok(launch(kernel, 1, 2, null, to(far), to(3), to(2)));
        ok(cuCtxSynchronize());
        assertArrayEquals(new int[] {3, 4}, ints(far, 2));
        ok(cuCtxDisablePeerAccess(other));
        ok(launch(kernel, 1, 2, null, to(far), to(5), to(2)));
        is(CUresult.CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
    }

    // ---- graphs ----

    public static void aGraphDoesWhatWasCapturedAsOftenAsItIsLaunched() {
        enter(0);
        CUdeviceptr counters = ints(0, 0);
        Pointer address = new Pointer();
        ByteBuffer host = pinned(address, 4);
        CUfunction kernel = kernel("check_meet");
        CUstream stream = stream(NON_BLOCKING);
        CUstream side = stream(NON_BLOCKING);
        CUevent fork = new CUevent();
        CUevent join = new CUevent();
        ok(cuEventCreate(fork, 0));
        ok(cuEventCreate(join, 0));
        CUgraph graph = new CUgraph();
        ok(cuStreamBeginCapture(stream, CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_GLOBAL));
        ok(cuMemsetD32Async(counters, 0, 1, stream));
        ok(launch(kernel, 2, 4, stream, to(counters), to(counters.withByteOffset(4))));
        ok(cuEventRecord(fork, stream));
        ok(cuStreamWaitEvent(side, fork, 0));
        ok(cuMemcpyDtoHAsync(address, counters.withByteOffset(4), 4, side));
        ok(cuEventRecord(join, side));
        ok(cuStreamWaitEvent(stream, join, 0));
        ok(cuStreamEndCapture(stream, graph));
        assertEquals(0, host.getInt(0), "nothing runs while it is captured");
        CUgraphExec executable = new CUgraphExec();
        ok(cuGraphInstantiate(executable, graph, 0));
        for (int i = 1; i <= 3; i++) {
            ok(cuGraphLaunch(executable, stream));
            ok(cuStreamSynchronize(stream));
            assertEquals(8 * i, host.getInt(0));
        }
    }

    public static void whatACaptureForbidsInvalidatesIt() {
        enter(0);
        CUstream stream = stream(NON_BLOCKING);
        CUgraph graph = new CUgraph();
        ok(cuStreamBeginCapture(stream, CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_GLOBAL));
        is(CUresult.CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamSynchronize(stream));
        is(CUresult.CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, graph));
        ok(cuStreamBeginCapture(stream, CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_GLOBAL));
        is(CUresult.CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuMemAlloc(new CUdeviceptr(), 8));
        is(CUresult.CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, graph));
        CUstream other = stream(NON_BLOCKING);
        ok(cuStreamBeginCapture(stream, CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
        is(CUresult.CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamQuery(other));
        is(CUresult.CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, graph));
        CUstream blocking = stream(0);
        ok(cuStreamBeginCapture(blocking, CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED));
        is(CUresult.CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, cuMemsetD32(allocate(8), 0, 1));
        is(CUresult.CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(blocking, graph));
    }

    public static void aRelaxedThreadMayCallWhatACaptureForbids() {
        enter(0);
        CUstream stream = stream(NON_BLOCKING);
        CUdeviceptr memory = allocate(8);
        CUgraph graph = new CUgraph();
        ok(cuStreamBeginCapture(stream, CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_GLOBAL));
        int[] mode = {CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED};
        ok(cuThreadExchangeStreamCaptureMode(mode));
        ok(cuStreamQuery(stream(NON_BLOCKING)));
        ok(cuPointerSetAttribute(Pointer.to(new int[] {1}), CUpointer_attribute.CU_POINTER_ATTRIBUTE_SYNC_MEMOPS,
            memory));
        ok(cuStreamIsCapturing(CU_STREAM_LEGACY, new int[1]));
        ok(cuStreamSynchronize(CU_STREAM_LEGACY));
        ok(cuThreadExchangeStreamCaptureMode(mode));
        ok(cuStreamEndCapture(stream, graph));
        CUstream blocking = stream(0);
        ok(cuStreamBeginCapture(blocking, CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_GLOBAL));
        is(CUresult.CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, cuStreamIsCapturing(CU_STREAM_LEGACY, new int[1]));
        ok(cuStreamEndCapture(blocking, graph));
    }
}
