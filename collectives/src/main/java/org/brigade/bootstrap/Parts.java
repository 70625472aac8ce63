package org.brigade.bootstrap;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import mpi.spi.ErrorClass;
import org.brigade.device.Devices;
import org.brigade.transport.Transport;

/**
 * The parts of Brigade that stand above this module and are found at run time: the bootstrap and the transports. Those in brigade.jar register themselves when
 * their {@code Assembly} is loaded by name, as {@link java.util.ServiceLoader} would cost each start 15 to 30 ms; others are found by ServiceLoader, when none of
 * those fits.
 */
public final class Parts {
    private static final String ASSEMBLY = "org.brigade.bootstrap.environment.Assembly";
    private static final String DEVICES = "org.brigade.transport.cuda.CudaDevices";

    private static Bootstrap registered;
    private static final List<Transport> TRANSPORTS = new ArrayList<>();

    private static Devices devices;
    private static boolean devicesSought;

    private final Bootstrap bootstrap;

    private Parts(Bootstrap bootstrap) {
        this.bootstrap = bootstrap;
    }

    /** Called by the assembly's class initializer. */
    public static void register(Bootstrap bootstrap, Transport... transports) {
        registered = bootstrap;
        TRANSPORTS.addAll(List.of(transports));
    }

    /** @throws mpi.MPIException if there is no bootstrap */
    public static synchronized Parts load() {
        try {
            Class.forName(ASSEMBLY, true, Parts.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            registered = ServiceLoader.load(Bootstrap.class, Parts.class.getClassLoader()).findFirst().orElse(null);
        }
        if (registered == null) {
            throw ErrorClass.OTHER.in("Init", "no bootstrap is on the class path; put brigade.jar there, whole");
        }
        return new Parts(registered);
    }

    public Bootstrap bootstrap() {
        return bootstrap;
    }

    /** The GPUs of this process; null if brigade.jar was made without. Found when first asked for. */
    public static synchronized Devices devices() {
        if (devices == null && !devicesSought) {
            devicesSought = true;
            try {
                devices = (Devices) Class.forName(DEVICES, true, Parts.class.getClassLoader()).getDeclaredConstructor().newInstance();
            } catch (ReflectiveOperationException e) {
                devices = null;
            }
        }
        return devices;
    }

    /** The GPUs of this process if anyone has asked for them; else null. */
    public static synchronized Devices devicesSoFar() {
        return devices;
    }

    /** The transports of brigade.jar. */
    public List<Transport> transports() {
        return List.copyOf(TRANSPORTS);
    }

    /**
     * The first transport that can serve a job.
     *
     * @throws mpi.MPIException if none can, with the reason of each
     */
    public Transport transport(Job job) {
        StringBuilder reasons = new StringBuilder();
        for (Transport transport : TRANSPORTS) {
            if (fits(transport, job, reasons)) {
                return transport;
            }
        }
        for (Transport transport : ServiceLoader.load(Transport.class, Parts.class.getClassLoader())) {
            if (fits(transport, job, reasons)) {
                return transport;
            }
        }
        throw ErrorClass.OTHER.in("Init on rank " + job.rank() + " of " + job.size(),
            reasons.isEmpty() ? "there is no transport on the class path; put brigade.jar there, whole" : reasons.toString());
    }

    private static boolean fits(Transport transport, Job job, StringBuilder reasons) {
        String reason = transport.unfit(job);
        if (reason != null) {
            reasons.append(reasons.isEmpty() ? "" : "; ").append(transport.name()).append(": ").append(reason);
        }
        return reason == null;
    }
}
