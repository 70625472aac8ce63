package org.brigade.recording;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A collective call of the program: blocking, the start of one, or the wait for its end. */
@Name("brigade.Collective")
@Label("Collective")
@Description("A collective call of the program: blocking, the start of one, or the wait for its end.")
@Category("Brigade")
public final class CollectiveEvent extends Event {
    @Label("Collective")
    public String collective;
    @Label("Mode")
    public String mode;
    @Label("Communicator")
    public String communicator;
    @Label("Communicator Context")
    public int context;
    @Label("Number in the Communicator")
    public long number;
    @Label("Ranks")
    public int ranks;
    @Label("Root")
    public int root;
    @Label("Bytes")
    @DataAmount
    public long bytes;
    @Label("Type")
    public String type;
    @Label("Operation")
    public String operation;
    @Label("Algorithm")
    public String algorithm;
    @Label("Algorithm with Parameters")
    public String parameters;
    @Label("Rule")
    public String rule;
}
