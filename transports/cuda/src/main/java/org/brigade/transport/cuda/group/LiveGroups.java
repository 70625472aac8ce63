package org.brigade.transport.cuda.group;

import java.util.ArrayList;
import java.util.List;

/** The groups of this process, so that no kernel keeps spinning when the process ends during a call. */
final class LiveGroups {
    private static final List<CudaGroup> GROUPS = new ArrayList<>();
    private static boolean hooked;

    private LiveGroups() {
    }

    static synchronized void add(CudaGroup group) {
        GROUPS.add(group);
        if (!hooked) {
            hooked = true;
            try {
                Runtime.getRuntime().addShutdownHook(new Thread(LiveGroups::exitAll, "brigade-cuda-end"));
            } catch (IllegalStateException alreadyEnding) {
                // Then the driver stops the kernels when the process is gone.
            }
        }
    }

    static synchronized void remove(CudaGroup group) {
        GROUPS.remove(group);
    }

    private static synchronized void exitAll() {
        for (CudaGroup group : GROUPS) {
            group.exit();
        }
    }
}
