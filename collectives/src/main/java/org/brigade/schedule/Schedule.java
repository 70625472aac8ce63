package org.brigade.schedule;

import java.util.List;

/**
 * What one rank does in a collective: a few lanes of steps over roles and block numbers. It has no addresses, tags or
 * counts: a call binds them when it starts, so one schedule serves all calls of one shape. All messages from one rank
 * to another form one ordered stream.
 *
 * @param blocks number of blocks that a {@link mpi.spi.Extent#VECTOR} is cut into; 1 if the collective has none
 * @param areas areas of SCRATCH in use
 * @param steps number of steps, all lanes together
 */
public record Schedule(String algorithm, Geometry geometry, int blocks, int areas, int steps, List<Lane> lanes) {
    public Schedule {
        lanes = List.copyOf(lanes);
    }
}
