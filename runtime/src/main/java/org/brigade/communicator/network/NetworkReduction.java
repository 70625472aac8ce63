package org.brigade.communicator.network;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.stream.IntStream;
import mpi.spi.Collective;
import mpi.spi.Reduction.Operator;
import org.brigade.aggregation.AggregationException;
import org.brigade.aggregation.AggregationGroup;
import org.brigade.aggregation.AggregationLink;
import org.brigade.aggregation.AggregationProvider;
import org.brigade.aggregation.AggregationStatus;
import org.brigade.aggregation.AggregationType;
import org.brigade.aggregation.Capabilities;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.WireUse;
import org.brigade.algorithm.allreduce.InNetworkAllreduce;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.assembly.Parts;
import org.brigade.bootstrap.Nodes;
import org.brigade.communicator.call.Agreement;
import org.brigade.communicator.call.CombinerCache;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.select.Settings;

/**
 * One communicator's use of networks that reduce: one, or several side by side (rails). All members open them together
 * in the first call that would use them, and lose them together. Only masters talk to a network; each node has one for
 * each rail. All members decide alike, by what they have told each other. Under the progress lock.
 */
public final class NetworkReduction {
    /** Between the rails of the setting, as an expression. */
    private static final String RAILS = "\\+";

    /** By rail. */
    private final String[] settings;
    private final Progress progress;
    private final Membership membership;
    private final CombinerCache combiners;
    private final CommunicatorTopology wires;
    private final String communicator;
    private boolean open;
    private long types;
    private long operators;
    /** By rail: null where this member is no master, and until the network is open. */
    private final AggregationLink[] links;
    /** One bit for each type whose refusal has been printed. */
    private long told;

    /**
     * The network for a communicator's allreduces; null if no setting names a network, or all ranks are on one node.
     */
    public static NetworkReduction of(Settings settings, Progress progress, Membership membership,
        CombinerCache combiners,
        String communicator, CommunicatorTopology known) {
        Nodes nodes = progress.endpoint.nodes();
        if (nodes == null || nodes.spannedBy(membership.members) == 1) {
            return null;
        }
        String setting = settings.get("aggregation");
        return setting == null ? null
            : new NetworkReduction(setting, progress, membership, combiners, nodes, communicator, known);
    }

    /** Warns if a forced algorithm needs a network that reduces, but none is named: the algorithm would never run. */
    public static void tellIfNoneIsNamed(Settings settings) {
        String forced = settings.get("aggregation") == null ? settings.get("allreduce.algorithm") : null;
        Algorithm algorithm = forced == null ? null : Catalogue.find(Collective.ALLREDUCE, forced);
        if (algorithm != null && algorithm.wireUse() == WireUse.NETWORK) {
            System.err.println("brigade: " + settings.origin("allreduce.algorithm")
                + " is passed over: no network that reduces is named; name one with -Dbrigade.aggregation or"
                + " BRIGADE_AGGREGATION");
        }
    }

    private NetworkReduction(String setting, Progress progress, Membership membership, CombinerCache combiners,
        Nodes nodes,
        String communicator, CommunicatorTopology known) {
        settings = setting.split(RAILS, -1);
        this.progress = progress;
        this.membership = membership;
        this.combiners = combiners;
        int[] nodeOf = nodes.of(membership.members);
        wires =
            CommunicatorTopology.ofNodes(known.isOrdered() ? known.order(nodeOf.length) : null, nodeOf).reducing(nodeOf,
                settings.length);
        links = new AggregationLink[settings.length];
        this.communicator = communicator;
    }

    /** What the schedules of calls by these networks know of the wires. */
    public CommunicatorTopology wires() {
        return wires;
    }

    /** Whether the network was opened; it may be lost since. */
    boolean isOpen() {
        return open;
    }

    /** This member's links to the networks, by rail; null where it is no master. */
    AggregationLink[] links() {
        return links;
    }

    /**
     * Opens the network; all members call it.
     *
     * @param first key of the messages between all members
     * @param second key of the messages between the masters
     * @return whether all masters have joined; if not, the lowest rank that could not has printed why
     */
    boolean open(Agreement agreement, long first, long second) {
        int ranks = membership.members.length;
        long[] group = {membership.rank == 0 ? new SecureRandom().nextLong() : -1};
        agreement.common(first, group);
        AggregationException failure = null;
        long[] reduced = {-1, -1};
        for (int rail = 0; rail < settings.length; rail++) {
            int[] masters = masters(rail);
            int number = Arrays.binarySearch(masters, membership.rank);
            if (number >= 0) {
                try {
                    links[rail] = join(settings[rail], group[0] + rail, number, masters, second);
                    reduced[0] &= links[rail].capabilities().types();
                    reduced[1] &= links[rail].capabilities().operators();
                } catch (AggregationException e) {
                    failure = failure == null ? e : failure; // the other rails' masters wait for this one
                }
            }
        }
        boolean failed = failure != null || reduced[0] == 0;
        if (failed) {
            Arrays.fill(reduced, 0);
        }
        agreement.common(first, reduced);
        types = reduced[0];
        operators = reduced[1];
        long[] firstFailed = {failed ? ranks - membership.rank : 0};
        agreement.greatest(first, firstFailed);
        if (firstFailed[0] == ranks - membership.rank) {
            tell(failure == null ? "it reduces nothing" : failure.getMessage());
        }
        if (firstFailed[0] > 0) {
            close();
            return false;
        }
        open = true;
        return true;
    }

    /** The members that talk to a rail's network, ascending: one of each node. */
    private int[] masters(int rail) {
        int ranks = membership.members.length;
        return IntStream.range(0, ranks)
            .filter(rank -> InNetworkAllreduce.master(wires, ranks, rank, rail) == rank).toArray();
    }

    private AggregationLink join(String setting, long group, int number, int[] masters, long key)
        throws AggregationException {
        int colon = setting.indexOf(':');
        String kind = colon < 0 ? setting : setting.substring(0, colon);
        AggregationProvider provider = Parts.aggregation(kind);
        if (provider == null) {
            throw new AggregationException(AggregationStatus.ENOT_SUPP,
                "brigade.aggregation=" + setting + ": " + kind + " is not in this brigade.jar");
        }
        MastersExchange exchange =
            new MastersExchange(progress, membership, combiners, communicator, number, masters, key);
        AggregationGroup joined;
        try {
            joined = provider.join(colon < 0 ? "" : setting.substring(colon + 1), group, exchange);
        } finally {
            exchange.end();
        }
        try {
            return new AggregationLink(joined);
        } catch (AggregationException e) {
            joined.close();
            throw e;
        }
    }

    /** Whether the network reduces a type by an operation. If not, rank 0 says so once for each type. */
    boolean serves(AggregationType type, Operator operator) {
        String refusal = new Capabilities(types, operators, 0, 0, 0, false).refuses(type, operator);
        if (refusal == null) {
            return true;
        }
        long bit = type == null ? Long.MIN_VALUE : 1L << type.ordinal();
        if (membership.rank == 0 && (told & bit) == 0) {
            told |= bit;
            System.err.println("brigade: the network " + refusal + ": such allreduces of " + communicator
                + " go by the ordinary schedules");
        }
        return false;
    }

    /** Prints, for all members, why the network does not reduce allreduces from now on. */
    void tell(String why) {
        System.err.println("brigade: rank " + membership.members[membership.rank] + ": allreduces of " + communicator
            + " are not reduced in the network, but by the ordinary schedules: " + why);
    }

    /** Leaves the network: it is lost, or the communicator is freed. */
    void close() {
        for (int rail = 0; rail < links.length; rail++) {
            if (links[rail] != null) {
                links[rail].close();
                links[rail] = null;
            }
        }
    }
}
