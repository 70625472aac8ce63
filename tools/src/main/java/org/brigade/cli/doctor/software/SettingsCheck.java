package org.brigade.cli.doctor.software;

import java.util.List;
import org.brigade.cli.doctor.check.Check;
import org.brigade.cli.doctor.check.Diagnosis;

/**
 * The settings of this environment.
 *
 * @param given those that are set, as {@code name=value}
 * @param wrong why Init would fail; null if it would not
 * @param unknown variables that no setting has, in words; null if there are none
 */
public record SettingsCheck(List<String> given, String wrong, String unknown) implements Check {
    @Override
    public Diagnosis diagnosis() {
        String set = given.isEmpty() ? "none" : String.join(" ", given);
        if (wrong != null) {
            return Diagnosis.blocks("settings", set, "Init fails: " + wrong,
                "set a value that brigade info --settings allows, or unset it");
        }
        return unknown != null
            ? Diagnosis.costs("settings", set + "; " + unknown, "nothing is set by it, and rank 0 of each job says so",
                "correct the name (brigade info --settings lists them), or unset the variable")
            : Diagnosis.good("settings", set);
    }
}
