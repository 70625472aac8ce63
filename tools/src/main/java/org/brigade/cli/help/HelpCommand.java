package org.brigade.cli.help;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.brigade.cli.shared.ReleaseLine;
import org.brigade.cli.shared.SubCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code brigade help}: the help of a command, or all of it as man pages. */
@Command(name = "help", description = "Prints the help of a command, or writes all help as man pages.",
    footer = {"", "  brigade help bench", "  brigade help --man ~/.local/share/man/man1; man brigade-bench"})
public final class HelpCommand extends SubCommand implements Callable<Integer> {
    @Parameters(arity = "0..1", paramLabel = "COMMAND", description = "The command to explain (default: brigade).")
    private String command;

    @Option(names = "--man", paramLabel = "DIR", description = "Writes a man page of each command into this folder.")
    private Path folder;

    @Override
    public Integer call() {
        CommandLine top = spec.parent().commandLine();
        if (folder != null && command != null) {
            throw wrong("--man writes the pages of all commands; leave out " + command);
        }
        if (folder != null) {
            write(top);
            return 0;
        }
        CommandLine named = command == null ? top : top.getSubcommands().get(command);
        if (named == null) {
            throw wrong("there is no command " + command + "; brigade --help lists them");
        }
        named.usage(out());
        return 0;
    }

    private void write(CommandLine top) {
        List<CommandLine> commands = new ArrayList<>(List.of(top));
        commands.addAll(top.getSubcommands().values());
        try {
            Files.createDirectories(folder);
            for (CommandLine each : commands) {
                Path page = folder.resolve(ManPage.name(each.getCommandSpec()) + ".1");
                Files.writeString(page, ManPage.of(each.getCommandSpec(), new ReleaseLine().getVersion()[0]));
                out().println(page);
            }
        } catch (IOException failure) {
            throw wrong("the man pages cannot be written to " + folder + " (" + failure
                + "); name a folder that you can write to");
        }
    }
}
