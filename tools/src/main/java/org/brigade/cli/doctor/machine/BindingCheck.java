package org.brigade.cli.doctor.machine;

import org.brigade.cli.doctor.check.Check;
import org.brigade.cli.doctor.check.Diagnosis;

/**
 * What mpjrun binds ranks with.
 *
 * @param taskset its path; null if there is none
 * @param line what could be bound, in words
 */
public record BindingCheck(String taskset, String line) implements Check {
    @Override
    public Diagnosis diagnosis() {
        return taskset != null ? Diagnosis.good("binding", line)
            : Diagnosis.costs("binding", line, "jobs with --bind-to start 0.1 s later",
                "install taskset (Debian, Ubuntu: apt-get install util-linux; Alpine: apk add util-linux-misc)");
    }
}
