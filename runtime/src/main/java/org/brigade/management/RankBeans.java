package org.brigade.management;

import mpi.ErrorClass;
import org.brigade.transport.Endpoint;
import org.brigade.waiting.FlightRecorder;

/**
 * Registers this process's rank with the JVM's beans, if the JVM has any. Only {@link RankBean} knows their classes.
 */
public final class RankBeans {
    private static final String MODULE = "java.management";

    private RankBeans() {
    }

    /**
     * Registers the bean of a rank.
     *
     * @param recorder of the rank's calls
     * @return takes it away again, which must be before the endpoint is closed
     * @throws mpi.MPIException if this JVM has no beans, or this one already
     */
    public static AutoCloseable register(Endpoint endpoint, FlightRecorder recorder) {
        if (ModuleLayer.boot().findModule(MODULE).isEmpty()) {
            throw ErrorClass.OTHER.in("Init on rank " + endpoint.rank() + " of " + endpoint.size(),
                "brigade.jmx=on needs beans, and the JVM in " + System.getProperty("java.home") + " is without module "
                    + MODULE + "; leave the setting out, or add the module (java or jlink --add-modules " + MODULE
                    + ")");
        }
        return RankBean.register(endpoint, recorder);
    }
}
