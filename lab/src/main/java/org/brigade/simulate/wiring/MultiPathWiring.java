package org.brigade.simulate.wiring;

import java.util.Arrays;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.topology.machine.TransferKind;

/**
 * A machine on which messages between two GPUs of a node take two paths at once, the direct one and the one through
 * host memory, if these share no wire and that is faster: multi-path copies.
 *
 * <p>
 * Source: Temucin et al. (2021), section V.A. The share is fixed for a message, so both parts are one flow that uses
 * each path's resources in proportion and is limited by the slower part. At the best share both end together: with 72
 * and 53 GB/s, 53/125 of the bytes go through the host. Its start-up is the sum of both.
 */
public final class MultiPathWiring extends DerivedWiring {
    private static final int CACHED = 1 << 12;

    private final MachineWiring machine;
    /** NaN for the best share. */
    private final double fixedShare;
    private final Pair[] pairs = new Pair[CACHED];

    /** Two routes of a pair of ranks, and the route of both at once. */
    private record Pair(Route direct, Route host, double share, Route both, double breakEven) {
    }

    private MultiPathWiring(MachineWiring machine, double fixedShare) {
        super(machine);
        this.machine = machine;
        this.fixedShare = fixedShare;
    }

    /** With the best share on an idle machine, and none where two paths do not pay. */
    public static MultiPathWiring of(MachineWiring machine) {
        return new MultiPathWiring(machine, Double.NaN);
    }

    /** With the same share, from 0 to 1, through host memory for all messages that have two paths. */
    public static MultiPathWiring sharing(MachineWiring machine, double share) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("a share of " + share + " through host memory: pass 0 to 1");
        }
        return new MultiPathWiring(machine, share);
    }

    /** The share of a message's bytes that goes through host memory; 0 if it takes one path. */
    public double share(int from, int to, long bytes) {
        Pair pair = pair(from, to, bytes);
        return pair != null && bytes > pair.breakEven ? pair.share : 0;
    }

    @Override
    public Route route(int from, int to, long bytes) {
        Pair pair = pair(from, to, bytes);
        return pair == null ? machine.route(from, to, bytes) : bytes > pair.breakEven ? pair.both : pair.direct;
    }

    /** Null if the ranks are not on GPUs of one node. */
    private Pair pair(int from, int to, long bytes) {
        if (!machine.holdsDevices() || machine.node(from) != machine.node(to)) {
            return null;
        }
        Route direct = machine.route(from, to, bytes);
        Route host = machine.route(from, to, bytes, RouteChoice.HOST);
        int slot = (int) ((1 + (long) from * machine.ranks() + to) * 0x9E3779B97F4A7C15L >>> 52);
        Pair known = pairs[slot];
        if (known == null || known.direct != direct || known.host != host) {
            known = machine.kind(from, to) == TransferKind.PEER ? combine(direct, host)
                : new Pair(direct, host, 0, direct, Double.POSITIVE_INFINITY);
            pairs[slot] = known;
        }
        return known;
    }

    private Pair combine(Route direct, Route host) {
        double directRate = machine.alone(direct);
        double hostRate = machine.alone(host);
        double share = Double.isNaN(fixedShare) ? hostRate / (directRate + hostRate) : fixedShare;
        if (share == 0 || !apart(direct, host)) {
            return new Pair(direct, host, 0, direct, Double.POSITIVE_INFINITY);
        }
        Route both = both(direct, host, share);
        double later = both.startup() + both.latency() - direct.startup() - direct.latency();
        double sooner = 1 / directRate - 1 / machine.alone(both);
        return new Pair(direct, host, share, both, Double.isNaN(fixedShare) ? later / sooner : 0);
    }

    private static boolean apart(Route direct, Route host) {
        for (int one : direct.resources()) {
            for (int other : host.resources()) {
                if (one == other) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Both routes as one flow; {@code share} of it, more than 0, goes through the host. */
    private static Route both(Route direct, Route host, double share) {
        if (share == 1) {
            return host;
        }
        int first = direct.resources().length;
        int[] resources = Arrays.copyOf(direct.resources(), first + host.resources().length);
        double[] weights = Arrays.copyOf(direct.weights(), resources.length);
        System.arraycopy(host.resources(), 0, resources, first, host.resources().length);
        System.arraycopy(host.weights(), 0, weights, first, host.resources().length);
        for (int i = 0; i < weights.length; i++) {
            weights[i] *= i < first ? 1 - share : share;
        }
        return new Route(resources, weights, Math.min(direct.most() / (1 - share), host.most() / share),
            direct.startup() + host.startup(), Math.max(direct.latency(), host.latency()));
    }

    @Override
    public CommunicatorTopology wires(int ranks, long bytes) {
        return machine.wires(ranks, bytes);
    }

    @Override
    public int nodes(int ranks) {
        return machine.nodes(ranks);
    }
}
