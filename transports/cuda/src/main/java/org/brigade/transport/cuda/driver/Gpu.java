package org.brigade.transport.cuda.driver;

import java.util.Arrays;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_P2PAttribute;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import jcuda.driver.CUuuid;
import jcuda.driver.JCudaDriver;

/**
 * One GPU of this process with its primary context, which the CUDA runtime, cuBLAS and other ordinary users of the GPU
 * share. Made at the first buffer on it, kept until the process ends.
 */
public final class Gpu {
    /** As the CUDA driver counts in this process. */
    public final int ordinal;
    final CUdevice device;
    /** The primary context, retained. */
    public final CUcontext context;
    /** The value of {@link #context}. */
    public final long contextHandle;
    /** The GPU's name for all processes of a node: 16 bytes. */
    public final byte[] uuid;
    public final int multiprocessors;
    /** Synchronous copies between host and device. */
    final HostCopies copies;
    /**
     * Streams for calls that nobody waits for. All are made at once: the driver has a few queues to the GPU and gives
     * new streams one in turn, so none of these queues behind another.
     */
    private CUstream[] queues;
    private boolean[] taken;
    private final StreamWords words;
    /** Packs memory of this GPU; null if nothing does. */
    Packing packing;
    /** The last launch of a kernel that stays; null before the first. */
    public volatile Stay stay;

    /** @throws mpi.MPIException if the GPU cannot be used */
    public Gpu(int ordinal) {
        this.ordinal = ordinal;
        device = new CUdevice();
        CudaResult.check(JCudaDriver.cuDeviceGet(device, ordinal), "cuDeviceGet of GPU " + ordinal);
        context = new CUcontext();
        CudaResult.check(JCudaDriver.cuDevicePrimaryCtxRetain(context, device),
            "cuDevicePrimaryCtxRetain of GPU " + ordinal);
        contextHandle = Addresses.of(context);
        CUuuid id = new CUuuid();
        CudaResult.check(JCudaDriver.cuDeviceGetUuid(id, device), "cuDeviceGetUuid of GPU " + ordinal);
        uuid = id.bytes.clone();
        multiprocessors = attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
        copies = new HostCopies(this);
        words = new StreamWords(this::newStream, toString());
    }

    int attribute(int attribute) {
        int[] value = new int[1];
        CudaResult.check(JCudaDriver.cuDeviceGetAttribute(value, attribute, device), "cuDeviceGetAttribute");
        return value[0];
    }

    /** The major CUDA version of the driver: 12 or 13. */
    public int driverMajor() {
        int[] version = new int[1];
        CudaResult.check(JCudaDriver.cuDriverGetVersion(version), "cuDriverGetVersion");
        return version[0] / 1000;
    }

    /** Makes the primary context current for this thread; {@link #leave} restores the caller's. */
    public void enter() {
        CudaResult.check(JCudaDriver.cuCtxPushCurrent(context), "cuCtxPushCurrent on GPU " + ordinal);
    }

    /** Restores the context that was current before {@link #enter}. */
    public void leave() {
        JCudaDriver.cuCtxPopCurrent(new CUcontext());
    }

    /**
     * Whether what a warp stores over NVLink into one line of 128 bytes in one instruction arrives at once. NCCL's
     * LL128 protocol relies on it: at first on compute capability 7.0 and 8.0 only, by now on all newer ones. Brigade
     * has run so on 9.0.
     */
    public boolean storesWholeLines() {
        int major = attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
        int minor = attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
        return major == 8 && minor == 0 || major >= 9;
    }

    /**
     * Whether NVLink leads to a GPU, so that the link to the host is another link. Of the links between GPUs only
     * NVLink carries atomic operations. False for this GPU and for invisible ones.
     */
    public boolean isLinkedTo(byte[] other) {
        int[] count = new int[1];
        CudaResult.check(JCudaDriver.cuDeviceGetCount(count), "cuDeviceGetCount");
        for (int there = 0; there < count[0]; there++) {
            CUdevice peer = new CUdevice();
            CUuuid id = new CUuuid();
            CudaResult.check(JCudaDriver.cuDeviceGet(peer, there), "cuDeviceGet");
            CudaResult.check(JCudaDriver.cuDeviceGetUuid(id, peer), "cuDeviceGetUuid");
            if (there != ordinal && Arrays.equals(id.bytes, other)) {
                int[] atomics = new int[1];
                CudaResult.check(
                    JCudaDriver.cuDeviceGetP2PAttribute(atomics,
                        CUdevice_P2PAttribute.CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED, peer, device),
                    "cuDeviceGetP2PAttribute");
                return atomics[0] != 0;
            }
        }
        return false;
    }

    /** A stream that does not wait for others, with high priority. Needs the context current. */
    public CUstream newStream() {
        int[] least = new int[1];
        int[] greatest = new int[1];
        if (JCudaDriver.cuCtxGetStreamPriorityRange(least, greatest) != CUresult.CUDA_SUCCESS) {
            greatest[0] = 0;
        }
        CUstream stream = new CUstream();
        CudaResult.check(
            JCudaDriver.cuStreamCreateWithPriority(stream, CUstream_flags.CU_STREAM_NON_BLOCKING, greatest[0]),
            "cuStreamCreateWithPriority on GPU " + ordinal);
        return stream;
    }

    /** A word that a stream of this GPU may write; null if the driver knows no such. Needs the context current. */
    public StreamWord takeWord() {
        return words.take();
    }

    /** Whether streams of this GPU can write words and wait for them. Needs the context current. */
    public boolean hasWords() {
        StreamWord word = takeWord();
        if (word != null) {
            giveWord(word);
        }
        return word != null;
    }

    /** No stream writes this word any more. */
    public void giveWord(StreamWord word) {
        words.give(word);
    }

    /**
     * A queue that nobody has; null if there is none left. Needs the context current.
     *
     * @param most the queues of this GPU
     */
    public synchronized CUstream takeQueue(int most) {
        if (queues == null) {
            CUstream[] made = new CUstream[most];
            for (int i = 0; i < most; i++) {
                made[i] = newStream();
            }
            queues = made;
            taken = new boolean[most];
        }
        for (int i = 0; i < taken.length; i++) {
            if (!taken[i]) {
                taken[i] = true;
                return queues[i];
            }
        }
        return null;
    }

    /** Nothing runs in that queue any more. */
    public synchronized void giveQueue(CUstream queue) {
        for (int i = 0; i < taken.length; i++) {
            if (queues[i] == queue) {
                taken[i] = false;
            }
        }
    }

    /**
     * Frees what is kept between calls: streams, page-locked memory, what packing keeps. Nothing of this GPU is under
     * way. It is all made again where it is needed again. Never throws.
     */
    synchronized void end() {
        if (packing != null) {
            packing.end();
        }
        try {
            enter();
            try {
                copies.end();
                words.end();
                endQueues();
            } finally {
                leave();
            }
        } catch (RuntimeException e) {
            // The context is gone, and everything in it.
        }
    }

    private void endQueues() {
        if (queues == null) {
            return;
        }
        for (boolean has : taken) {
            if (has) {
                return;
            }
        }
        for (CUstream queue : queues) {
            JCudaDriver.cuStreamDestroy(queue);
        }
        queues = null;
    }

    @Override
    public String toString() {
        return "GPU " + ordinal;
    }
}
