package org.brigade.cli.doctor.machine;

import org.brigade.cli.doctor.check.Check;
import org.brigade.cli.doctor.check.Diagnosis;

/**
 * The control group's limit of processor time.
 *
 * @param quota whole processors; the largest number if there is no limit
 * @param allowed processors that this process may run on; 0 if unknown
 */
public record QuotaCheck(int quota, int allowed) implements Check {
    @Override
    public Diagnosis diagnosis() {
        if (quota == Integer.MAX_VALUE || allowed > 0 && quota >= allowed) {
            return Diagnosis.good("cpu quota", quota == Integer.MAX_VALUE ? "none" : quota + " processors' time");
        }
        return Diagnosis.costs("cpu quota", "the control group grants the time of " + quota
            + (quota == 1 ? " processor" : " processors") + (allowed > 0 ? ", and " + allowed + " may be used" : ""),
            "when the ranks' and the JVMs' threads have used that, the kernel stops all of them until its next period,"
                + " which is 100 ms by default; waiting ranks spin and use it, too",
            "start at most " + quota + (quota == 1 ? " rank" : " ranks")
                + ", or raise the limit (docker --cpus, limits.cpu of Kubernetes, CPUQuota of systemd)");
    }
}
