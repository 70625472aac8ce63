package org.brigade.communicator;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import mpi.spi.Communicator;
import org.brigade.bootstrap.CoreShare;
import org.brigade.device.Devices;
import org.brigade.topology.Place;
import org.brigade.transport.Endpoint;

/** A job whose ranks are threads of this JVM, each with a provider of its own. */
public final class ThreadJob {
    /** What a rank does. */
    public interface Program {
        void run(BrigadeProvider provider, Communicator world) throws Exception;
    }

    private ThreadJob() {
    }

    /**
     * Runs a program on every rank; throws the first failure, or names the ranks that did not come to an end in time.
     */
    public static void run(Endpoint[] endpoints, Program program) throws Exception {
        run(endpoints, false, program);
    }

    /** The same; each rank waits as one that has these cores. */
    public static void run(Endpoint[] endpoints, CoreShare cores, Program program) throws Exception {
        run(endpoints, cores, false, null, null, program);
    }

    /** The same; {@code checks} as by {@code brigade.check}. */
    public static void run(Endpoint[] endpoints, boolean checks, Program program) throws Exception {
        run(endpoints, checks, null, program);
    }

    /** The same; each rank has these devices, null for none. */
    public static void run(Endpoint[] endpoints, boolean checks, Devices[] devices, Program program) throws Exception {
        run(endpoints, checks, devices, null, program);
    }

    /** The same; each rank says that it runs at its place, null for this process's. */
    public static void run(Endpoint[] endpoints, boolean checks, Devices[] devices, Place[] places, Program program)
        throws Exception {
        run(endpoints, null, checks, devices, places, program);
    }

    /** @param cores null for those that each endpoint tells */
    private static void run(Endpoint[] endpoints, CoreShare cores, boolean checks, Devices[] devices, Place[] places,
        Program program) throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        CountDownLatch done = new CountDownLatch(endpoints.length);
        Thread[] threads = new Thread[endpoints.length];
        for (int rank = 0; rank < endpoints.length; rank++) {
            Endpoint endpoint = endpoints[rank];
            threads[rank] = new Thread(() -> {
                try {
                    BrigadeProvider provider = new BrigadeProvider();
                    provider.start(endpoint, cores == null ? endpoint.cores() : cores, checks, devices == null ? null
                        : devices[endpoint.rank()],
                        places == null ? null : places[endpoint.rank()]);
                    program.run(provider, provider.world());
                } catch (Throwable e) {
                    failure.compareAndSet(null,
                        new AssertionError("rank " + endpoint.rank() + " of " + endpoints.length + ": " + e, e));
                } finally {
                    done.countDown();
                }
            }, "rank " + rank);
            threads[rank].setDaemon(true);
            threads[rank].start();
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(200);
        while (!done.await(20, TimeUnit.MILLISECONDS)) {
            if (failure.get() != null && done.await(1, TimeUnit.SECONDS)) {
                break;
            }
            if (failure.get() != null || System.nanoTime() > deadline) {
                StringBuilder where = new StringBuilder();
                for (Thread thread : threads) {
                    if (thread.isAlive()) {
                        where.append('\n').append(thread.getName()).append(" hangs");
                        for (StackTraceElement frame : thread.getStackTrace()) {
                            where.append("\n    ").append(frame);
                        }
                    }
                }
                throw new AssertionError("the job did not end" + where, failure.get());
            }
        }
        if (failure.get() != null) {
            throw new AssertionError(failure.get());
        }
    }

    /** How often tests in vain have given the processor of a rank away. */
    public static long timesLent(BrigadeProvider provider) {
        provider.job().progress().lock.lock();
        try {
            return provider.job().progress().timesLent();
        } finally {
            provider.job().progress().lock.unlock();
        }
    }
}
