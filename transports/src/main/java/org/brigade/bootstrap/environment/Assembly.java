package org.brigade.bootstrap.environment;

import org.brigade.assembly.Parts;
import org.brigade.transport.cuda.driver.JCudaNatives;
import org.brigade.transport.hostmpi.HostMpiFabric;
import org.brigade.transport.shm.ShmTransport;
import org.brigade.transport.sisci.SisciFabric;

/** The parts in brigade.jar; {@link Parts} loads this class by name. */
final class Assembly {
    static {
        Parts.register(new EnvironmentBootstrap(), new ShmTransport());
        Parts.register(new SisciFabric());
        Parts.register(new HostMpiFabric());
        JCudaNatives.unpack();
    }

    private Assembly() {
    }
}
