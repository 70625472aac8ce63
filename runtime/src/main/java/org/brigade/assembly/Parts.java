package org.brigade.assembly;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import mpi.ErrorClass;
import org.brigade.aggregation.AggregationProvider;
import org.brigade.bootstrap.Bootstrap;
import org.brigade.bootstrap.Job;
import org.brigade.device.Devices;
import org.brigade.device.LocalDevices;
import org.brigade.select.FabricNames;
import org.brigade.setting.Portable;
import org.brigade.transport.Fabric;
import org.brigade.transport.Transport;

/**
 * Finds the parts of Brigade that live above this module: the bootstrap, the transports, the fabrics between nodes, the
 * devices and the networks that reduce. The module that assembles brigade.jar names them ({@link JarParts}); its class
 * is loaded by name, as {@link java.util.ServiceLoader} would cost each start 15 to 30 ms. ServiceLoader finds what
 * other jars bring, if those of brigade.jar do not serve.
 */
public final class Parts {
    /** The one class that the assembling module is known by. */
    private static final String ASSEMBLY = "org.brigade.bootstrap.environment.Assembly";

    /** Null until the assembly's class is initialized. */
    private static JarParts jar;

    private final Bootstrap bootstrap;

    private Parts(Bootstrap bootstrap) {
        this.bootstrap = bootstrap;
    }

    /** Called by the assembly's class initializer. */
    public static void register(JarParts parts) {
        jar = parts;
        LocalDevices.comeFrom(parts);
    }

    /** The parts of brigade.jar; null if only classes of this module are there. */
    private static synchronized JarParts jar() {
        if (jar == null) {
            try {
                Class.forName(ASSEMBLY, true, Parts.class.getClassLoader());
            } catch (ClassNotFoundException e) {
                return null;
            }
        }
        return jar;
    }

    /** @throws mpi.MPIException if there is no bootstrap */
    public static Parts load() {
        JarParts found = jar();
        Bootstrap bootstrap = found != null ? found.bootstrap()
            : ServiceLoader.load(Bootstrap.class, Parts.class.getClassLoader()).findFirst().orElse(null);
        if (bootstrap == null) {
            throw ErrorClass.OTHER.in("Init", "no bootstrap is on the class path; put the whole brigade.jar there");
        }
        return new Parts(bootstrap);
    }

    public Bootstrap bootstrap() {
        return bootstrap;
    }

    /** The devices of this process ({@link LocalDevices}); null without brigade-cuda.jar. */
    public static Devices devices() {
        jar();
        return LocalDevices.find();
    }

    /** The network that reduces with this name; null if brigade.jar was built without it. */
    public static AggregationProvider aggregation(String name) {
        JarParts found = jar();
        return found == null ? null : found.aggregation(name);
    }

    /** The transports of brigade.jar. */
    public List<Transport> transports() {
        JarParts found = jar();
        return found == null ? List.of() : found.transports();
    }

    /**
     * The first transport that can serve a job.
     *
     * @throws mpi.MPIException if none can, with the reason of each
     */
    public Transport transport(Job job) {
        StringBuilder reasons = new StringBuilder();
        for (Transport transport : transports()) {
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
            reasons.isEmpty() ? "there is no transport on the class path; put the whole brigade.jar there"
                : reasons.toString());
    }

    /** The fabrics of brigade.jar, and others on the class path; none in the portable mode. */
    public List<Fabric> fabrics() {
        if (Portable.ON) {
            return List.of(); // all of them are native
        }
        JarParts found = jar();
        List<Fabric> all = new ArrayList<>(found == null ? List.of() : found.fabrics());
        for (Fabric fabric : ServiceLoader.load(Fabric.class, Parts.class.getClassLoader())) {
            all.add(fabric);
        }
        return all;
    }

    /**
     * Picks the fabric between the nodes of a job.
     *
     * @param wanted name of the fabric; null for the first fabric that can serve the job
     * @throws mpi.MPIException if none can, with the reason of each
     * @throws org.brigade.select.TuningException if a fabric cannot follow one of its settings
     */
    public Fabric fabric(Job job, String wanted) {
        if (Portable.ON) {
            throw ErrorClass.OTHER.in("Init on rank " + job.rank() + " of " + job.size(),
                "only " + job.localSize() + " of the job's ranks are on this node, and " + Portable.WHY
                    + ": it joins the ranks of one machine; start all ranks on one, or run the job on Linux without"
                    + " brigade.portable");
        }
        StringBuilder reasons = new StringBuilder();
        StringBuilder names = new StringBuilder();
        JarParts found = jar();
        for (Fabric fabric : found == null ? List.<Fabric>of() : found.fabrics()) {
            if ((wanted == null || wanted.equals(fabric.name())) && fabric.unfit(job) == null) {
                return fabric; // without a look for other jars
            }
        }
        for (Fabric fabric : fabrics()) {
            names.append(names.isEmpty() ? "" : ", ").append(fabric.name());
            if (wanted == null || wanted.equals(fabric.name())) {
                String reason = fabric.unfit(job);
                if (reason == null) {
                    return fabric;
                }
                reasons.append(reasons.isEmpty() ? "" : "; ").append(fabric.name()).append(": ").append(reason);
            }
        }
        String call = "Init on rank " + job.rank() + " of " + job.size();
        String several = "the job has " + job.size() + " ranks, " + job.localSize() + " of them on this node, and ";
        if (wanted != null && reasons.isEmpty()) {
            throw ErrorClass.OTHER.in(call, several + "brigade.fabric must name a fabric to join its nodes, but "
                + (names.isEmpty() ? "this version has no fabric at all" : FabricNames.complaint(wanted)));
        }
        if (wanted != null) {
            throw ErrorClass.OTHER.in(call,
                several + "the fabric that brigade.fabric names cannot join its nodes: " + reasons);
        }
        throw ErrorClass.OTHER.in(call,
            several + "no fabric can join its nodes" + (reasons.isEmpty() ? "" : " (" + reasons + ")")
                + (job.launcher().equals("mpjrun")
                    ? "; beside --nodes give mpjrun --fabric sisci, which emulates adapters; between hosts install"
                        + " libucx"
                    : "; or start all ranks on one node (mpirun --host thisnode:" + job.size() + ", srun --nodes=1)"));
    }

    private static boolean fits(Transport transport, Job job, StringBuilder reasons) {
        String reason = transport.unfit(job);
        if (reason != null) {
            reasons.append(reasons.isEmpty() ? "" : "; ").append(transport.name()).append(": ").append(reason);
        }
        return reason == null;
    }
}
