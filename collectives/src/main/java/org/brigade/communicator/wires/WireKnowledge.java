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
 * What this process finds out about wires: where it runs, and what profiles say; and what follows when all ranks have
 * told each other.
 */
final class WireKnowledge {
    /** Of the paths between processors. */
    final TopologyProfile ofHost;
    /** Of those between GPUs. */
    final TopologyProfile ofDevices;
    private final Place place;
    /** Null if all ranks are on one. */
    private final Nodes nodes;

    /**
     * @param home of the user: profiles are in its folder {@code .brigade}
     * @param nodes null if all ranks are on one
     */
    WireKnowledge(Settings settings, Place place, Path home, Nodes nodes) {
        this.ofHost = new TopologyProfile(settings, home, "host");
        this.ofDevices = new TopologyProfile(settings, home, "device");
        this.place = place;
        this.nodes = nodes;
    }

    /** Where this process runs, in {@link RankPlaces}'s word. */
    long place() {
        return RankPlaces.word(nodes != null ? nodes.own() : 0, place);
    }

    /**
     * What follows from where all ranks run, the profile and the order forced. By nothing but what all ranks were told:
     * another communicator's ranks may have other profiles, so whether this one's is used is decided for each anew.
     *
     * @param places by rank, as {@link #place} says
     * @param alike whether all ranks have the same of {@link #ofHost}: else it is not used
     * @param known what is known already
     * @param forced the order, or null
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
     * What a profile of device memory says of the devices of ranks, all on this node.
     *
     * @param devices by rank: the index in {@link #ofDevices}
     * @param alike whether all ranks have the same of {@link #ofDevices}: else it is not used
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

    /** Whether the profile of host memory's paths has the processor that this rank is bound to. */
    boolean isProfiled() {
        return indexOf(RankPlaces.processor(place())) >= 0;
    }

    private int indexOf(int processor) {
        return processor < 0 ? -1 : ofHost.indexOf("cpu" + processor);
    }

    /**
     * By the processors that ranks are bound to; null if there is no profile of host memory, or it does not know them
     * all.
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
