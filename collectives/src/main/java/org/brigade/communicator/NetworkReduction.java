package org.brigade.communicator;

import java.security.SecureRandom;
import java.util.Arrays;
import mpi.spi.Reduction.Operator;
import org.brigade.aggregation.AggregationException;
import org.brigade.aggregation.AggregationGroup;
import org.brigade.aggregation.AggregationLink;
import org.brigade.aggregation.AggregationProvider;
import org.brigade.aggregation.AggregationStatus;
import org.brigade.aggregation.AggregationType;
import org.brigade.aggregation.Capabilities;
import org.brigade.bootstrap.Parts;
import org.brigade.engine.FusedFlat;
import org.brigade.engine.Party;
import org.brigade.engine.Progress;

/**
 * One communicator's network that reduces: opened by all members in the first call that would use it, and lost for all of them at once. The lowest rank of each node is its master, and alone speaks to the network. What
 * is decided here, all members decide alike: by what they have told each other. Under the progress lock.
 */
final class NetworkReduction {
    private final String setting;
    private final Progress progress;
    private final Party party;
    private final int[] nodeOf;
    private final String communicator;
    private boolean open;
    private long types;
    private long operators;
    /** Null but on a master, and until it is open. */
    private AggregationLink link;
    /** Bit for each type whose refusal has been told. */
    private long told;

    NetworkReduction(String setting, Progress progress, Party party, int[] nodeOf, String communicator) {
        this.setting = setting;
        this.progress = progress;
        this.party = party;
        this.nodeOf = nodeOf;
        this.communicator = communicator;
    }

    /** By member: the number of its node. */
    int[] nodeOf() {
        return nodeOf;
    }

    boolean isOpen() {
        return open;
    }

    /** This member's link to it; null but on a master. */
    AggregationLink link() {
        return link;
    }

    /** The members that speak to it, ascending: the first of each node. */
    private int[] masters() {
        int[] masters = new int[nodeOf.length];
        int count = 0;
        for (int member = 0; member < nodeOf.length; member++) {
            boolean first = true;
            for (int before = 0; before < count; before++) {
                first &= nodeOf[masters[before]] != nodeOf[member];
            }
            if (first) {
                masters[count++] = member;
            }
        }
        return Arrays.copyOf(masters, count);
    }

    /**
     * Makes the group; all members call it.
     *
     * @param first  key of the messages in which the group's number is agreed on
     * @param second of those in which the members tell what came of it, and of the masters' own before
     * @return whether all are in it; if not, the lowest rank that is not has said why
     */
    boolean open(FusedFlat fused, long first, long second) {
        int ranks = nodeOf.length;
        long[] numbers = new long[ranks];
        long[] others = new long[ranks];
        fused.exchange(first, party.rank == 0 ? new SecureRandom().nextLong() : 0, 0, numbers, others);
        AggregationException failure = null;
        int[] masters = masters();
        Capabilities capabilities = null;
        for (int number = 0; number < masters.length; number++) {
            if (masters[number] == party.rank) {
                try {
                    link = join(numbers[0], number, masters, second);
                    capabilities = link.capabilities();
                } catch (AggregationException e) {
                    failure = e;
                }
            }
        }
        long ownTypes = failure != null ? 0 : capabilities == null ? -1 : capabilities.types();
        long ownOperators = failure != null ? 0 : capabilities == null ? -1 : capabilities.operators();
        long[] theirTypes = new long[ranks];
        long[] theirOperators = new long[ranks];
        fused.exchange(second, ownTypes, ownOperators, theirTypes, theirOperators);
        types = -1;
        operators = -1;
        int failed = -1;
        for (int member = ranks - 1; member >= 0; member--) {
            types &= theirTypes[member];
            operators &= theirOperators[member];
            failed = theirTypes[member] == 0 ? member : failed;
        }
        if (failed == party.rank) {
            tell(failure == null ? "it reduces nothing" : failure.getMessage());
        }
        if (failed >= 0) {
            close();
            return false;
        }
        open = true;
        return true;
    }

    private AggregationLink join(long group, int number, int[] masters, long key) throws AggregationException {
        int colon = setting.indexOf(':');
        String kind = colon < 0 ? setting : setting.substring(0, colon);
        AggregationProvider provider = Parts.aggregation(kind);
        if (provider == null) {
            throw new AggregationException(AggregationStatus.ENOT_SUPP, "brigade.aggregation=" + setting + ": " + kind + " is not in this brigade.jar");
        }
        MastersExchange exchange = new MastersExchange(progress, party, communicator, number, masters, key);
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
            System.err.println("brigade: the network " + refusal + ": such allreduces of " + communicator + " go by the ordinary schedules");
        }
        return false;
    }

    /** Says, for all members, why allreduces are not reduced in the network from now on. */
    void tell(String why) {
        System.err.println("brigade: allreduces of " + communicator + " are not reduced in the network, but by the ordinary schedules: " + why);
    }

    /** It is lost, or the communicator is freed. */
    void close() {
        open = false;
        if (link != null) {
            link.close();
            link = null;
        }
    }
}
