package org.brigade.assembly;

import java.util.List;
import org.brigade.aggregation.AggregationProvider;
import org.brigade.bootstrap.Bootstrap;
import org.brigade.device.LocalDevices;
import org.brigade.transport.Fabric;
import org.brigade.transport.Transport;

/** The parts that one jar assembles, named in code. None is loaded before it is asked for. */
public interface JarParts extends LocalDevices.Source {
    Bootstrap bootstrap();

    /** The preferred one first. */
    List<Transport> transports();

    /** The preferred one first. */
    List<Fabric> fabrics();

    /** The network that reduces with this name; null if the jar has none, or without its libraries. */
    AggregationProvider aggregation(String name);
}
