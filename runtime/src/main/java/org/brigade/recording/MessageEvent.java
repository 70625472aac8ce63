package org.brigade.recording;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A point-to-point call of the program, or the wait for its end. */
@Name("brigade.Message")
@Label("Message")
@Description("A point-to-point call of the program, or the wait for its end.")
@Category("Brigade")
public final class MessageEvent extends Event {
    @Label("Call")
    public String call;
    @Label("Communicator")
    public String communicator;
    @Label("Communicator Context")
    public int context;
    @Label("Peer (Rank of the Job)")
    public int peer;
    @Label("Tag")
    public int tag;
    @Label("Bytes")
    @DataAmount
    public long bytes;
}
