package org.brigade.transport.cuda.kernel;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import jcuda.driver.CUfunction;
import jcuda.driver.CUfunction_attribute;
import jcuda.driver.CUmodule;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;
import mpi.ErrorClass;
import mpi.MPIException;
import org.brigade.transport.cuda.driver.CudaResult;
import org.brigade.transport.cuda.driver.Gpu;

/**
 * Brigade's kernels in the primary context of one GPU. The jar has compiled modules for what moves bytes (two), packs
 * items and carries short messages, one for each datatype's reductions, one for its reductions by chains, and one for
 * all averages. Each is loaded whole on first use: the driver's lazy loading waits for running kernels, and one of ours
 * may be waiting for the very call that loads.
 */
public final class Kernels {
    private static final String MOVE = "move";
    private static final String PAIRWISE = "pairwise";
    private static final String PACK = "pack";
    private static final String CARRY = "carry";

    private static final Map<Gpu, Kernels> ALL = new IdentityHashMap<>();

    private final Gpu gpu;
    private final Map<String, CUmodule> modules = new HashMap<>();
    private final Map<String, Kernel> kernels = new HashMap<>();

    private Kernels(Gpu gpu) {
        this.gpu = gpu;
    }

    /** The kernels of a GPU: loaded on first use, kept until {@link #unload}. */
    public static synchronized Kernels of(Gpu gpu) {
        Kernels kernels = ALL.get(gpu);
        if (kernels == null) {
            kernels = new Kernels(gpu);
            ALL.put(gpu, kernels);
        }
        return kernels;
    }

    /**
     * Unloads all kernels of this process, which take device memory: 2 MiB a module on an H200. None of them runs, and
     * no rank of this process has a group. Never throws; what is used afterwards is loaded anew.
     */
    public static synchronized void unload() {
        for (Kernels kernels : ALL.values()) {
            kernels.unloadModules();
        }
        ALL.clear();
    }

    private synchronized void unloadModules() {
        try {
            gpu.enter();
            try {
                for (CUmodule module : modules.values()) {
                    JCudaDriver.cuModuleUnload(module);
                }
            } finally {
                gpu.leave();
            }
        } catch (RuntimeException e) {
            // The context is gone, and everything in it.
        }
        modules.clear();
        kernels.clear();
    }

    /**
     * A kernel that moves bytes: {@code brigade_push}.
     *
     * @throws MPIException if it cannot be loaded
     */
    public Kernel moving(String name) {
        return find("brigade_" + name, name.equals(PAIRWISE) ? PAIRWISE : MOVE);
    }

    /**
     * A kernel that packs or unpacks items with gaps: {@code brigade_gather}.
     *
     * @throws MPIException if it cannot be loaded
     */
    public Kernel packing(String name) {
        return find("brigade_" + name, PACK);
    }

    /**
     * The kernel that copies short messages.
     *
     * @throws MPIException if it cannot be loaded
     */
    public Kernel carrying() {
        return find("brigade_carry", CARRY);
    }

    /**
     * A kernel that reduces: {@code brigade_pull_sum_f32}.
     *
     * @throws MPIException if it cannot be loaded
     */
    public Kernel reducing(String name, String operator, String type) {
        return find("brigade_" + name + "_" + operator + "_" + type, KernelType.module(name, operator, type));
    }

    /**
     * The resident kernel: {@code brigade_resident_f32}, or {@code brigade_resident} without reductions, for a null
     * type.
     *
     * @throws MPIException if it cannot be loaded
     */
    public Kernel resident(String type) {
        return type == null ? find("brigade_resident", MOVE) : find("brigade_resident_" + type, "reduce_" + type);
    }

    /**
     * Loads the kernels that move bytes, so that a GPU or driver that cannot run them shows when a group opens. Needs
     * the context current.
     */
    public synchronized void loadMoving() {
        module(MOVE);
    }

    private synchronized Kernel find(String name, String module) {
        Kernel kernel = kernels.get(name);
        if (kernel == null) {
            gpu.enter();
            try {
                kernel = load(name, module(module));
            } finally {
                gpu.leave();
            }
            kernels.put(name, kernel);
        }
        return kernel;
    }

    private static Kernel load(String name, CUmodule module) {
        CUfunction function = new CUfunction();
        int result = JCudaDriver.cuModuleGetFunction(function, module, name);
        if (result == CUresult.CUDA_ERROR_NOT_FOUND) {
            throw ErrorClass.INTERN.in("device memory", "there is no kernel " + name
                + " in this brigade-cuda.jar; choose another algorithm"
                + " (brigade.device.<collective>.algorithm=staged always runs)");
        }
        CudaResult.check(result, "cuModuleGetFunction of " + name);
        int[] threads = new int[1];
        // Asking for an attribute loads the kernel, too, if the driver is lazy.
        CudaResult.check(JCudaDriver.cuFuncGetAttribute(threads,
            CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function), "cuFuncGetAttribute of " + name);
        return new Kernel(name, function, threads[0]);
    }

    private CUmodule module(String name) {
        CUmodule module = modules.get(name);
        if (module == null) {
            module = new CUmodule();
            KernelImages images = KernelImages.ofThisJar();
            int result = CUresult.CUDA_ERROR_NO_BINARY_FOR_GPU;
            if (images.major <= gpu.driverMajor()) {
                result = JCudaDriver.cuModuleLoadData(module, KernelImages.machineCode(name));
            }
            if (result == CUresult.CUDA_ERROR_NO_BINARY_FOR_GPU) {
                result = JCudaDriver.cuModuleLoadData(module, KernelImages.portable(name));
            }
            CudaResult.check(result, "loading Brigade's kernels '" + name + "' on " + gpu);
            modules.put(name, module);
        }
        return module;
    }

    /** One kernel, loaded. */
    public static final class Kernel {
        public final String name;
        public final CUfunction function;
        /** Most threads of a block that its registers allow. */
        public final int mostThreads;

        Kernel(String name, CUfunction function, int mostThreads) {
            this.name = name;
            this.function = function;
            this.mostThreads = mostThreads;
        }
    }
}
