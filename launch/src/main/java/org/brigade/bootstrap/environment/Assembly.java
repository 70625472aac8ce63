package org.brigade.bootstrap.environment;

import java.util.List;
import org.brigade.aggregation.AggregationProvider;
import org.brigade.aggregation.process.MpiAggregation;
import org.brigade.aggregation.process.TcpAggregation;
import org.brigade.aggregation.sharp.SharpAggregation;
import org.brigade.assembly.JarParts;
import org.brigade.assembly.Parts;
import org.brigade.bootstrap.Bootstrap;
import org.brigade.device.Devices;
import org.brigade.setting.Portable;
import org.brigade.transport.Fabric;
import org.brigade.transport.Transport;
import org.brigade.transport.hostmpi.HostMpiFabric;
import org.brigade.transport.shm.ShmTransport;
import org.brigade.transport.sisci.SisciFabric;
import org.brigade.transport.ucx.UcxFabric;

/**
 * The parts in brigade.jar, and the devices of brigade-cuda.jar if it is beside that. {@link Parts} loads this class by
 * name; each part is loaded when it is asked for.
 */
final class Assembly implements JarParts {
    /** Both are found by name: {@link java.util.ServiceLoader} would cost each start 15 to 30 ms. */
    private static final String DEVICES = "org.brigade.transport.cuda.CudaDevices";
    private static final String JCUDA = "org.brigade.transport.cuda.driver.JCudaNatives";

    static {
        Parts.register(new Assembly());
        prepareJCuda();
    }

    private Bootstrap bootstrap;
    private List<Transport> transports;
    private List<Fabric> fabrics;

    private Assembly() {
    }

    /**
     * JCuda loads its libraries at the program's first call of it, which may come right after Init. What makes that
     * safe is in brigade-cuda.jar; a program without JCuda does not look for it.
     */
    private static void prepareJCuda() {
        if (!Portable.ON && System.getProperty("java.class.path", "").contains("jcuda-natives-")) {
            Runnable natives = (Runnable) beside(JCUDA);
            if (natives != null) {
                natives.run();
            }
        }
    }

    /** An object of a class of brigade-cuda.jar; null if the jar is not there. */
    private static Object beside(String name) {
        try {
            return Class.forName(name, true, Assembly.class.getClassLoader()).getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException | LinkageError withoutTheJar) {
            return null;
        }
    }

    @Override
    public synchronized Bootstrap bootstrap() {
        if (bootstrap == null) {
            bootstrap = new EnvironmentBootstrap();
        }
        return bootstrap;
    }

    @Override
    public synchronized List<Transport> transports() {
        if (transports == null) {
            transports = List.of(new ShmTransport());
        }
        return transports;
    }

    @Override
    public synchronized List<Fabric> fabrics() {
        if (fabrics == null) {
            fabrics = List.of(new SisciFabric(), new HostMpiFabric(), new UcxFabric());
        }
        return fabrics;
    }

    @Override
    public Devices devices() {
        return (Devices) beside(DEVICES);
    }

    @Override
    public AggregationProvider aggregation(String name) {
        try {
            return switch (name) {
                case "tcp" -> new TcpAggregation();
                case "mpi" -> new MpiAggregation();
                case "sharp" -> new SharpAggregation();
                default -> null;
            };
        } catch (LinkageError e) { // a jar without it
            return null;
        }
    }
}
