package org.brigade.engine;

import org.brigade.transport.Endpoint;

/**
 * Ends this process when its launcher has died, even while the rank computes or has finalized. The kernel's own way,
 * prctl(PR_SET_PDEATHSIG), would need native code in Init, and watches the thread that started the process, which need
 * not be the launcher's main thread.
 */
public final class LauncherWatch extends Thread {
    private static final long INTERVAL_MILLIS = 1000;

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
        String lost = endpoint.lostLauncher();
        while (lost == null) {
            try {
                sleep(INTERVAL_MILLIS);
            } catch (InterruptedException e) {
                // An interrupt must not end the watch before the process ends.
            }
            lost = endpoint.lostLauncher();
        }
        JobEnd.because(endpoint, "computing", lost);
    }
}
