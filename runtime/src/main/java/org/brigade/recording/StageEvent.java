package org.brigade.recording;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;

/**
 * A stage of a collective call on this rank: a step of its schedule with the transport's part in it, or a message of
 * straight-line code.
 */
@Name("brigade.Stage")
@Label("Stage")
@Description("A stage of a collective call on this rank: a step of its schedule with the transport's part in it,"
    + " or a message of straight-line code.")
@Category("Brigade")
@StackTrace(false)
@Threshold("20 us")
public final class StageEvent extends Event {
    @Label("Collective")
    public String collective;
    @Label("Communicator")
    public String communicator;
    @Label("Communicator Context")
    public int context;
    @Label("Number in the Communicator")
    public long number;
    @Label("Algorithm")
    public String algorithm;
    @Label("Stage")
    public String stage;
    @Label("Lane")
    public int lane;
    @Label("Peer (Rank of the Job)")
    public int peer;
    @Label("Bytes")
    @DataAmount
    public long bytes;
    @Label("Waited for Peer")
    @Timespan
    public long waited;
}
