package org.brigade.cli.device;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.brigade.topology.discovery.Nvml;
import org.brigade.transport.cuda.driver.CudaDriver;
import org.brigade.transport.cuda.driver.CudaInventory;

/**
 * Programs that compute on the GPUs that are to be measured. Kernels of two processes take turns on a GPU, each for
 * some milliseconds, so every time is wrong while both run: a call of 10 us takes 8 ms.
 */
public final class OtherPrograms {
    private OtherPrograms() {
    }

    /** Says on standard error which programs compute on the GPUs, if NVML tells of any. */
    public static void note(String command, PrintWriter err) {
        try (Nvml nvml = Nvml.open(Nvml.LIBRARY)) {
            List<String> ours = new ArrayList<>();
            for (int gpu = 0; gpu < CudaDriver.devices(); gpu++) {
                ours.add(CudaInventory.busId(gpu));
            }
            lines(nvml, ours).forEach(line -> err.println(command + ": " + line));
            err.flush();
        } catch (UnsatisfiedLinkError noNvml) {
            // Then nobody knows.
        }
    }

    /** A line for each GPU of these, by PCI address, on which other processes compute. */
    static List<String> lines(Nvml nvml, List<String> gpus) {
        List<String> lines = new ArrayList<>();
        for (int index = 0; index < nvml.count(); index++) {
            int gpu = gpus.indexOf(nvml.busId(index));
            int[] processes = gpu < 0 ? null : nvml.processes(index);
            if (processes == null) {
                continue;
            }
            List<String> names = new ArrayList<>();
            for (int process : processes) {
                if (process != ProcessHandle.current().pid()) {
                    names.add(process + name(process));
                }
            }
            if (!names.isEmpty()) {
                lines.add("GPU " + gpu + " is also used by process " + String.join(", ", names)
                    + "; times are wrong while another program computes there: end it first");
            }
        }
        return lines;
    }

    private static String name(int process) {
        try {
            return " (" + Files.readString(Path.of("/proc/" + process + "/comm")).strip() + ")";
        } catch (IOException elsewhere) {
            return ""; // ended, or of another container
        }
    }
}
