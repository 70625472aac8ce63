package org.brigade.recording;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A call of the program on a window. */
@Name("brigade.Window")
@Label("Window")
@Description("A call of the program on a window.")
@Category("Brigade")
public final class WindowEvent extends Event {
    @Label("Call")
    public String call;
    @Label("Communicator")
    public String communicator;
    @Label("Peer (Rank of the Job)")
    public int peer;
    @Label("Bytes")
    @DataAmount
    public long bytes;
}
