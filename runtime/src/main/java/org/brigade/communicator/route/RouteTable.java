package org.brigade.communicator.route;

import java.util.Arrays;
import mpi.spi.Call;
import mpi.spi.Collective;
import org.brigade.algorithm.Placement;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.select.Choice;
import org.brigade.select.SizeThresholds;

/**
 * The routes of one communicator's calls on host memory: (collective, commuting or not, step of sizes) -> route. Routes
 * are opened when first used, and opened anew when more is known about the wires. Under the progress lock.
 */
final class RouteTable {
    private static final int COLLECTIVES = Collective.values().length;

    /** The routes of one collective. */
    private static final class Steps {
        final SizeThresholds ladder;
        final CallRoute[] routes;

        Steps(SizeThresholds ladder) {
            this.ladder = ladder;
            routes = new CallRoute[ladder.steps()];
        }
    }

    private final Ladders ladders;
    private final CommunicatorRunners runners;
    private final boolean schedules;
    // Indexed by collective.
    private final Steps[] commutative = new Steps[COLLECTIVES];
    private final Steps[] ordered = new Steps[COLLECTIVES];

    /** @param schedules whether an algorithm that does not fall back on its schedule, but is forced, runs by it here */
    RouteTable(Ladders ladders, CommunicatorRunners runners, boolean schedules) {
        this.ladders = ladders;
        this.runners = runners;
        this.schedules = schedules;
    }

    CommunicatorTopology wires() {
        return ladders.wires();
    }

    /** Takes new knowledge about the wires: later calls are decided anew. Calls under way are not affected. */
    void learn(CommunicatorTopology more) {
        ladders.learn(more);
        Arrays.fill(commutative, null);
        Arrays.fill(ordered, null);
    }

    /**
     * The route of a call as a call of this collective.
     *
     * @throws mpi.MPIException if the forced algorithm cannot serve such a call
     */
    CallRoute route(Collective collective, Call call) {
        Steps steps = steps(collective, call.commutes());
        int step = steps.ladder.step(call.bytes());
        CallRoute route = steps.routes[step];
        if (route == null) {
            route = runners.open(ladders.required(collective, steps.ladder.choice(step)), collective, ladders.wires(),
                schedules);
            steps.routes[step] = route;
        }
        return route;
    }

    /** What is chosen for a call, without opening anything. */
    Choice choice(Call call) {
        SizeThresholds ladder = steps(call.collective, call.commutes()).ladder;
        return ladder.choice(ladder.step(call.bytes()));
    }

    private Steps steps(Collective collective, boolean commutes) {
        Steps[] all = commutes ? commutative : ordered;
        Steps steps = all[collective.ordinal()];
        if (steps == null) {
            steps = new Steps(ladders.of(collective, commutes, Placement.ALIGNED));
            all[collective.ordinal()] = steps;
        }
        return steps;
    }
}
