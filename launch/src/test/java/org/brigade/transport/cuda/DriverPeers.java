package org.brigade.transport.cuda;

import static org.brigade.transport.cuda.Driver.is;
import static org.brigade.transport.cuda.Driver.ok;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Field;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUevent_flags;
import jcuda.driver.CUipcEventHandle;
import jcuda.driver.CUipcMemHandle;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;
import mpi.MPI;

/** Two ranks: rank 0 lends memory on its GPU and an event, rank 1 uses them. */
public final class DriverPeers {
    private DriverPeers() {
    }

    private static byte[] bytes(Object handle) throws ReflectiveOperationException {
        Field field = handle.getClass().getDeclaredField("reserved");
        field.setAccessible(true);
        return (byte[]) field.get(handle);
    }

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.getRank();
        Driver.enter(rank);
        String outcome = rank == 0 ? lend() : use();
        System.out.println("rank " + rank + outcome);
        MPI.Finalize();
    }

    private static String lend() throws Exception {
        Driver.allocate(100); // so that the memory lent is not the first of its chunk
        CUdeviceptr words = Driver.ints(1, 2, 3, 4);
        CUipcMemHandle memory = new CUipcMemHandle();
        CUipcEventHandle shared = new CUipcEventHandle();
        CUevent event = new CUevent();
        ok(JCudaDriver.cuEventCreate(event,
            CUevent_flags.CU_EVENT_DISABLE_TIMING | CUevent_flags.CU_EVENT_INTERPROCESS));
        ok(JCudaDriver.cuIpcGetMemHandle(memory, words.withByteOffset(8)));
        ok(JCudaDriver.cuIpcGetEventHandle(shared, event));
        is(CUresult.CUDA_ERROR_INVALID_CONTEXT, JCudaDriver.cuIpcOpenMemHandle(new CUdeviceptr(), memory, 1));
        CUstream stream = Driver.stream(CUstream_flags.CU_STREAM_NON_BLOCKING);
        ok(JCudaDriver.cuStreamWaitValue32(stream, words, 10, 1));
        ok(JCudaDriver.cuMemsetD32Async(words.withByteOffset(4), 20, 1, stream));
        ok(JCudaDriver.cuEventRecord(event, stream));
        MPI.COMM_WORLD.bcast(bytes(memory), 64, MPI.BYTE, 0);
        MPI.COMM_WORLD.bcast(bytes(shared), 64, MPI.BYTE, 0);
        int[] opened = new int[1];
        MPI.COMM_WORLD.bcast(opened, 1, MPI.INT, 1);
        if (opened[0] == 1) {
            ok(JCudaDriver.cuEventSynchronize(event));
            assertArrayEquals(new int[] {10, 20, 3, 4}, Driver.ints(words, 4));
        } else {
            ok(JCudaDriver.cuStreamWriteValue32(Driver.stream(CUstream_flags.CU_STREAM_NON_BLOCKING), words, 10, 0));
        }
        ok(JCudaDriver.cuMemFree(words));
        MPI.COMM_WORLD.barrier();
        return " is through";
    }

    private static String use() throws Exception {
        CUipcMemHandle memory = new CUipcMemHandle();
        CUipcEventHandle shared = new CUipcEventHandle();
        MPI.COMM_WORLD.bcast(bytes(memory), 64, MPI.BYTE, 0);
        MPI.COMM_WORLD.bcast(bytes(shared), 64, MPI.BYTE, 0);
        CUdeviceptr words = new CUdeviceptr();
        CUdeviceptr again = new CUdeviceptr();
        is(CUresult.CUDA_ERROR_INVALID_VALUE, JCudaDriver.cuIpcOpenMemHandle(words, memory, 0));
        int result = JCudaDriver.cuIpcOpenMemHandle(words, memory, 1);
        MPI.COMM_WORLD.bcast(new int[] {result == CUresult.CUDA_SUCCESS ? 1 : 0}, 1, MPI.INT, 1);
        if (result != CUresult.CUDA_SUCCESS) {
            MPI.COMM_WORLD.barrier();
            return " may not: " + CUresult.stringFor(result);
        }
        ok(JCudaDriver.cuIpcOpenMemHandle(again, memory, 1));
        assertEquals(words, again);
        CUevent event = new CUevent();
        ok(JCudaDriver.cuIpcOpenEventHandle(event, shared));
        is(CUresult.CUDA_ERROR_NOT_READY, JCudaDriver.cuEventQuery(event));
        CUstream waiting = Driver.stream(CUstream_flags.CU_STREAM_NON_BLOCKING);
        CUdeviceptr copy = Driver.ints(0, 0);
        ok(JCudaDriver.cuStreamWaitEvent(waiting, event, 0));
        ok(JCudaDriver.cuMemcpyDtoDAsync(copy, words, 8, waiting));
        ok(JCudaDriver.cuStreamWriteValue32(Driver.stream(CUstream_flags.CU_STREAM_NON_BLOCKING), words, 10, 0));
        ok(JCudaDriver.cuStreamSynchronize(waiting));
        assertArrayEquals(new int[] {10, 20}, Driver.ints(copy, 2));
        MPI.COMM_WORLD.barrier();
        assertArrayEquals(new int[] {10, 20, 3, 4}, Driver.ints(words, 4),
            "a mapping outlives the memory's end at its owner");
        ok(JCudaDriver.cuIpcCloseMemHandle(words));
        assertEquals(10, Driver.ints(words, 1)[0], "opened twice, closed once");
        ok(JCudaDriver.cuIpcCloseMemHandle(words));
        is(CUresult.CUDA_ERROR_INVALID_VALUE, JCudaDriver.cuMemcpyDtoH(Pointer.to(new int[1]), words, 4));
        return " is through";
    }
}
