package org.brigade.recording;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** How this rank's clock differs from that of rank 0. */
@Name("brigade.Clock")
@Label("Clock")
@Description("How this rank's clock differs from that of rank 0.")
@Category("Brigade")
@StackTrace(false)
public final class ClockEvent extends Event {
    @Label("Job")
    public String job;
    @Label("Rank")
    public int rank;
    @Label("Ranks of the Job")
    public int size;
    @Label("Node")
    public int node;
    @Label("Host")
    public String host;
    @Label("Reading of System.nanoTime")
    public long reading;
    @Label("Ahead of Rank 0")
    @Timespan
    public long ahead;
    @Label("Shortest Round Trip")
    @Timespan
    public long roundTrip;
}
