package org.brigade.probe;

import java.io.IOException;
import java.nio.file.Path;
import org.brigade.nativ.BrigadeLibrary;
import org.brigade.nativ.Libc;
import org.brigade.nativ.PrivateFolder;
import org.brigade.setting.Portable;
import org.brigade.topology.system.SystemFiles;

/**
 * What copies and reduces in ranks of this user: the library in the jar, else JNA, else Java alone.
 *
 * @param loaded whether it is the library
 * @param state what was loaded, or why nothing was
 * @param jna why JNA cannot be loaded either; null if it can, or need not be
 */
public record CompiledCode(boolean loaded, String state, String jna) {
    public static CompiledCode here() {
        if (Portable.ON) {
            return new CompiledCode(false, Portable.WHY, Portable.WHY);
        }
        if (BrigadeLibrary.LOADED) {
            return new CompiledCode(true, BrigadeLibrary.STATE, null);
        }
        try {
            Libc.copy(0, 0, 0);
            return new CompiledCode(false, BrigadeLibrary.STATE, null);
        } catch (LinkageError e) {
            return new CompiledCode(false, BrigadeLibrary.STATE, String.valueOf(e.getMessage()));
        }
    }

    /** What is lost; empty if nothing is. */
    public String cost() {
        return loaded ? ""
            : jna == null ? "JNA and Java copy and reduce instead, and first calls take some 100 ms longer"
                : "Java copies and reduces instead";
    }

    public String words() {
        return loaded ? "available: " + state + " (copies and reductions)"
            : "not available: " + state + (jna == null || jna.equals(state) ? "" : ", nor is JNA: " + jna);
    }

    /**
     * What to change, if it is not {@link #loaded}.
     *
     * @param noexec whether this user's folder of libraries is on a file system without execution
     * @param complaint why there is no such folder, with the cure; null if there is one
     */
    public String cure(boolean noexec, String complaint) {
        return Portable.ON ? "run on Linux without brigade.portable"
            : state.contains("brigade.native=off") ? "leave out brigade.native"
                : complaint != null ? complaint.substring(complaint.lastIndexOf("; ") + 1).strip()
                    : noexec
                        ? "set XDG_CACHE_HOME, or java.io.tmpdir, to a folder of yours on a file system without noexec"
                        : "on Linux with an x86-64 or aarch64 processor the jar brings this library; elsewhere bin/natives"
                            + " shows how it is compiled";
    }

    /** The same for this process. */
    public String cure() {
        try {
            Mounts.Mount mount =
                Mounts.read(new SystemFiles(Path.of("/"))).of(PrivateFolder.ofThisUser());
            return cure(mount.options().contains("noexec"), null);
        } catch (IOException e) {
            return cure(false, e.getMessage());
        }
    }
}
