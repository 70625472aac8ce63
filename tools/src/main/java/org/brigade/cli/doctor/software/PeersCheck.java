package org.brigade.cli.doctor.software;

import java.util.Map;
import org.brigade.cli.doctor.check.Check;
import org.brigade.cli.doctor.check.Diagnosis;

/**
 * C MPIs that {@code brigade bench --vs} could measure beside Brigade: their compilers, and what these need.
 *
 * @param installed of each, by name: its version
 * @param absent of each, by name: why it cannot be used, with the cure
 */
public record PeersCheck(Map<String, String> installed, Map<String, String> absent) implements Check {
    @Override
    public Diagnosis diagnosis() {
        String there = String.join(", ", installed.values());
        return absent.isEmpty() || !installed.isEmpty()
            ? Diagnosis.good("other MPIs",
                there + (absent.isEmpty() ? "" : "; not " + String.join(", ", absent.keySet())))
            : Diagnosis.missing("other MPIs", "no mpicc of " + String.join(" or ", absent.keySet()) + " can be used",
                "brigade bench --vs has nothing to compare with", String.join("; or ", absent.values()));
    }
}
