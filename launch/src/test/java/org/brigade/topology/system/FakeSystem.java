package org.brigade.topology.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the kernel's files of a machine into a folder, links and all. */
public final class FakeSystem {
    final Path root;

    public FakeSystem(Path root) {
        this.root = root;
    }

    public FakeSystem file(String path, String text) {
        try {
            Path file = root.resolve(path);
            Files.createDirectories(file.getParent());
            Files.writeString(file, text + "\n");
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public FakeSystem link(String path, String target) {
        try {
            Path link = root.resolve(path);
            Files.createDirectories(link.getParent());
            Files.createSymbolicLink(link, link.getParent().relativize(root.resolve(target)));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public FakeSystem numaNode(int id, String processors, String memoryKilobytes) {
        return file("sys/devices/system/node/node" + id + "/cpulist", processors)
            .file("sys/devices/system/node/node" + id + "/meminfo",
                "Node " + id + " MemTotal:       " + memoryKilobytes + " kB\nNode " + id + " MemFree: 1 kB");
    }

    public FakeSystem processor(int number, String siblings, String lastCacheSharers) {
        String folder = "sys/devices/system/cpu/cpu" + number;
        file(folder + "/topology/thread_siblings_list", siblings);
        file(folder + "/cache/index0/level", "1").file(folder + "/cache/index0/shared_cpu_list", siblings);
        file(folder + "/cache/index2/level", "2").file(folder + "/cache/index2/shared_cpu_list", siblings);
        return file(folder + "/cache/index3/level", "3")
            .file(folder + "/cache/index3/shared_cpu_list", lastCacheSharers)
            .file(folder + "/cache/index3/size", "16384K");
    }

    public FakeSystem intel(int model) {
        return file("proc/cpuinfo", "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: " + model
            + "\nmodel name\t: x\n\nprocessor\t: 1\nvendor_id\t: Other");
    }

    /** @param way {@code pci0000:10/0000:10:01.0/0000:11:00.0}: the last part is the device */
    public FakeSystem pci(String way, String code, String vendor, String speed, String width, int numa) {
        String folder = "sys/devices/" + way;
        file(folder + "/class", code).file(folder + "/vendor", vendor).file(folder + "/device", "0x1234")
            .file(folder + "/numa_node", Integer.toString(numa));
        if (!speed.isEmpty()) {
            file(folder + "/max_link_speed", speed).file(folder + "/max_link_width", width);
        }
        return link("sys/bus/pci/devices/" + way.substring(way.lastIndexOf('/') + 1), folder);
    }
}
