package org.brigade.transport.cuda.driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import jcuda.driver.JCudaDriver;

/**
 * Names the GPUs of a communicator's members, their links and the driver, so that what was measured on them can be
 * kept: {@code 4 x NVIDIA H200, 143771 MiB; NVLink; driver 580.95.05, CUDA 13.0}.
 */
public final class GpuSet {
    private static final Path DRIVER = Path.of("/sys/module/nvidia/version");
    private static final String BETWEEN = "\n";

    private GpuSet() {
    }

    /**
     * What one member tells of its GPU: name, the driver, and for each member how its GPU reaches that one's.
     *
     * @param uuids of the members' GPUs
     */
    public static String card(Gpu gpu, byte[][] uuids) {
        StringBuilder links = new StringBuilder();
        for (byte[] uuid : uuids) {
            links.append(Arrays.equals(uuid, gpu.uuid) ? '=' : gpu.isLinkedTo(uuid) ? 'N' : 'P');
        }
        int[] cuda = new int[1];
        JCudaDriver.cuDriverGetVersion(cuda);
        return CudaDriver.describe(gpu.ordinal) + BETWEEN + links + BETWEEN
            + version() + "CUDA " + cuda[0] / 1000 + "." + cuda[0] % 1000 / 10;
    }

    private static String version() {
        try {
            return Files.isReadable(DRIVER) ? "driver " + Files.readString(DRIVER).strip() + ", " : "";
        } catch (IOException e) {
            return "";
        }
    }

    /** The name of all; null if a member told nothing. */
    public static String name(String[] cards) {
        String[] gpus = new String[cards.length];
        String[] links = new String[cards.length];
        String driver = "";
        for (int member = 0; member < cards.length; member++) {
            String[] lines = cards[member] == null ? new String[0] : cards[member].split(BETWEEN);
            if (lines.length != 3) {
                return null;
            }
            gpus[member] = lines[0];
            links[member] = lines[1];
            driver = member == 0 ? lines[2] : driver;
        }
        String names = Stream.of(gpus).distinct().count() == 1 ? gpus.length + " x " + gpus[0]
            : String.join(" + ", gpus);
        String all = String.join(" ", links);
        String kinds = all.replaceAll("[ =]", "");
        boolean apart = all.chars().filter(link -> link == '=').count() == cards.length;
        boolean one = kinds.chars().distinct().count() <= 1;
        return names + "; " + (!one || !apart ? "links " + all : kinds.startsWith("N") ? "NVLink" : "PCIe") + "; "
            + driver;
    }
}
