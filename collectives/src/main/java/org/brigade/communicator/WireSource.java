package org.brigade.communicator;

import org.brigade.engine.FusedFlat;
import org.brigade.pattern.Levels;
import org.brigade.pattern.Order;
import org.brigade.pattern.Wires;
import org.brigade.select.RingOrder;
import org.brigade.select.Settings;
import org.brigade.select.TuningException;
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

    /**
     * What there is to know of a communicator's wires, found out together with its other ranks, which all have to ask in the same call.
     *
     * @param key of the messages
     * @throws TuningException if some rank was told to use a profile that it cannot use, or that others do not have
     */
    Wires ask(FusedFlat fused, long key, int rank, int ranks) {
        WireKnowledge mine = knowledge();
        long print = WireKnowledge.UNREADABLE;
        TuningException unreadable = null;
        try {
            print = mine.profilePrint();
        } catch (TuningException e) {
            // The others must hear of it, or they would wait.
            unreadable = e;
        }
        long[] places = new long[ranks];
        long[] prints = new long[ranks];
        fused.exchange(key, mine.place(), print, places, prints);
        if (unreadable != null) {
            throw unreadable;
        }
        String wrong = mine.compare(prints, rank);
        if (wrong != null) {
            throw new TuningException(wrong);
        }
        String complaint = mine.complaint();
        if (complaint != null && rank == 0) {
            System.err.println("brigade: no topology profile is used: " + complaint);
        }
        return mine.of(places, prints, forced(ranks));
    }
}
