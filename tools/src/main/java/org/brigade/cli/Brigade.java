package org.brigade.cli;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Set;
import org.brigade.cli.bench.BenchCommand;
import org.brigade.cli.doctor.DoctorCommand;
import org.brigade.cli.help.Footer;
import org.brigade.cli.help.HelpCommand;
import org.brigade.cli.help.TerminalWidth;
import org.brigade.cli.info.ExplainCommand;
import org.brigade.cli.info.InfoCommand;
import org.brigade.cli.info.JobsCommand;
import org.brigade.cli.port.CheckPortCommand;
import org.brigade.cli.profile.ProfileCommand;
import org.brigade.cli.shared.BenchException;
import org.brigade.cli.shared.ReleaseLine;
import org.brigade.cli.shell.ShellCommand;
import org.brigade.cli.simulate.SimulateCommand;
import org.brigade.cli.trace.TraceCommand;
import org.brigade.cli.tune.TuneCommand;
import org.brigade.cli.verify.VerifyCommand;
import org.brigade.launch.options.LaunchException;
import org.brigade.select.TuningException;
import org.brigade.topology.TopologyException;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;
import picocli.CommandLine;

/** The command {@code brigade}. Its exit codes: 0 done, 1 something failed, 2 wrong usage. */
@Command(name = "brigade", mixinStandardHelpOptions = true, versionProvider = ReleaseLine.class,
    synopsisSubcommandLabel = "COMMAND",
    description = "Inspects, measures and verifies Brigade, a collective communication layer for Java MPI programs.",
    footer = "%nRun programs with mpjrun, or with mpirun or srun and mpjava.",
    subcommands = {BenchCommand.class, ExplainCommand.class, VerifyCommand.class, SimulateCommand.class,
        TuneCommand.class, ProfileCommand.class, CheckPortCommand.class, AggregatorCommand.class, JobsCommand.class,
        TraceCommand.class, ShellCommand.class,
        InfoCommand.class, DoctorCommand.class, GenerateCompletion.class, HelpCommand.class})
public final class Brigade implements Runnable {
    /** What makes a command print its help. */
    private static final Set<String> HELP = Set.of("help", "--help", "-h");

    @Spec
    private CommandSpec spec;

    private Brigade() {
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "name a command");
    }

    public static void main(String[] arguments) {
        CommandLine line = commandLine();
        if (arguments.length == 0 || Arrays.stream(arguments).anyMatch(HELP::contains)) {
            line.setUsageHelpWidth(TerminalWidth.columns());
        }
        System.exit(line.execute(arguments));
    }

    public static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Brigade());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_FOOTER, new Footer());
        line.getSubcommands().values()
            .forEach(each -> each.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_FOOTER, new Footer()));
        line.setParameterExceptionHandler((exception, arguments) -> {
            CommandLine command = exception.getCommandLine();
            PrintWriter err = command.getErr();
            String name = command.getCommandSpec().qualifiedName();
            boolean top = command.getParent() == null;
            err.println(name + ": " + (top && exception instanceof UnmatchedArgumentException other
                && !other.isUnknownOption() ? "there is no command " + other.getUnmatched().get(0)
                    : exception.getMessage()));
            if (!UnmatchedArgumentException.printSuggestions(exception, err)) {
                if (top) {
                    command.usage(err);
                } else {
                    err.println(name + " --help lists the options");
                }
            }
            return 2;
        });
        line.setExecutionExceptionHandler((exception, command, parsed) -> {
            if (exception instanceof LaunchException || exception instanceof TuningException
                || exception instanceof BenchException
                || exception instanceof TopologyException) {
                PrintWriter err = command.getErr();
                err.println("brigade " + command.getCommandName() + ": " + exception.getMessage());
                return 1;
            }
            throw exception;
        });
        return line;
    }
}
