package org.brigade.simulate.wiring;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Levels;
import org.brigade.pattern.NetworkSpeed;

/**
 * A plain three-level fat tree of switches with {@code radix} ports each, one rank a host. A leaf switch has d hosts
 * and u links up, d = ratio times u, d + u at most the radix; a pod is radix / 2 leaves below u switches, each of which
 * has radix / 2 links up; nothing is oversubscribed above the leaves. Every link is full duplex at one rate.
 *
 * <p>
 * The destination alone decides a message's path upwards, as in static routing (D-mod-k: E. Zahavi, "Fat-tree routing
 * and node ordering providing contention free traffic for MPI global collectives", 2012): at the leaf by the
 * destination modulo u, at the next level by the quotient modulo radix / 2.
 *
 * <p>
 * Default numbers: 36 ports and 12.5 GB/s, an EDR InfiniBand switch by its data sheet, which also gives 90 ns from port
 * to port. Estimates: 1.3 us to start a message, and 20 GB/s for reducing and copying on a host.
 *
 * <p>
 * The switches may reduce, along one tree: hosts to their leaves, leaves to the first switch of their pod, pods to the
 * first at the top, as far up as the masters require. Sums move at 96 % of a link's rate (R. Graham and others, "SHARP
 * Streaming-Aggregation hardware design and evaluation", ISC 2020: allreduce at about 96 % of point-to-point
 * bandwidth). Estimate: 200 ns for reducing in each switch on the way up, beside its 90 ns.
 */
public final class FatTreeWiring implements RoutingModel {
    public static final int RADIX = 36;
    static final int MOST_RADIX = 1024;
    private static final double RATE = 12.5e9;
    private static final double STARTUP = 1.3e-6;
    private static final double HOP = 90e-9;
    private static final double LOCAL_RATE = 20e9;
    private static final double STREAMED_SHARE = 0.96;
    private static final double SWITCH_REDUCTION = 200e-9;
    private static final double NANOS = 1e9;
    private static final double BITS = 8;

    private final int hosts;
    private final int down;
    private final int up;
    private final int half;
    private final int leaves;
    private final int pods;
    /** First resources of links between leaves and pods' switches, and between these and the top. */
    private final int firstMiddle;
    private final int firstTop;
    private final double rate;
    private final double startup;
    private final double hop;
    private final Route local;
    private final boolean reducing;

    /** A tree of EDR InfiniBand. */
    public FatTreeWiring(int hosts, int ratio, int radix) {
        this(hosts, ratio, radix, false);
    }

    /** A tree of EDR InfiniBand whose switches may reduce. */
    public FatTreeWiring(int hosts, int ratio, int radix, boolean reducing) {
        this(hosts, ratio, radix, RATE, STARTUP, HOP, LOCAL_RATE, reducing);
    }

    /**
     * @param hosts 1 to {@link #mostHosts}
     * @param ratio hosts of a leaf for each of its links up: 1 is a tree of full bisection bandwidth
     * @param radix ports of a switch, even
     * @param rate bytes/s of a link, each way
     * @param startup seconds that a sender needs to start a message
     * @param hop seconds from port to port of a switch
     * @param localRate bytes/s of reducing and of copying on a host
     * @param reducing whether switches reduce
     */
    public FatTreeWiring(int hosts, int ratio, int radix, double rate, double startup, double hop, double localRate,
        boolean reducing) {
        if (ratio < 1 || radix < 4 || radix > MOST_RADIX || radix % 2 != 0 || ratio >= radix) {
            throw new IllegalArgumentException("a fat tree of switches with " + radix + " ports, " + ratio
                + ":1 oversubscribed, cannot be built: ports must be even, 4 to " + MOST_RADIX
                + ", and the ratio from 1 to ports - 1");
        }
        up = radix / (1 + ratio);
        down = up * ratio;
        half = radix / 2;
        long most = mostHosts(ratio, radix);
        if (hosts < 1 || hosts > most) {
            throw new IllegalArgumentException("a fat tree of switches with " + radix + " ports, " + ratio
                + ":1 oversubscribed, has 1 to " + most + " hosts, not " + hosts
                + "; take switches with more ports, as in fat-tree:" + hosts + ":" + ratio + ":64");
        }
        this.hosts = hosts;
        this.rate = rate;
        this.startup = startup;
        this.hop = hop;
        this.reducing = reducing;
        leaves = (hosts + down - 1) / down;
        pods = (leaves + half - 1) / half;
        firstMiddle = 2 * hosts;
        firstTop = firstMiddle + 2 * leaves * up;
        local = Route.through(localRate, 0, 0);
    }

    /** Hosts of the largest tree of three levels. */
    public static long mostHosts(int ratio, int radix) {
        return (long) radix / (1 + ratio) * ratio * (radix / 2) * radix;
    }

    @Override
    public int ranks() {
        return hosts;
    }

    @Override
    public int resources() {
        return firstTop + 2 * pods * up * half;
    }

    @Override
    public double capacity(int resource) {
        return rate;
    }

    @Override
    public String name(int resource) {
        boolean rising = resource % 2 == 0;
        String low;
        String high;
        if (resource < firstMiddle) {
            low = "host" + resource / 2;
            high = "leaf" + resource / 2 / down;
        } else if (resource < firstTop) {
            int link = (resource - firstMiddle) / 2;
            low = "leaf" + link / up;
            high = "pod" + link / up / half + "/switch" + link % up;
        } else {
            int link = (resource - firstTop) / 2;
            int middle = link / half;
            low = "pod" + middle / up + "/switch" + middle % up;
            high = "top" + (middle % up * half + link % half);
        }
        return rising ? low + " > " + high : high + " > " + low;
    }

    @Override
    public Route route(int from, int to, long bytes) {
        int fromLeaf = from / down;
        int toLeaf = to / down;
        if (fromLeaf == toLeaf) {
            return Route.through(Double.POSITIVE_INFINITY, startup, hop, 2 * from, 2 * to + 1);
        }
        int port = to % up;
        int rise = firstMiddle + 2 * (fromLeaf * up + port);
        int fall = firstMiddle + 2 * (toLeaf * up + port) + 1;
        int fromPod = fromLeaf / half;
        int toPod = toLeaf / half;
        if (fromPod == toPod) {
            return Route.through(Double.POSITIVE_INFINITY, startup, 3 * hop, 2 * from, rise, fall, 2 * to + 1);
        }
        int top = to / up % half;
        int above = firstTop + 2 * ((fromPod * up + port) * half + top);
        int below = firstTop + 2 * ((toPod * up + port) * half + top) + 1;
        return Route.through(Double.POSITIVE_INFINITY, startup, 5 * hop, 2 * from, rise, above, below, fall,
            2 * to + 1);
    }

    @Override
    public Route aggregation(int[] masters, int rail, long bytes) {
        if (!reducing) {
            return null;
        }
        int firstLeaf = masters[0] / down;
        int lastLeaf = masters[masters.length - 1] / down;
        int firstPod = firstLeaf / half;
        int lastPod = lastLeaf / half;
        int[] links = new int[2 * masters.length + 2 * (lastLeaf - firstLeaf + 1) + 2 * (lastPod - firstPod + 1)];
        int count = 0;
        int leaf = -1;
        int pod = -1;
        for (int master : masters) {
            count = both(links, count, 2 * master);
            if (master / down != leaf && firstLeaf != lastLeaf) {
                leaf = master / down;
                count = both(links, count, firstMiddle + 2 * leaf * up);
                if (leaf / half != pod && firstPod != lastPod) {
                    pod = leaf / half;
                    count = both(links, count, firstTop + 2 * pod * up * half);
                }
            }
        }
        int height = firstLeaf == lastLeaf ? 1 : firstPod == lastPod ? 2 : 3;
        return Route.through(STREAMED_SHARE * rate, startup, (2 * height - 1) * hop + height * SWITCH_REDUCTION,
            Arrays.copyOf(links, count));
    }

    /** Adds a link's two directions. */
    private static int both(int[] links, int count, int rising) {
        links[count] = rising;
        links[count + 1] = rising + 1;
        return count + 2;
    }

    @Override
    public Route reduction(int rank, long bytes) {
        return local;
    }

    @Override
    public Route copy(int rank, long bytes) {
        return local;
    }

    /** Each host is a node; leaves and pods are levels. Rank order is as good a chain as any. */
    @Override
    public CommunicatorTopology wires(int members, long bytes) {
        int[] leaf = new int[members];
        int[] pod = new int[members];
        Arrays.setAll(leaf, rank -> rank / down);
        Arrays.setAll(pod, rank -> rank / down / half);
        CommunicatorTopology wires = new CommunicatorTopology(null, Levels.dividing(leaf, pod), null, members)
            .at(new NetworkSpeed(Math.round(NANOS * (startup + hop)), Math.round(BITS * rate), 1, "the fat tree's"));
        return reducing ? wires.reducing(IntStream.range(0, members).toArray(), 1) : wires;
    }

    /** Each rank has a host to itself. */
    @Override
    public int nodes(int ranks) {
        return ranks;
    }
}
