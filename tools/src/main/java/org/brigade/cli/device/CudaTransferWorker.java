package org.brigade.cli.device;

import java.util.ArrayList;
import java.util.List;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import mpi.ErrorClass;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.brigade.profile.HostMachine;
import org.brigade.profile.NumaMemory;
import org.brigade.topology.profile.Transfer;
import org.brigade.topology.search.TransferWorker;
import org.brigade.transport.cuda.driver.Addresses;
import org.brigade.transport.cuda.driver.CudaResult;
import org.brigade.transport.cuda.driver.Gpu;
import org.brigade.transport.cuda.driver.PinnedMemory;
import org.brigade.transport.cuda.ipc.IpcMemory;
import org.brigade.transport.cuda.pack.KernelCopy;

/**
 * The worker of one GPU: its copy engines or kernels move the data, each transfer on a stream of its own, so that the
 * GPU reads and writes at the same time. Other GPUs' memory is mapped by CUDA IPC; bounce buffers are page-locked
 * memory of the requested NUMA node.
 *
 * <pre>
 *   device memory:  | others write | others read | writes from | reads into |    each of the transfers' bytes
 *   each bounce:    | written by this GPU | read by it |
 * </pre>
 */
public final class CudaTransferWorker implements TransferWorker {
    private static final int HANDLE_LONGS = 8;

    private final Gpu gpu;
    private final HostMachine machine;
    private final int bytes;
    private final CUdeviceptr memory = new CUdeviceptr();
    private final long own;
    private final long[] handles;
    /** By worker: its memory's address here; 0 if not mapped yet. */
    private final long[] mapped;
    private final PinnedMemory[] bounce;
    private final List<CUstream> streams = new ArrayList<>();
    /** Made when first needed. */
    private KernelCopy kernel;

    /**
     * Makes the worker of this rank. Collective: all ranks export their memory.
     *
     * @param ordinal of its GPU, as the driver counts in this process
     * @param bytes of each transfer
     * @throws MPIException if the GPU cannot be used or has no {@code 4 * bytes} left
     */
    public CudaTransferWorker(Intracomm world, HostMachine machine, int ordinal, int bytes) throws MPIException {
        this.machine = machine;
        this.bytes = bytes;
        bounce = new PinnedMemory[machine.numaNodes()];
        gpu = new Gpu(ordinal);
        gpu.enter();
        try {
            CudaResult.check(JCudaDriver.cuMemAlloc(memory, 4L * bytes),
                "cuMemAlloc of " + 4L * bytes + " bytes on " + gpu);
            own = Addresses.of(memory);
            long[] handle = new long[HANDLE_LONGS];
            CudaResult.check(IpcMemory.export(own, handle), "cuIpcGetMemHandle on " + gpu);
            handles = new long[HANDLE_LONGS * world.getSize()];
            world.allGather(handle, HANDLE_LONGS, MPI.LONG, handles, HANDLE_LONGS, MPI.LONG);
            mapped = new long[world.getSize()];
            mapped[world.getRank()] = own;
        } finally {
            gpu.leave();
        }
    }

    @Override
    public void prepare(List<Transfer> transfers) {
        gpu.enter();
        try {
            for (Transfer transfer : transfers) {
                if (kernel == null && transfer.type().byKernel()) {
                    kernel = new KernelCopy(gpu);
                }
                if (transfer.type().peer()) {
                    map(transfer.type().read() ? transfer.from() : transfer.to());
                } else {
                    int numa = transfer.type().fromGpu() ? transfer.to() : transfer.from();
                    if (bounce[numa] == null) {
                        bounce[numa] = NumaMemory.on(machine, numa, () -> new PinnedMemory(2 * bytes));
                    }
                }
            }
            while (streams.size() < transfers.size()) {
                streams.add(gpu.newStream());
            }
        } finally {
            gpu.leave();
        }
    }

    private void map(int peer) {
        if (mapped[peer] == 0) {
            long[] handle = new long[HANDLE_LONGS];
            System.arraycopy(handles, HANDLE_LONGS * peer, handle, 0, HANDLE_LONGS);
            long[] address = new long[1];
            int result = IpcMemory.open(handle, address);
            if (result != CUresult.CUDA_SUCCESS) {
                throw ErrorClass.OTHER.in("device memory", "rank " + peer + "'s memory cannot be mapped: "
                    + CudaResult.describe(result, "cuIpcOpenMemHandle on " + gpu));
            }
            mapped[peer] = address[0];
        }
    }

    @Override
    public void move(List<Transfer> transfers) {
        if (transfers.isEmpty()) {
            return;
        }
        gpu.enter();
        try {
            for (int i = 0; i < transfers.size(); i++) {
                begin(transfers.get(i), streams.get(i));
            }
            for (int i = 0; i < transfers.size(); i++) {
                CudaResult.check(JCudaDriver.cuStreamSynchronize(streams.get(i)), "cuStreamSynchronize on " + gpu);
            }
        } finally {
            gpu.leave();
        }
    }

    private void begin(Transfer transfer, CUstream stream) {
        long from = own + 2L * bytes;
        long to = own + 3L * bytes;
        switch (transfer.type()) {
            case GPU_READ_CPUMEM_KERNEL ->
                kernel.begin(to, bounce[transfer.from()].deviceAddress + bytes, bytes, stream);
            case GPU_WRITE_CPUMEM_KERNEL -> kernel.begin(bounce[transfer.to()].deviceAddress, from, bytes, stream);
            case GPU_READ_GPUMEM_KERNEL -> kernel.begin(to, mapped[transfer.from()] + bytes, bytes, stream);
            case GPU_WRITE_GPUMEM_KERNEL -> kernel.begin(mapped[transfer.to()], from, bytes, stream);
            default -> copy(transfer, Addresses.device(from), Addresses.device(to), stream);
        }
    }

    private void copy(Transfer transfer, CUdeviceptr source, CUdeviceptr target, CUstream stream) {
        int result = switch (transfer.type()) {
            case GPU_READ_CPUMEM_MEMCPY ->
                JCudaDriver.cuMemcpyHtoDAsync(target, bounce[transfer.from()].at(bytes), bytes, stream);
            case GPU_WRITE_CPUMEM_MEMCPY ->
                JCudaDriver.cuMemcpyDtoHAsync(bounce[transfer.to()].at(0), source, bytes, stream);
            case GPU_READ_GPUMEM_MEMCPY ->
                JCudaDriver.cuMemcpyDtoDAsync(target, Addresses.device(mapped[transfer.from()] + bytes), bytes, stream);
            case GPU_WRITE_GPUMEM_MEMCPY ->
                JCudaDriver.cuMemcpyDtoDAsync(Addresses.device(mapped[transfer.to()]), source, bytes, stream);
            default -> throw new IllegalArgumentException(transfer + ": GPUs copy within a node only");
        };
        CudaResult.check(result, "copying for " + transfer + " on " + gpu);
    }

    /** Whether bounce memory lies on the intended NUMA nodes, as far as the system tells. */
    public boolean placed() {
        boolean placed = true;
        for (int numa = 0; numa < bounce.length; numa++) {
            int node = bounce[numa] == null ? -1 : NumaMemory.nodeOf(bounce[numa].address);
            placed &= node < 0 || machine.indexOf(node) == numa;
        }
        return placed;
    }

    /** The caller makes sure that no other rank accesses this rank's memory any more. */
    @Override
    public void close() {
        gpu.enter();
        try {
            for (int peer = 0; peer < mapped.length; peer++) {
                if (mapped[peer] != 0 && mapped[peer] != own) {
                    IpcMemory.close(mapped[peer]);
                }
            }
            for (PinnedMemory pinned : bounce) {
                if (pinned != null) {
                    pinned.free();
                }
            }
            for (CUstream stream : streams) {
                JCudaDriver.cuStreamDestroy(stream);
            }
            JCudaDriver.cuMemFree(memory);
        } finally {
            gpu.leave();
        }
    }
}
