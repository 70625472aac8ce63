package org.brigade.cli.shared;

import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What all commands share: where they print, and how they refuse a line. */
public abstract class SubCommand {
    @Spec
    protected CommandSpec spec;

    protected final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    protected final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** What is wrong with the line, with the cure. */
    protected final ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
