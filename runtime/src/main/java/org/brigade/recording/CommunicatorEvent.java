package org.brigade.recording;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** The program has made a communicator, by a call of this duration. */
@Name("brigade.Communicator")
@Label("Communicator")
@Description("The program has made a communicator, by a call of this duration.")
@Category("Brigade")
public final class CommunicatorEvent extends Event {
    @Label("Call")
    public String call;
    @Label("Communicator")
    public String communicator;
    @Label("Communicator Context")
    public int context;
    @Label("Members (Ranks of the Job)")
    public String members;
}
