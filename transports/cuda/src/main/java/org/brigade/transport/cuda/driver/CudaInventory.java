package org.brigade.transport.cuda.driver;

import java.util.HexFormat;
import java.util.Locale;
import jcuda.CudaException;
import jcuda.JCudaVersion;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_P2PAttribute;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUmoduleLoadingMode;
import jcuda.driver.CUresult;
import jcuda.driver.CUuuid;
import jcuda.driver.JCudaDriver;

/**
 * Describes the GPUs of this machine and how they reach each other, for people. Only if nothing is
 * {@link CudaDriver#missing}.
 */
public final class CudaInventory {
    private CudaInventory() {
    }

    /** {@code driver for CUDA 13.0, JCuda 12.6.0}. */
    public static String versions() {
        int[] version = new int[1];
        int result = JCudaDriver.cuDriverGetVersion(version);
        return (result == CUresult.CUDA_SUCCESS ? "driver for CUDA " + version[0] / 1000 + "." + version[0] % 1000 / 10
            : "driver's version unknown: " + CUresult.stringFor(result)) + ", JCuda " + JCudaVersion.get();
    }

    /**
     * Identifies a GPU, after its name: {@code , sm_90, 132 multiprocessors, PCI 0000:1b:00.0, UUID GPU-...}; without
     * facts that the driver does not tell.
     */
    public static String identity(int ordinal) {
        CUdevice device = new CUdevice();
        if (JCudaDriver.cuDeviceGet(device, ordinal) != CUresult.CUDA_SUCCESS) {
            return "";
        }
        int major = attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
        int minor = attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
        int processors = attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
        String[] address = new String[1];
        CUuuid uuid = new CUuuid();
        return (major >= 0 ? ", sm_" + major + minor : "")
            + (processors >= 0 ? ", " + processors + " multiprocessors" : "")
            + (JCudaDriver.cuDeviceGetPCIBusId(address, 32, device) == CUresult.CUDA_SUCCESS
                ? ", PCI " + address[0].trim() : "")
            + (JCudaDriver.cuDeviceGetUuid(uuid, device) == CUresult.CUDA_SUCCESS ? ", UUID GPU-" + grouped(uuid.bytes)
                : "");
    }

    /** {@code 0000:1b:00.0}, in lower case as in the kernel; empty if the driver does not tell. */
    public static String busId(int ordinal) {
        CUdevice device = new CUdevice();
        String[] address = new String[1];
        boolean told = JCudaDriver.cuDeviceGet(device, ordinal) == CUresult.CUDA_SUCCESS
            && JCudaDriver.cuDeviceGetPCIBusId(address, 32, device) == CUresult.CUDA_SUCCESS;
        return told ? address[0].trim().toLowerCase(Locale.ROOT) : "";
    }

    /** Whether a GPU can access another's memory. */
    public static boolean reaches(int from, int to) {
        CUdevice source = new CUdevice();
        CUdevice target = new CUdevice();
        int[] can = new int[1];
        return JCudaDriver.cuDeviceGet(source, from) == CUresult.CUDA_SUCCESS
            && JCudaDriver.cuDeviceGet(target, to) == CUresult.CUDA_SUCCESS
            && JCudaDriver.cuDeviceCanAccessPeer(can, source, target) == CUresult.CUDA_SUCCESS && can[0] != 0;
    }

    /**
     * How two GPUs reach each other's memory, in both directions if they differ. NVLink is recognised by atomic
     * operations, which PCIe does not carry; the rank is the driver's: 0 is the fastest kind of link of this machine.
     */
    public static String link(int from, int to) {
        String there = oneWay(from, to);
        String back = oneWay(to, from);
        return there.equals(back) ? there : there + "; back: " + back;
    }

    /** Null if the driver loads kernels with their modules, as resident mode needs; else a sentence with the cure. */
    public static String lazyLoading() {
        int[] how = new int[1];
        try {
            boolean lazy = JCudaDriver.cuModuleGetLoadingMode(how) == CUresult.CUDA_SUCCESS
                && how[0] == CUmoduleLoadingMode.CU_MODULE_LAZY_LOADING;
            return lazy
                ? "the CUDA driver loads kernels lazily and may then wait for Brigade's to end; set"
                    + " CUDA_MODULE_LOADING=EAGER in the environment of all ranks"
                : null;
        } catch (CudaException | UnsatisfiedLinkError | UnsupportedOperationException beforeCuda117) {
            return null; // such a driver cannot load lazily
        }
    }

    private static String oneWay(int from, int to) {
        CUdevice source = new CUdevice();
        CUdevice target = new CUdevice();
        int[] value = new int[1];
        int result = JCudaDriver.cuDeviceGet(source, from);
        if (result == CUresult.CUDA_SUCCESS) {
            result = JCudaDriver.cuDeviceGet(target, to);
        }
        if (result == CUresult.CUDA_SUCCESS) {
            result = JCudaDriver.cuDeviceCanAccessPeer(value, source, target);
        }
        if (result != CUresult.CUDA_SUCCESS) {
            return "unknown: " + CUresult.stringFor(result);
        }
        if (value[0] == 0) {
            return "no peer access: staged through host memory";
        }
        int atomics = peer(CUdevice_P2PAttribute.CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED, source, target);
        int rank = peer(CUdevice_P2PAttribute.CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK, source, target);
        return (atomics > 0 ? "NVLink" : "PCIe") + ", peer access" + (rank >= 0 ? ", performance rank " + rank : "");
    }

    private static int attribute(CUdevice device, int which) {
        int[] value = new int[1];
        return JCudaDriver.cuDeviceGetAttribute(value, which, device) == CUresult.CUDA_SUCCESS ? value[0] : -1;
    }

    private static int peer(int which, CUdevice source, CUdevice target) {
        int[] value = new int[1];
        return JCudaDriver.cuDeviceGetP2PAttribute(value, which, source, target) == CUresult.CUDA_SUCCESS ? value[0]
            : -1;
    }

    /** As nvidia-smi writes it. */
    private static String grouped(byte[] uuid) {
        String digits = HexFormat.of().formatHex(uuid);
        return digits.substring(0, 8) + "-" + digits.substring(8, 12) + "-" + digits.substring(12, 16) + "-"
            + digits.substring(16, 20) + "-" + digits.substring(20);
    }
}
