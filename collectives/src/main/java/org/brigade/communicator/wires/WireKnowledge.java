package org.brigade.communicator.wires;

import java.nio.file.Path;
import org.brigade.bootstrap.Nodes;
import org.brigade.pattern.Levels;
import org.brigade.pattern.Order;
import org.brigade.pattern.Wires;
import org.brigade.select.Settings;
import org.brigade.topology.Place;
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
    private final Place place;
    /** Null if all ranks are on one node. */
    private final Nodes nodes;

    /**
     * @param home the user's home; profiles are in its folder {@code .brigade}
     * @param nodes null if all ranks are on one node
     */
    WireKnowledge(Settings settings, Place place, Path home, Nodes nodes) {
        this.ofHost = new TopologyProfile(settings, home, "host");
        this.ofDevices = new TopologyProfile(settings, home, "device");
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
     */
    Wires of(long[] places, boolean alike, Wires known, Order forced) {
        RankPlaces all = new RankPlaces(places);
        Levels levels = all.levels();
        ProfiledOrder profiled = alike ? profiled(all) : null;
        Order ring = profiled == null ? null : profiled.ring();
        Order order = forced != null ? forced
            : ring != null ? ring : levels.order(places.length);
        return known.knowing(order, levels, forced != null ? null : profiled);
    }

    /**
     * Works out the wires between the ranks' devices, all on this node, from a profile of device memory.
     *
     * @param devices each rank's index in {@link #ofDevices}
     * @param alike whether all ranks have the same {@link #ofDevices}; else it is not used
     */
    Wires of(int[] devices, boolean alike) {
        for (int device : devices) {
            if (device < 0) {
                return Wires.NONE;
            }
        }
        if (!alike) {
            return Wires.NONE;
        }
        return new ProfiledOrder(ofDevices.profile(), new int[devices.length], devices).following(Wires.NONE);
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
    private ProfiledOrder profiled(RankPlaces all) {
        int[] devices = all.processors();
        for (int rank = 0; rank < devices.length; rank++) {
            devices[rank] = indexOf(devices[rank]);
            if (devices[rank] < 0) {
                return null;
            }
        }
        return new ProfiledOrder(ofHost.profile(), all.hosts(), devices);
    }
}
