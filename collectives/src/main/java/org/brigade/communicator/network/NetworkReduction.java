package org.brigade.communicator.network;

import java.security.SecureRandom;
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
import org.brigade.algorithm.Execution;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.assembly.Parts;
import org.brigade.bootstrap.Nodes;
import org.brigade.communicator.call.Agreement;
import org.brigade.communicator.call.CombinerCache;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.select.Settings;

/**
 * One communicator's network that reduces: opened by all members in the first call that would use it, and lost for all
 * of them at once. The lowest rank of each node is its master, and alone speaks to the network. What is decided here,
 * all members decide alike: by what they have told each other. Under the progress lock.
 */
public final class NetworkReduction {
    private final String setting;
    private final Progress progress;
    private final Membership party;
    private final CombinerCache combiners;
    private final int[] nodeOf;
    /** The members that speak to it, ascending: the first of each node. */
    private final int[] masters;
    private final String communicator;
    private boolean open;
    private long types;
    private long operators;
    /** Null but on a master, and until it is open. */
    private AggregationLink link;
    /** Bit for each type whose refusal has been told. */
    private long told;

    /**
     * How the allreduces of a communicator may be reduced in the network; null where no setting names one, or its ranks
     * are on one node.
     */
    public static NetworkReduction of(Settings settings, Progress progress, Membership party, CombinerCache combiners,
        String communicator) {
        String setting = settings.get("aggregation");
        Nodes nodes = progress.endpoint.nodes();
        return setting == null || nodes == null || nodes.spannedBy(party.members) == 1 ? null
            : new NetworkReduction(setting, progress, party, combiners, nodes, communicator);
    }

    /** What the user forces gives way where it cannot run; that it never can, he should hear. */
    public static void tellIfNoneIsNamed(Settings settings) {
        String forced = settings.get("aggregation") == null ? settings.get("allreduce.algorithm") : null;
        Algorithm algorithm = forced == null ? null : Catalogue.find(Collective.ALLREDUCE, forced);
        if (algorithm != null && algorithm.execution() == Execution.NETWORK) {
            System.err.println("brigade: " + settings.origin("allreduce.algorithm")
                + " is passed over: no network that reduces is named; name one with -Dbrigade.aggregation or"
                + " BRIGADE_AGGREGATION");
        }
    }

    private NetworkReduction(String setting, Progress progress, Membership party, CombinerCache combiners, Nodes nodes,
        String communicator) {
        this.setting = setting;
        this.progress = progress;
        this.party = party;
        this.combiners = combiners;
        this.nodeOf = nodes.of(party.members);
        this.masters = nodes.firsts(party.members);
        this.communicator = communicator;
    }

    /** By member: the number of its node. */
    public int[] nodeOf() {
        return nodeOf;
    }

    /** Whether it has been opened; it may be lost since. */
    boolean isOpen() {
        return open;
    }

    /** This member's link to it; null but on a master. */
    AggregationLink link() {
        return link;
    }

    /**
     * Makes the group; all members call it.
     *
     * @param first key of the messages in which the members agree
     * @param second of those between the masters
     * @return whether all are in it; if not, the lowest rank that is not has said why
     */
    boolean open(Agreement agreement, long first, long second) {
        int ranks = nodeOf.length;
        long[] group = {party.rank == 0 ? new SecureRandom().nextLong() : -1};
        agreement.common(first, group);
        AggregationException failure = null;
        Capabilities capabilities = null;
        for (int number = 0; number < masters.length; number++) {
            if (masters[number] == party.rank) {
                try {
                    link = join(group[0], number, second);
                    capabilities = link.capabilities();
                } catch (AggregationException e) {
                    failure = e;
                }
            }
        }
        boolean failed = failure != null || capabilities != null && capabilities.types() == 0;
        long[] reduced = {failed ? 0 : capabilities == null ? -1 : capabilities.types(),
            failed ? 0 : capabilities == null ? -1 : capabilities.operators()};
        agreement.common(first, reduced);
        types = reduced[0];
        operators = reduced[1];
        long[] firstFailed = {failed ? ranks - party.rank : 0};
        agreement.greatest(first, firstFailed);
        if (firstFailed[0] == ranks - party.rank) {
            tell(failure == null ? "it reduces nothing" : failure.getMessage());
        }
        if (firstFailed[0] > 0) {
            close();
            return false;
        }
        open = true;
        return true;
    }

    private AggregationLink join(long group, int number, long key) throws AggregationException {
        int colon = setting.indexOf(':');
        String kind = colon < 0 ? setting : setting.substring(0, colon);
        AggregationProvider provider = Parts.aggregation(kind);
        if (provider == null) {
            throw new AggregationException(AggregationStatus.ENOT_SUPP,
                "brigade.aggregation=" + setting + ": " + kind + " is not in this brigade.jar");
        }
        MastersExchange exchange = new MastersExchange(progress, party, combiners, communicator, number, masters, key);
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

    /** Whether it reduces a type by an operation. Where it does not, rank 0 says so, once for a type. */
    boolean serves(AggregationType type, Operator operator) {
        String refusal = new Capabilities(types, operators, 0, 0, 0, false).refuses(type, operator);
        if (refusal == null) {
            return true;
        }
        long bit = type == null ? Long.MIN_VALUE : 1L << type.ordinal();
        if (party.rank == 0 && (told & bit) == 0) {
            told |= bit;
            System.err.println("brigade: the network " + refusal + ": such allreduces of " + communicator
                + " go by the ordinary schedules");
        }
        return false;
    }

    /** Says, for all members, why allreduces are not reduced in the network from now on. */
    void tell(String why) {
        System.err.println("brigade: rank " + party.members[party.rank] + ": allreduces of " + communicator
            + " are not reduced in the network, but by the ordinary schedules: " + why);
    }

    /** Leaves the group: it is lost, or the communicator freed. */
    void close() {
        if (link != null) {
            link.close();
            link = null;
        }
    }
}
