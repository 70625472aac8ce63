package org.brigade.communicator;

import org.brigade.bootstrap.Nodes;
import org.brigade.pattern.Levels;
import org.brigade.pattern.Order;
import org.brigade.pattern.Wires;
import org.brigade.select.RingOrder;
import org.brigade.select.Settings;
import org.brigade.topology.Place;
import org.brigade.topology.profile.MachineFingerprint;

/**
 * Where communicators ask for wires: at once for the order that the user forces and for the nodes that their ranks are on; for all else when a call would make use of it, so that a start costs
 * nothing.
 */
final class WireSource {
    /** Two ranks have but one order. */
    static final int LEAST_ORDERED = 3;

    private final Settings settings;
    private final Place given;
    /** Null if all ranks are on one. */
    private final Nodes nodes;
    private Order forced;
    private boolean looked;
    private WireKnowledge knowledge;

    /**
     * @param given where the process runs; null to look, when asked
     * @param nodes null if all ranks are on one
     */
    WireSource(Settings settings, Place given, Nodes nodes) {
        this.settings = settings;
        this.given = given;
        this.nodes = nodes;
    }

    /** The order that the user forces on communicators of so many ranks; null if there is none. */
    Order order(int ranks) {
        if (!looked && ranks >= LEAST_ORDERED) {
            looked = true;
            forced = RingOrder.of(settings);
        }
        return forced != null && forced.ranks() == ranks ? forced : null;
    }

    /** What is known of a communicator without asking its other ranks: of these ranks of the job. */
    Wires known(int[] members) {
        Order order = order(members.length);
        if (nodes == null) {
            return order != null ? new Wires(order, Levels.NONE, null) : Wires.NONE;
        }
        return Wires.ofNodes(order, nodes.of(members));
    }

    WireKnowledge knowledge() {
        if (knowledge == null) {
            knowledge = new WireKnowledge(settings, given != null ? given : Place.ofThisProcess(), MachineFingerprint.home(), nodes);
        }
        return knowledge;
    }
}
