package org.brigade.transport.cuda;

import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import mpi.MPI;

/**
 * Shows what becomes of a mapping of another process's device memory when that process is killed: two ranks under mpjrun; rank 1 exports memory and is killed, rank 0 prints what the driver
 * answers before and behind. Not a test: what it prints on a GPU is what the survivors' error handling has to reckon with.
 */
public final class ExporterDeath {
    private static final int BYTES = 64 << 20;

    private ExporterDeath() {
    }

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.getRank();
        MPI.COMM_WORLD.setErrhandler(MPI.ERRORS_RETURN);
        if (CudaDriver.missing() != null) {
            throw new AssertionError(CudaDriver.missing());
        }
        Driver.enter(rank % CudaDriver.devices());
        CUdeviceptr own = Driver.allocate(BYTES);
        long[] handle = new long[Hidden.IPC_HANDLE_BYTES / 8];
        if (rank == 1) {
            Driver.ok(IpcMemory.export(Addresses.of(own), handle));
            MPI.COMM_WORLD.send(handle, handle.length, MPI.LONG, 0, 0);
            MPI.COMM_WORLD.recv(handle, 1, MPI.LONG, 0, 1);
            new ProcessBuilder("kill", "-KILL", "" + ProcessHandle.current().pid()).start().waitFor();
            Thread.sleep(60_000);
        }
        MPI.COMM_WORLD.recv(handle, handle.length, MPI.LONG, 1, 0);
        long[] address = new long[1];
        say("cuIpcOpenMemHandle", IpcMemory.open(handle, address));
        CUdeviceptr theirs = Addresses.device(address[0]);
        say("a copy from it while rank 1 lives", copy(own, theirs));
        CUstream stream = Driver.stream(1);
        MPI.COMM_WORLD.send(handle, 1, MPI.LONG, 1, 1);
        int copies = 0;
        int result = CUresult.CUDA_SUCCESS;
        long begun = System.nanoTime();
        // Copies are under way when it dies.
        while (result == CUresult.CUDA_SUCCESS && System.nanoTime() - begun < 1_000_000_000L) {
            result = JCudaDriver.cuMemcpyDtoDAsync(own, theirs, BYTES, stream);
            result = result == CUresult.CUDA_SUCCESS ? JCudaDriver.cuStreamSynchronize(stream) : result;
            copies++;
        }
        say("copy " + copies + " from it in the second in which rank 1 dies", result);
        try {
            MPI.COMM_WORLD.recv(handle, 1, MPI.LONG, 1, 2);
        } catch (mpi.MPIException lost) {
            System.out.println("MPI: " + lost.getMessage());
        }
        say("a copy from it when rank 1 is dead", copy(own, theirs));
        say("a fill of it", synced(JCudaDriver.cuMemsetD8(theirs, (byte) 1, BYTES)));
        say("a fill of own memory", synced(JCudaDriver.cuMemsetD8(own, (byte) 1, BYTES)));
        say("cuIpcCloseMemHandle", JCudaDriver.cuIpcCloseMemHandle(theirs));
        say("a fill of own memory", synced(JCudaDriver.cuMemsetD8(own, (byte) 1, BYTES)));
        say("cuMemAlloc", JCudaDriver.cuMemAlloc(new CUdeviceptr(), BYTES));
        MPI.Finalize();
    }

    private static int copy(CUdeviceptr to, CUdeviceptr from) {
        return synced(JCudaDriver.cuMemcpyDtoD(to, from, BYTES));
    }

    private static int synced(int result) {
        return result == CUresult.CUDA_SUCCESS ? JCudaDriver.cuCtxSynchronize() : result;
    }

    private static void say(String what, int result) {
        System.out.println(what + ": " + CUresult.stringFor(result));
        System.out.flush();
    }
}
