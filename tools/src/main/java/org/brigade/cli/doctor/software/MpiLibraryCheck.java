package org.brigade.cli.doctor.software;

import org.brigade.cli.doctor.check.Check;
import org.brigade.cli.doctor.check.Diagnosis;

/**
 * The host's MPI, over which ranks on different nodes exchange messages.
 *
 * @param missing why there is none, with the cure; null if there is one
 * @param library in words; null if there is none
 * @param adapters whether there are Dolphin's, which need none
 */
public record MpiLibraryCheck(String missing, String library, boolean adapters) implements Check {
    @Override
    public Diagnosis diagnosis() {
        return missing == null ? Diagnosis.good("MPI library", library)
            : Diagnosis.missing("MPI library", missing,
                adapters ? "jobs on several nodes go over SISCI only" : "jobs run on one node only");
    }
}
