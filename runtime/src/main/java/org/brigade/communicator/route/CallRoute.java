package org.brigade.communicator.route;

import org.brigade.communicator.execution.Runner;
import org.brigade.communicator.execution.ScheduleRunner;
import org.brigade.select.Choice;

/**
 * How calls of one collective and one step of sizes run on one communicator.
 *
 * @param runner in the way of the chosen algorithm
 * @param schedule runs the algorithm's schedule, with a plan for each root: calls that the runner does not take
 */
record CallRoute(Choice choice, Runner runner, ScheduleRunner schedule) {
}
