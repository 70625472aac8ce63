package org.brigade.cli.doctor.software;

import java.nio.file.Path;
import org.brigade.cli.doctor.check.Check;
import org.brigade.cli.doctor.check.Diagnosis;
import org.brigade.cli.probe.CompiledCode;
import org.brigade.cli.probe.Mounts;

/**
 * The compiled library, and the folder from which it is loaded: one that only this user can write to, on a file system
 * that permits execution.
 *
 * @param folder this user's; null if there is none
 * @param complaint why there is none, with the cure
 */
public record CompiledCodeCheck(CompiledCode found, Path folder, String complaint, Mounts mounts) implements Check {
    private static final String NAME = "compiled code";

    @Override
    public Diagnosis diagnosis() {
        Mounts.Mount mount = folder == null ? null : mounts.of(folder);
        boolean noexec = mount != null && mount.options().contains("noexec");
        if (found.loaded() && noexec) {
            return Diagnosis.costs(NAME,
                found.words() + ", but not from " + folder + ": " + mount.place() + " is mounted noexec",
                "each rank unpacks its libraries into java.io.tmpdir when it starts",
                "set XDG_CACHE_HOME to a folder of yours on a file system without noexec");
        }
        if (found.loaded()) {
            return Diagnosis.good(NAME, found.words() + (folder == null ? "" : ", from " + folder));
        }
        if (found.state().contains("brigade.native=off")) {
            return Diagnosis.costs(NAME, found.words(), found.cost(), "leave out brigade.native");
        }
        return Diagnosis.costs(NAME, found.words(), found.cost(),
            complaint != null ? complaint.substring(complaint.lastIndexOf("; ") + 1).strip()
                : noexec ? "set XDG_CACHE_HOME, or java.io.tmpdir, to a folder of yours on a file system without noexec"
                    : "on Linux with an x86-64 or aarch64 processor the jar brings this library; elsewhere bin/natives"
                        + " shows how it is compiled");
    }
}
