package org.brigade.probe;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.brigade.process.Platform;
import org.brigade.setting.Portable;
import org.brigade.topology.system.SystemFiles;

/**
 * The file system in which ranks of a node share memory.
 *
 * @param missing why there is none; null if there is one
 * @param type as the kernel names it: {@code tmpfs}
 * @param total and free: bytes
 * @param options of the mount; empty if the kernel does not tell
 */
public record SharedMemory(String missing, String type, long total, long free, boolean writable,
    List<String> options) {
    /** How it becomes larger. */
    public static final String LARGER =
        "make it larger (mount -o remount,size=1g /dev/shm; docker --shm-size=1g; in Kubernetes a volume emptyDir with"
            + " medium: Memory)";

    public static SharedMemory here() {
        try {
            Path place = Platform.here().folder();
            FileStore store = Files.getFileStore(place);
            return new SharedMemory(null, store.type(), store.getTotalSpace(), store.getUsableSpace(),
                Files.isWritable(place),
                Portable.ON ? List.of() : Mounts.read(new SystemFiles(Path.of("/"))).of(place).options());
        } catch (IOException e) {
            return new SharedMemory(e.getMessage(), "", 0, 0, false, List.of());
        }
    }

    /** Where it is. */
    public static String place() {
        try {
            return Platform.here().folder().toString();
        } catch (IOException none) {
            return System.getProperty("java.io.tmpdir");
        }
    }

    /** Whether it is memory: else the kernel may write messages to a disk. */
    public boolean isMemory() {
        return Set.of("tmpfs", "ramfs", "hugetlbfs").contains(type);
    }

    /** {@code tmpfs, 64 MiB, 60 MiB free}. */
    public String words() {
        return missing != null ? "missing (" + missing + ")"
            : type + ", " + (total >> 20) + " MiB, " + (free >> 20) + " MiB free"
                + (writable ? "" : ", but not writable for this user");
    }
}
