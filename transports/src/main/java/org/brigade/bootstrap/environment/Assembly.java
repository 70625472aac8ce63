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
import org.brigade.transport.Fabric;
import org.brigade.transport.Transport;
import org.brigade.transport.cuda.CudaDevices;
import org.brigade.transport.cuda.driver.JCudaNatives;
import org.brigade.transport.hostmpi.HostMpiFabric;
import org.brigade.transport.shm.ShmTransport;
import org.brigade.transport.sisci.SisciFabric;

/** The parts in brigade.jar. {@link Parts} loads this class by name; each part is loaded when it is asked for. */
final class Assembly implements JarParts {
    static {
        Parts.register(new Assembly());
        JCudaNatives.unpack();
    }

    private Bootstrap bootstrap;
    private List<Transport> transports;
    private List<Fabric> fabrics;

    private Assembly() {
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
            fabrics = List.of(new SisciFabric(), new HostMpiFabric());
        }
        return fabrics;
    }

    @Override
    public Devices devices() {
        try {
            return new CudaDevices();
        } catch (LinkageError e) { // a jar without device code
            return null;
        }
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
