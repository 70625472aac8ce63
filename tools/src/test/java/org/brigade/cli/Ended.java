package org.brigade.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** What a command printed and how it ended; run as a user types it, without the JVM's start. */
public record Ended(int code, String out, String err) {
    public static Ended brigade(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine brigade = Brigade.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return new Ended(brigade.execute(arguments), out.toString(), err.toString());
    }
}
