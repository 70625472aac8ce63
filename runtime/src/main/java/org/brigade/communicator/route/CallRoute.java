package org.brigade.communicator.route;

import org.brigade.communicator.execution.Runner;
import org.brigade.communicator.execution.ScheduleRunner;
import org.brigade.select.Choice;

/** How calls of one collective and one step of sizes run on one communicator. */
final class CallRoute {
    private final Choice choice;
    private final Runner runner;
    private final ScheduleRunner schedule;
    /** Whether the runner takes every blocking call: small calls do not ask it each time. */
    final boolean takesBlocking;
    /** The algorithm, as the flight recorder knows it. */
    final long recorded;

    CallRoute(Choice choice, Runner runner, ScheduleRunner schedule, long recorded) {
        this.choice = choice;
        this.runner = runner;
        this.schedule = schedule;
        this.recorded = recorded;
        takesBlocking = runner.takesBlocking();
    }

    Choice choice() {
        return choice;
    }

    /** In the way of the chosen algorithm. */
    Runner runner() {
        return runner;
    }

    /** Runs the algorithm's schedule, with a plan for each root: calls that the runner does not take. */
    ScheduleRunner schedule() {
        return schedule;
    }
}
