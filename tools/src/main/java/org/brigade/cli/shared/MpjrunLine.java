package org.brigade.cli.shared;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The rest of a command line, which is as mpjrun's: options of mpjrun and of java are not the command's own. */
public final class MpjrunLine {
    @Parameters(arity = "0..*", paramLabel = "ARGUMENT", description = "mpjrun's options, the program, its arguments.")
    public List<String> words = new ArrayList<>();

    @Spec(Spec.Target.MIXEE)
    void leaveTheRest(CommandSpec command) {
        command.parser().unmatchedOptionsArePositionalParams(true).stopAtPositional(true);
    }
}
