package org.brigade.engine;

import org.brigade.schedule.FlatSchedule;
import org.brigade.schedule.Schedule;
import org.brigade.select.Choice;

/**
 * A schedule made ready to run, and what selected it. Bound to no count and no buffer, so a communicator keeps one for
 * every shape of call.
 */
public final class Plan extends FlatSchedule {
    public final Choice choice;

    public Plan(Schedule schedule, Choice choice) {
        super(schedule);
        this.choice = choice;
    }
}
