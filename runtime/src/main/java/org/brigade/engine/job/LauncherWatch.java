package org.brigade.engine.job;

import org.brigade.bootstrap.OtherThreads;
import org.brigade.nativ.ProcessGuard;
import org.brigade.transport.Endpoint;

/**
 * Ends this process when its launcher has died, even while the rank computes or has finalized. It waits in native code
 * ({@link ProcessGuard}) or, where that cannot be, looks once a second. The kernel's own way, prctl(PR_SET_PDEATHSIG),
 * watches the thread that started the process, which need not be the launcher's main thread.
 */
public final class LauncherWatch extends Thread {
    private static final long INTERVAL_MILLIS = 1000;
    /** The library is loaded only so late: jobs that last no longer do without. */
    private static final long START_MILLIS = 100;
    /** How long this process may take to say why it ends. */
    private static final int GRACE_MILLIS = 700;

    private final Endpoint endpoint;

    private LauncherWatch(Endpoint endpoint) {
        super("brigade-launcher");
        this.endpoint = endpoint;
        setDaemon(true);
    }

    /** Watches from now on. */
    public static void start(Endpoint endpoint) {
        new LauncherWatch(endpoint).start();
    }

    @Override
    public void run() {
        OtherThreads.join();
        int[] launchers = endpoint.launchers();
        if (launchers.length == 0) {
            return;
        }
        pause(START_MILLIS);
        String lost = endpoint.lostLauncher();
        if (lost == null && ProcessGuard.endSoonAfter(launchers, GRACE_MILLIS)) {
            lost = endpoint.lostLauncher();
        }
        while (lost == null) {
            pause(INTERVAL_MILLIS);
            lost = endpoint.lostLauncher();
        }
        JobEnd.because(endpoint, "computing", lost);
    }

    private static void pause(long millis) {
        try {
            sleep(millis);
        } catch (InterruptedException e) {
            // An interrupt must not end the watch before the process ends.
        }
    }
}
