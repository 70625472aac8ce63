package org.brigade.transport.cuda.driver;

import jcuda.CudaException;
import jcuda.driver.CUevent;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import mpi.ErrorClass;
import mpi.MPIException;

/** Checks the results of driver calls. JCuda's own exceptions are a setting of the user's, and may be on or off. */
public final class CudaResult {
    private CudaResult() {
    }

    /** @throws MPIException naming the call, the answer and the cure if the call failed */
    public static void check(int result, String call) {
        if (result != CUresult.CUDA_SUCCESS) {
            throw failure(result, call);
        }
    }

    /**
     * The result behind an exception of JCuda's, whose message is the name of a constant. For calls that may fail in
     * normal operation: if the user has switched JCuda's exceptions on, they throw.
     */
    public static int of(CudaException thrown) {
        try {
            return CUresult.class.getField(thrown.getMessage()).getInt(null);
        } catch (ReflectiveOperationException e) {
            return CUresult.CUDA_ERROR_UNKNOWN;
        }
    }

    /**
     * Converts a driver failure, from JCuda or {@link #check}, into the error for a caller of MPI; returns other
     * exceptions unchanged.
     */
    public static RuntimeException told(RuntimeException failure) {
        return failure instanceof CudaException thrown ? failure(of(thrown), "a call of CUDA's driver") : failure;
    }

    /** As cuEventQuery, whether or not JCuda's exceptions are on. */
    public static int query(CUevent event) {
        try {
            return JCudaDriver.cuEventQuery(event);
        } catch (CudaException e) {
            return of(e);
        }
    }

    /** As cuStreamQuery, whether or not JCuda's exceptions are on. */
    public static int query(CUstream stream) {
        try {
            return JCudaDriver.cuStreamQuery(stream);
        } catch (CudaException e) {
            return of(e);
        }
    }

    /** The error of a call's result. */
    public static MPIException failure(int result, String call) {
        ErrorClass kind = result == CUresult.CUDA_ERROR_OUT_OF_MEMORY ? ErrorClass.NO_MEM : ErrorClass.OTHER;
        return kind.in("device memory", describe(result, call));
    }

    /** {@code cuMemAlloc answers CUDA_ERROR_OUT_OF_MEMORY: the GPU's memory is full; free some of it}. */
    public static String describe(int result, String call) {
        String cure = cure(result);
        return call + " answers " + CUresult.stringFor(result) + (cure == null ? "" : ": " + cure);
    }

    /** Whether the result means that the process can do nothing more on this GPU: every later call returns the same. */
    public static boolean isSticky(int result) {
        return result == CUresult.CUDA_ERROR_ILLEGAL_ADDRESS || result == CUresult.CUDA_ERROR_LAUNCH_FAILED
            || result == CUresult.CUDA_ERROR_MISALIGNED_ADDRESS
            || result == CUresult.CUDA_ERROR_ILLEGAL_INSTRUCTION || result == CUresult.CUDA_ERROR_INVALID_ADDRESS_SPACE
            || result == CUresult.CUDA_ERROR_INVALID_PC
            || result == CUresult.CUDA_ERROR_ASSERT || result == CUresult.CUDA_ERROR_HARDWARE_STACK_ERROR
            || result == CUresult.CUDA_ERROR_ECC_UNCORRECTABLE
            || result == CUresult.CUDA_ERROR_NVLINK_UNCORRECTABLE || result == CUresult.CUDA_ERROR_LAUNCH_TIMEOUT;
    }

    private static String cure(int result) {
        if (isSticky(result)) {
            return "a kernel of this process or a lost peer's memory broke the context, and nothing more can be done"
                + " on this GPU; check the kernels launched before with compute-sanitizer, and start the job again";
        }
        return switch (result) {
            case CUresult.CUDA_ERROR_OUT_OF_MEMORY ->
                "the GPU's memory (or what the system lets lock) is full; free some of it";
            case CUresult.CUDA_ERROR_DEINITIALIZED -> "the process is ending; make no MPI call from a shutdown hook";
            case CUresult.CUDA_ERROR_CONTEXT_IS_DESTROYED, CUresult.CUDA_ERROR_INVALID_CONTEXT ->
                "the GPU's primary context was reset or destroyed; do so only after MPI.Finalize";
            case CUresult.CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, CUresult.CUDA_ERROR_PEER_ACCESS_NOT_ENABLED ->
                "these two GPUs cannot reach each other's memory; see nvidia-smi topo -p2p r";
            case CUresult.CUDA_ERROR_MAP_FAILED, CUresult.CUDA_ERROR_ALREADY_MAPPED,
                CUresult.CUDA_ERROR_INVALID_HANDLE ->
                "another process's memory cannot be mapped; in containers the ranks must share one pid and ipc"
                    + " namespace and see the same GPUs";
            case CUresult.CUDA_ERROR_NO_BINARY_FOR_GPU, CUresult.CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
                CUresult.CUDA_ERROR_INVALID_PTX, CUresult.CUDA_ERROR_INVALID_IMAGE ->
                "Brigade's kernels need a GPU of compute capability 7.5 or newer and a driver of version 418 or newer";
            default -> null;
        };
    }
}
