package org.brigade.bootstrap.environment;

import org.brigade.process.Platform;
import org.brigade.process.ProcessStat;

/** The ancestors of this process. Hydra does not name the job, but all its ranks of a node descend from one proxy. */
interface Ancestors {
    /** Pid and start time of the process that started this rank, as part of a job's key. */
    String launcher();

    /** Looks up through shells and scripts for Hydra's proxy, else takes the parent. */
    static Ancestors ofThisProcess() {
        return new Ancestors() {
            @Override
            public String launcher() {
                ProcessStat self = ProcessStat.self();
                ProcessStat parent = self == null ? null : ProcessStat.of(self.parent());
                for (ProcessStat above = parent; above != null; above = ProcessStat.of(above.parent())) {
                    if (above.command().equals("hydra_pmi_proxy")) {
                        return key(above);
                    }
                }
                return parent == null ? portable(Platform.here().parent()) : key(parent);
            }
        };
    }

    /** Where ancestors do not tell their names, the parent. */
    private static String portable(long parent) {
        return parent + "-" + Math.max(0, Platform.here().start(parent));
    }

    private static String key(ProcessStat process) {
        return process.pid() + "-" + process.startTime();
    }
}
