package org.brigade.topology.profile;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Distinguishes machines as far as measured paths depend on them. Read from /proc and /sys; no driver is loaded for it.
 *
 * @param host the kernel's name of the machine
 * @param cpu the processor's model
 * @param processors logical ones
 * @param numaNodes with or without memory; 1 if the kernel has none
 * @param driver version of NVIDIA's kernel module; empty if it is not loaded
 * @param gpus NVIDIA GPUs by bus id, ascending: {@code 0000:1b:00.0 10de:2335}
 */
public record MachineFingerprint(String host, String cpu, int processors, int numaNodes, String driver,
    List<String> gpus) {
    private static final String NVIDIA = "0x10de";
    private static final int MOST_GPUS = 1024;

    public MachineFingerprint {
        gpus = List.copyOf(gpus);
    }

    /** The fingerprint of this machine. */
    public static MachineFingerprint here() {
        return read(Path.of("/proc"), Path.of("/sys"), Runtime.getRuntime().availableProcessors());
    }

    /** The kernel's name of this machine; empty if it has none. */
    public static String hostName() {
        return first(Path.of("/proc/sys/kernel/hostname"));
    }

    /** Missing facts are left empty. */
    static MachineFingerprint read(Path proc, Path sys, int fallbackProcessors) {
        String cpu = "";
        int processors = 0;
        for (String line : lines(proc.resolve("cpuinfo"))) {
            int colon = line.indexOf(':');
            String key = colon < 0 ? "" : line.substring(0, colon).strip();
            if (key.equals("processor")) {
                processors++;
            } else if (cpu.isEmpty() && (key.equals("model name") || key.equals("cpu"))) {
                cpu = line.substring(colon + 1).strip();
            }
        }
        int numaNodes = 0;
        for (Path node : children(sys.resolve("devices/system/node"))) {
            String name = node.getFileName().toString();
            if (name.startsWith("node") && name.length() > 4 && Character.isDigit(name.charAt(4))) {
                numaNodes++;
            }
        }
        List<String> gpus = new ArrayList<>();
        for (Path device : children(sys.resolve("bus/pci/devices"))) {
            if (gpus.size() < MOST_GPUS && first(device.resolve("vendor")).equals(NVIDIA)
                && first(device.resolve("class")).startsWith("0x03")) {
                String kind = first(device.resolve("device"));
                gpus.add(device.getFileName() + " 10de:" + (kind.startsWith("0x") ? kind.substring(2) : kind));
            }
        }
        Collections.sort(gpus);
        return new MachineFingerprint(first(proc.resolve("sys/kernel/hostname")), cpu,
            processors > 0 ? processors : fallbackProcessors, Math.max(1, numaNodes),
            first(sys.resolve("module/nvidia/version")), gpus);
    }

    private static String first(Path file) {
        List<String> lines = lines(file);
        return lines.isEmpty() ? "" : lines.get(0).strip();
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of();
        }
    }

    private static List<Path> children(Path folder) {
        List<Path> children = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder)) {
            for (Path child : found) {
                children.add(child);
            }
        } catch (IOException e) {
            // missing: no children
        }
        return children;
    }

    /**
     * How another machine differs from this one, by sentence parts: {@code its host is a, and this one is b}. Empty if
     * a profile of one is valid for the other.
     */
    public List<String> differencesTo(MachineFingerprint other) {
        List<String> differences = new ArrayList<>();
        differ(differences, "host", host, other.host);
        differ(differences, "processor", cpu, other.cpu);
        differ(differences, "number of processors", Integer.toString(processors), Integer.toString(other.processors));
        differ(differences, "number of NUMA nodes", Integer.toString(numaNodes), Integer.toString(other.numaNodes));
        differ(differences, "NVIDIA driver", driver, other.driver);
        for (String gpu : gpus) {
            if (!other.gpus.contains(gpu)) {
                differences.add("its GPU " + gpu + " is not here");
            }
        }
        for (String gpu : other.gpus) {
            if (!gpus.contains(gpu)) {
                differences.add("this machine's GPU " + gpu + " was not there");
            }
        }
        return differences;
    }

    private static void differ(List<String> differences, String what, String theirs, String ours) {
        if (!theirs.equals(ours)) {
            differences.add("its " + what + " is " + (theirs.isEmpty() ? "unknown" : theirs) + ", and here it is "
                + (ours.isEmpty() ? "unknown" : ours));
        }
    }

    /** The folder of profiles in a user's home. */
    public static Path folder(Path home) {
        return home.resolve(".brigade");
    }

    /**
     * The default file of a machine's profile: {@code .brigade/profile-HOST-1f2e3d4c-device.xml}. The driver is not
     * part of the name: after an update the profile is found, and found to be of another machine.
     *
     * @param home of the user
     * @param space of the paths: {@code host} or {@code device}
     */
    public Path defaultFile(Path home, String space) {
        int hash = 31 * (31 * (31 * host.hashCode() + cpu.hashCode()) + processors) + gpus.hashCode();
        StringBuilder name = new StringBuilder("profile-");
        for (int i = 0; i < Math.min(host.length(), 40); i++) {
            char c = host.charAt(i);
            name.append(c < 128 && Character.isLetterOrDigit(c) || c == '-' ? c : '_');
        }
        return folder(home).resolve(
            name.append('-').append(Integer.toHexString(hash)).append('-').append(space).append(".xml").toString());
    }
}
