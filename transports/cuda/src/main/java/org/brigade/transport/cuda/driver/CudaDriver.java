package org.brigade.transport.cuda.driver;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import jcuda.JCudaVersion;
import jcuda.LibUtils;
import jcuda.driver.CUdevice;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;
import org.brigade.setting.Portable;

/**
 * The CUDA driver through JCuda, looked for once. A machine without CUDA is no error: {@link #missing} says what is
 * missing, and the cure. The user's setting of JCuda's exceptions is left alone: this package checks every result, and
 * handles the exceptions if they are on. This class must load without JCuda to say that it is missing, so it must not
 * make the verifier load JCuda's classes, for example by passing one of its objects as a superclass.
 */
public final class CudaDriver {
    /** The result of {@link #missing}; computed on first use. */
    private static final class Probe {
        static final String MISSING = look();
    }

    private CudaDriver() {
    }

    /** Null if device memory can be used, else a sentence with what is missing and the cure. */
    public static String missing() {
        return Probe.MISSING;
    }

    /** Number of GPUs that this process may use; only if nothing is {@link #missing}. */
    public static int devices() {
        int[] count = new int[1];
        return JCudaDriver.cuDeviceGetCount(count) == CUresult.CUDA_SUCCESS ? count[0] : 0;
    }

    /** Name and memory of a GPU, for people: {@code NVIDIA H200, 143771 MiB}. */
    public static String describe(int ordinal) {
        CUdevice device = new CUdevice();
        byte[] name = new byte[128];
        long[] bytes = new long[1];
        int result = JCudaDriver.cuDeviceGet(device, ordinal);
        if (result == CUresult.CUDA_SUCCESS) {
            result = JCudaDriver.cuDeviceGetName(name, name.length, device);
        }
        if (result == CUresult.CUDA_SUCCESS) {
            result = JCudaDriver.cuDeviceTotalMem(bytes, device);
        }
        if (result != CUresult.CUDA_SUCCESS) {
            return "not usable: " + CUresult.stringFor(result);
        }
        int length = 0;
        while (length < name.length && name[length] != 0) {
            length++;
        }
        return new String(name, 0, length, StandardCharsets.UTF_8) + ", " + (bytes[0] >> 20) + " MiB";
    }

    /** The resource with JCuda's native library for this system, if its jar is on the class path. */
    static String library() {
        return "/lib/"
            + LibUtils.createLibraryFileName(LibUtils.createPlatformLibraryName("JCudaDriver-" + JCudaVersion.get()));
    }

    private static String look() {
        if (Portable.ON) {
            return "there are no GPUs, as " + Portable.WHY;
        }
        try {
            JCudaNatives.secure(LibUtils.class, library());
        } catch (IOException e) {
            return "JCuda's native library cannot be unpacked: " + e.getMessage();
        } catch (LinkageError e) {
            return "JCuda is not on the class path; add jcuda and jcuda-natives (org.jcuda, 12.6.0)";
        }
        try {
            int result = JCudaDriver.cuInit(0);
            if (result != CUresult.CUDA_SUCCESS) {
                return "the driver answers " + CUresult.stringFor(result) + "; run nvidia-smi to see why";
            }
            return devices() == 0 ? "the driver sees no GPU; see what nvidia-smi and CUDA_VISIBLE_DEVICES say" : null;
        } catch (LinkageError e) {
            return libraryMissing(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            // Not CudaException by name: this class must load without JCuda.
            return "the driver answers " + e.getMessage() + "; run nvidia-smi to see why";
        }
    }

    private static String libraryMissing(String why) {
        if (why.contains("libcuda.so")) {
            return "libcuda.so.1 is missing; install NVIDIA's driver";
        }
        return "JCuda's native library does not load (" + why.lines().findFirst().orElse("")
            + "); add jcuda-natives for this system to the class path, in jcuda's version";
    }
}
