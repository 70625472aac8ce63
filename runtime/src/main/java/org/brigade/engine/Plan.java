package org.brigade.engine;

import org.brigade.schedule.FlatSchedule;
import org.brigade.schedule.Schedule;
import org.brigade.select.Choice;

/**
 * A schedule made ready to run, and its selection. Independent of counts and buffers, so a communicator keeps one plan
 * for every shape of call.
 */
public final class Plan extends FlatSchedule {
    public final Choice choice;

    public Plan(Schedule schedule, Choice choice) {
        super(schedule);
        this.choice = choice;
    }
}
