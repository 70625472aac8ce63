package org.brigade.communicator.wires;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.brigade.bootstrap.Nodes;
import org.brigade.communicator.call.Agreement;
import org.brigade.communicator.call.CallSequence;
import org.brigade.device.Devices;
import org.brigade.nativ.UserFolders;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Levels;
import org.brigade.pattern.NetworkSpeed;
import org.brigade.pattern.Order;
import org.brigade.select.RingOrder;
import org.brigade.select.Settings;
import org.brigade.select.TuningException;
import org.brigade.topology.Place;

/**
 * Tells communicators about their wires. The forced order and the nodes of the ranks are known at once. Everything else
 * is found out when a call would first use it, so that Init costs nothing.
 */
public final class WireSource {
    /** Two ranks have only one order. */
    private static final int LEAST_ORDERED = 3;
    // Where each part begins in the words that ranks exchange first.
    private static final int PRINTS = 0;
    private static final int PLACES = PRINTS + ProfilePrints.WORDS;
    /** 0 if the host profile contains the rank's processor, else 1. */
    private static final int PROFILED = PLACES + RankPlaces.SUMMARY_WORDS;
    /** 0 if the rank may follow a profile of the network, 1 if not; above, a rank that cannot read the named one. */
    private static final int NETWORK = PROFILED + 1;
    private static final int UNREADABLE = 2;

    private final Settings settings;
    private final Place given;
    /** Null if all ranks are on one node. */
    private final Nodes nodes;
    private final String fabric;
    private final boolean multicast;
    private final NetworkSpeed speed;
    private Order forced;
    private boolean looked;
    private WireKnowledge knowledge;

    /**
     * @param given where the process runs; null to find out when asked
     * @param nodes null if all ranks are on one node
     * @param fabric the name of the fabric between the nodes
     * @param multicast whether the fabric can reach all nodes with one store
     * @param speed of the fabric, as all ranks know; null if nobody knows
     */
    public WireSource(Settings settings, Place given, Nodes nodes, String fabric, boolean multicast,
        NetworkSpeed speed) {
        this.settings = settings;
        this.given = given;
        this.nodes = nodes;
        this.fabric = fabric;
        this.multicast = multicast;
        this.speed = speed;
    }

    public Settings settings() {
        return settings;
    }

    /**
     * The file of the profile that this process finds for its node: communicators use it if all their ranks have the
     * same. Null if there is none, or it cannot be read: the first call that needs it says so.
     */
    public Path profile() {
        try {
            knowledge().ofHost.print();
            return knowledge().ofHost.file();
        } catch (TuningException wrong) {
            return null;
        }
    }

    /** The order that the user forces on communicators of so many ranks; null if there is none. */
    Order order(int ranks) {
        if (!looked && ranks >= LEAST_ORDERED) {
            looked = true;
            forced = RingOrder.of(settings);
        }
        return forced != null && forced.ranks() == ranks ? forced : null;
    }

    /** What is known about the wires between these ranks of the job without asking them. */
    public CommunicatorTopology known(int[] members) {
        Order order = order(members.length);
        if (nodes == null) {
            return order != null ? new CommunicatorTopology(order, Levels.NONE, null) : CommunicatorTopology.NONE;
        }
        return CommunicatorTopology.ofNodes(order, nodes.of(members)).joinedBy(fabric).multicast(multicast)
            .at(speed);
    }

    /**
     * Whether it is worth asking. For two ranks the answer changes nothing, but a wrong profile that the user named
     * must be refused there too.
     */
    public boolean tells(int ranks) {
        return ranks >= LEAST_ORDERED || ranks > 1 && TopologyProfile.isNamed(settings);
    }

    /** Where this process runs, as a word that {@link #levels} of other ranks reads. */
    public long place() {
        return knowledge().place();
    }

    /** The levels of ranks with these {@linkplain #place places}. */
    public static Levels levels(long[] places) {
        return new RankPlaces(places).levels();
    }

    WireKnowledge knowledge() {
        if (knowledge == null) {
            knowledge = new WireKnowledge(settings, given != null ? given : Place.ofThisProcess(),
                UserFolders.home(), nodes, fabric);
        }
        return knowledge;
    }

    /**
     * Finds out about a communicator's wires together with its other ranks; all ranks must ask in the same call.
     *
     * <p>
     * First the ranks find out, with a few words in all, whether there is more to know. Mostly there is not: ranks are
     * not bound, or each is bound alike on its own node. Only if there is more, every rank learns where every other
     * runs.
     *
     * @param sequence gives the key of the messages
     * @param known what is known already
     * @throws TuningException if some rank was told to use a profile that it cannot use, or that others do not have
     */
    public CommunicatorTopology ask(Agreement agreement, CallSequence sequence, int rank, int ranks,
        CommunicatorTopology known) {
        WireKnowledge mine = knowledge();
        TuningException unreadable = look(mine.ofHost);
        TuningException unread = null;
        long[] words = new long[NETWORK + 1];
        try {
            words[NETWORK] = known.nodes() >= LEAST_ORDERED && mine.ofNetwork.isThere() ? 0 : 1;
        } catch (TuningException e) {
            unread = e;
            words[NETWORK] = UNREADABLE + rank;
        }
        ProfilePrints.say(print(mine.ofHost, unreadable), rank, words, PRINTS);
        RankPlaces.summary(mine.place(), words, PLACES);
        words[PROFILED] = unreadable == null && mine.isProfiled() ? 0 : 1;
        agreement.greatest(sequence.aside(), words);
        ProfilePrints prints = ProfilePrints.heard(words, PRINTS);
        agree(mine.ofHost, unreadable, prints, rank);
        if (unread != null) {
            throw unread;
        }
        if (words[NETWORK] >= UNREADABLE) {
            throw new TuningException("rank " + (words[NETWORK] - UNREADABLE)
                + " cannot use its profile of the network; give all ranks the same -Dbrigade.network.profile");
        }
        complainOfNetwork(rank);
        boolean profiled = prints.alike() && words[PROFILED] == 0;
        boolean divided = known.nodes() < ranks && RankPlaces.mayDivide(words, PLACES);
        if (ranks < LEAST_ORDERED || !profiled && !divided && words[NETWORK] > 0) {
            return known;
        }
        long[] places = agreement.all(sequence.aside(), mine.place());
        NetworkKnowledge.Found between = words[NETWORK] > 0 ? null : between(agreement, sequence, rank, places);
        CommunicatorTopology measured = between == null ? known : known.at(between.speed());
        return profiled || divided || between != null
            ? mine.of(places, prints.alike(), measured, order(ranks), between == null ? null : between.order())
            : known;
    }

    /** What a profile of the network that all ranks have says of the nodes; null if there is none. */
    private NetworkKnowledge.Found between(Agreement agreement, CallSequence sequence, int rank, long[] places) {
        NetworkKnowledge network = knowledge().ofNetwork;
        NetworkKnowledge.Found found = null;
        TuningException lacking = null;
        long[] hosts = agreement.all(sequence.aside(), network.hostWord());
        try {
            found = network.find(new RankPlaces(places).hosts(), hosts, speed);
        } catch (TuningException e) {
            lacking = e;
        }
        long print = found == null ? 0 : found.print();
        long[] both = {print, -print};
        agreement.greatest(sequence.aside(), both);
        if (lacking != null) {
            throw lacking;
        }
        if (both[0] != -both[1]) {
            network.differs();
        }
        complainOfNetwork(rank);
        return both[0] == -both[1] ? found : null;
    }

    /**
     * Finds out the same about the devices that a communicator's calls run on: from the forced order, or from a profile
     * of device memory.
     *
     * @param device the name of this rank's device in profiles; null if profiles cannot name it
     * @throws TuningException as for {@link #ask}
     */
    public CommunicatorTopology askOfDevices(Devices.Exchange exchange, String device, int rank, int ranks) {
        Order told = order(ranks);
        if (told != null) {
            return new CommunicatorTopology(told, Levels.NONE, null); // settings are the same on all ranks
        }
        WireKnowledge mine = knowledge();
        TuningException unreadable = look(mine.ofDevices);
        byte[][] cards =
            exchange.allgather(ByteBuffer.allocate(2 * Long.BYTES).putLong(print(mine.ofDevices, unreadable))
                .putLong(unreadable == null ? mine.ofDevices.indexOf(device) : -1).array());
        long[] prints = new long[ranks];
        int[] devices = new int[ranks];
        for (int member = 0; member < ranks; member++) {
            ByteBuffer card = ByteBuffer.wrap(cards[member]);
            prints[member] = card.getLong();
            devices[member] = (int) card.getLong();
        }
        ProfilePrints all = ProfilePrints.of(prints);
        agree(mine.ofDevices, unreadable, all, rank);
        return ranks < LEAST_ORDERED ? CommunicatorTopology.NONE : mine.of(devices, all.alike());
    }

    /**
     * Looks for a profile. Returns the error if it cannot be used: the others must be told before it is thrown, or they
     * would wait forever.
     */
    private static TuningException look(TopologyProfile mine) {
        try {
            mine.print();
            return null;
        } catch (TuningException e) {
            return e;
        }
    }

    private static long print(TopologyProfile mine, TuningException unreadable) {
        return unreadable == null ? mine.print() : TopologyProfile.UNREADABLE;
    }

    private static void agree(TopologyProfile mine, TuningException unreadable, ProfilePrints all, int rank) {
        if (unreadable != null) {
            throw unreadable;
        }
        String wrong = mine.compare(all);
        if (wrong != null) {
            throw new TuningException(wrong);
        }
        complain("no topology profile is used: ", mine.complaint(), rank);
    }

    private void complainOfNetwork(int rank) {
        complain("no profile of the network is used: ", knowledge().ofNetwork.complaint(), rank);
    }

    private static void complain(String what, String complaint, int rank) {
        if (complaint != null && rank == 0) {
            System.err.println("brigade: " + what + complaint);
        }
    }
}
