package org.brigade.cli.doctor.machine;

import org.brigade.cli.doctor.check.Check;
import org.brigade.cli.doctor.check.Diagnosis;
import org.brigade.cli.probe.Limits;
import org.brigade.transport.shm.SegmentDescriptor;

/** How long a file may be: the memory that ranks share is one. */
public record FileSizeCheck(Limits limits, int ranks) implements Check {
    @Override
    public Diagnosis diagnosis() {
        long most = limits.of("Max file size");
        String finding = "files of at most " + Words.ofBytes(most);
        if (most >= SegmentDescriptor.forRanks(ranks).bytes()) {
            return Diagnosis.good("file size", Words.ofBytes(most));
        }
        String cure = "ulimit -f unlimited, and for good in /etc/security/limits.conf (fsize)";
        return most < SegmentDescriptor.smallest(2).bytes()
            ? Diagnosis.blocks("file size", finding, "no job can run: the memory that ranks share is a longer file",
                cure)
            : Diagnosis.costs("file size", finding,
                "a job of " + ranks + " ranks ends in Init: the memory that they share is a longer file", cure);
    }
}
