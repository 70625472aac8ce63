package org.brigade.communicator.wires;

import java.nio.file.Path;
import org.brigade.bootstrap.Nodes;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Levels;
import org.brigade.pattern.Order;
import org.brigade.select.Settings;
import org.brigade.topology.Place;
import org.brigade.topology.profile.MachineFingerprint;
import org.brigade.topology.profile.NodeByNode;
import org.brigade.topology.profile.NodeOrder;
import org.brigade.topology.profile.ProfiledOrder;

/**
 * What this process knows about wires: where it runs and what the profiles say. Works out what follows once all ranks
 * have told each other.
 */
final class WireKnowledge {
    /** Profile of the paths between processors. */
    final TopologyProfile ofHost;
    /** Profile of the paths between GPUs. */
    final TopologyProfile ofDevices;
    /** Profiles of the network between the nodes. */
    final NetworkKnowledge ofNetwork;
    private final Place place;
    /** Null if all ranks are on one node. */
    private final Nodes nodes;

    /**
     * @param home the user's home; profiles are in its folder {@code .brigade}
     * @param nodes null if all ranks are on one node
     * @param fabric the name of the fabric between the nodes
     */
    WireKnowledge(Settings settings, Place place, Path home, Nodes nodes, String fabric) {
        this.ofHost = new TopologyProfile(settings, home, "host");
        this.ofDevices = new TopologyProfile(settings, home, "device");
        this.ofNetwork = new NetworkKnowledge(settings, home, fabric, MachineFingerprint.hostName());
        this.place = place;
        this.nodes = nodes;
    }

    /** Where this process runs, as a word of {@link RankPlaces}. */
    long place() {
        return RankPlaces.word(nodes != null ? nodes.own() : 0, place);
    }

    /**
     * Works out the wires from where all ranks run, the profile and the forced order. It uses only what all ranks of
     * this communicator know. Ranks of another communicator may have other profiles, so each communicator decides for
     * itself whether to use the profile.
     *
     * @param places each rank's {@link #place}
     * @param alike whether all ranks have the same {@link #ofHost}; else it is not used
     * @param known what is known already
     * @param forced the order that the user forces, or null
     * @param between the order of the nodes, as measured; null if unknown
     */
    CommunicatorTopology of(long[] places, boolean alike, CommunicatorTopology known, Order forced, NodeOrder between) {
        RankPlaces all = new RankPlaces(places);
        Levels levels = all.levels();
        Order plain = levels.order(places.length);
        if (forced != null) {
            return known.knowing(forced, levels, null);
        }
        ProfiledOrder profiled = alike ? profiled(all, between) : null;
        Order ring = profiled == null ? null : profiled.ring();
        if (between != null && ring == null) {
            Order within = plain != null ? plain : Order.identity(places.length);
            NodeByNode byNode = new NodeByNode(all.hosts(), within, between);
            return known.knowing(byNode.ring(), levels, byNode);
        }
        return known.knowing(ring != null ? ring : plain, levels, profiled);
    }

    /**
     * Works out the wires between the ranks' devices, all on this node, from a profile of device memory.
     *
     * @param devices each rank's index in {@link #ofDevices}
     * @param alike whether all ranks have the same {@link #ofDevices}; else it is not used
     */
    CommunicatorTopology of(int[] devices, boolean alike) {
        for (int device : devices) {
            if (device < 0) {
                return CommunicatorTopology.NONE;
            }
        }
        if (!alike) {
            return CommunicatorTopology.NONE;
        }
        return new ProfiledOrder(ofDevices.profile(), new int[devices.length], devices)
            .following(CommunicatorTopology.NONE);
    }

    /** Whether the host profile contains the processor that this rank is bound to. */
    boolean isProfiled() {
        return indexOf(RankPlaces.processor(place())) >= 0;
    }

    private int indexOf(int processor) {
        return processor < 0 ? -1 : ofHost.indexOf("cpu" + processor);
    }

    /**
     * The host profile's order of the processors that ranks are bound to; null if there is no host profile or it lacks
     * one of them.
     */
    private ProfiledOrder profiled(RankPlaces all, NodeOrder between) {
        int[] devices = all.processors();
        for (int rank = 0; rank < devices.length; rank++) {
            devices[rank] = indexOf(devices[rank]);
            if (devices[rank] < 0) {
                return null;
            }
        }
        return new ProfiledOrder(ofHost.profile(), all.hosts(), devices, between);
    }
}
