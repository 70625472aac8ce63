package org.brigade.communicator;

import org.brigade.pattern.Levels;
import org.brigade.pattern.Order;
import org.brigade.pattern.Wires;
import org.brigade.select.RingOrder;
import org.brigade.select.Settings;
import org.brigade.topology.Place;
import org.brigade.topology.profile.MachineFingerprint;

/** Where communicators ask for wires: at once for the order that the user forces; for all else when a call would make use of it, so that a start costs nothing. */
final class WireSource {
    private final Settings settings;
    private final Place given;
    private Order forced;
    private boolean looked;
    private WireKnowledge knowledge;

    /** @param given where the process runs; null to look, when asked */
    WireSource(Settings settings, Place given) {
        this.settings = settings;
        this.given = given;
    }

    /** What is known of a communicator without asking its other ranks. */
    Wires forced(int ranks) {
        if (!looked) {
            looked = true;
            forced = RingOrder.of(settings);
        }
        return forced != null && forced.ranks() == ranks ? new Wires(forced, Levels.NONE, null) : Wires.NONE;
    }

    WireKnowledge knowledge() {
        if (knowledge == null) {
            knowledge = new WireKnowledge(settings, given != null ? given : Place.ofThisProcess(), MachineFingerprint.home());
        }
        return knowledge;
    }
}
