package org.brigade.engine;

import org.brigade.transport.Endpoint;

/**
 * A thread of the library's own that other ranks wait for. If it fails, nobody else answers them: the job ends, and
 * says why.
 */
public final class ServiceThread extends Thread {
    private final Endpoint endpoint;
    private final Runnable service;

    private ServiceThread(Endpoint endpoint, String name, Runnable service) {
        super(name);
        this.endpoint = endpoint;
        this.service = service;
        setDaemon(true);
    }

    /** Starts one. */
    public static Thread start(Endpoint endpoint, String name, Runnable service) {
        Thread thread = new ServiceThread(endpoint, name, service);
        thread.start();
        return thread;
    }

    @Override
    public void run() {
        try {
            service.run();
        } catch (Throwable e) {
            e.printStackTrace();
            JobEnd.threw(endpoint, "threw " + e.getClass().getName() + " out of its thread " + getName());
        }
    }
}
