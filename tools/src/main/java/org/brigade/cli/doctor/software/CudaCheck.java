package org.brigade.cli.doctor.software;

import org.brigade.cli.doctor.check.Check;
import org.brigade.cli.doctor.check.Diagnosis;
import org.brigade.topology.system.SystemFiles;

/**
 * NVIDIA's driver and JCuda.
 *
 * @param missing why GPUs cannot be used; null if they can
 * @param versions of driver and JCuda; null if they cannot
 * @param gpus that this process may use
 * @param refused why the resident mode that was asked for cannot run; null if it can, or is not asked for
 */
public record CudaCheck(SystemFiles files, String missing, String versions, int gpus, String refused) implements Check {
    private static final String DISPLAY = "0x03";
    private static final String NVIDIA = "0x10de";

    @Override
    public Diagnosis diagnosis() {
        boolean here = files.exists("proc/driver/nvidia/gpus") || onBus();
        if (missing != null) {
            return here
                ? Diagnosis.missing("CUDA", "this machine has a GPU, but " + missing,
                    "programs can pass no buffers on GPUs")
                : Diagnosis.good("CUDA", "no GPU of NVIDIA on this machine; programs with buffers in host memory need"
                    + " none");
        }
        if (gpus == 0) {
            return Diagnosis.missing("CUDA", versions + "; this process may use no GPU",
                "programs can pass no buffers on GPUs",
                "look at CUDA_VISIBLE_DEVICES, and in a container at docker --gpus");
        }
        return refused == null
            ? Diagnosis.good("CUDA", versions + "; " + gpus + (gpus == 1 ? " GPU" : " GPUs"))
            : Diagnosis.costs("CUDA", versions, "resident mode is not used: " + refused,
                "set CUDA_MODULE_LOADING=EAGER in the environment of all ranks, or leave out brigade.device.resident");
    }

    /** Containers without the driver see the machine's bus all the same. */
    private boolean onBus() {
        for (String device : files.names("sys/bus/pci/devices")) {
            String folder = "sys/bus/pci/devices/" + device;
            if (files.text(folder + "/vendor").equals(NVIDIA) && files.text(folder + "/class").startsWith(DISPLAY)) {
                return true;
            }
        }
        return false;
    }
}
