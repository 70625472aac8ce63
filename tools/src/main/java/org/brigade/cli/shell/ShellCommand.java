package org.brigade.cli.shell;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.brigade.cli.shared.BenchException;
import org.brigade.cli.shared.MpjrunLine;
import org.brigade.cli.shared.StandardStream;
import org.brigade.cli.shared.SubCommand;
import org.brigade.launch.RankCommand;
import org.brigade.launch.RankProcesses;
import org.brigade.launch.options.JobHosts;
import org.brigade.launch.options.LaunchException;
import org.brigade.launch.options.LaunchOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine;

/** {@code brigade shell}: Java on all ranks of a job at once, line by line. */
@Command(name = "shell", mixinStandardHelpOptions = true,
    description = "Starts ranks and runs each line that you type on all of them, or on those that you pick. Reads a"
        + " script from standard input, too.",
    footer = {"", "  brigade shell -np 4",
        "  brigade shell --hosts node1:2,node2:2",
        "  brigade shell -np 4 --nodes 2 --fabric sisci -cp classes -Dbrigade.bcast.algorithm=chain",
        "  echo 'comm.getRank()' | brigade shell -np 2",
        "", "%%help in the session lists what can be typed. With rlwrap in front, lines can be edited and repeated."})
public final class ShellCommand extends SubCommand implements Callable<Integer> {
    private static final String JSHELL = "jdk.jshell";
    private static final String SETTING = "-Dbrigade.";

    @Mixin
    private MpjrunLine line;

    @Override
    public Integer call() {
        requireJShell(ModuleLayer.boot());
        boolean terminal = StandardStream.isTerminal(0);
        Screen screen = new Screen(System.out, System.err, terminal,
            StandardStream.isTerminal(1) && System.getenv("NO_COLOR") == null);
        LaunchOptions asked = options(line.words, "none");
        SessionRanks ranks = new SessionRanks(asked.ranks(), screen);
        LaunchOptions options = options(line.words, ranks.socket());
        List<String> command = RankCommand.of(options);
        takeSettings(options.javaOptions());
        Runtime.getRuntime().addShutdownHook(new Thread(ranks::abandon));
        CompletableFuture<Integer> code = new CompletableFuture<>();
        daemon("ranks", code, () -> {
            int its = RankProcesses.run(options, (rank, error, text) -> {
                if (!ranks.isAbandoned()) {
                    screen.output(rank, error, text);
                }
            }, true, ranks.socket());
            ranks.hearOut();
            return code.complete(its);
        });
        String classPath = command.get(command.indexOf("-cp") + 1);
        daemon("console", code, () -> {
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
            if (!new ShellConsole(in, ranks, screen, classPath, text -> explain(text, options)).run()) {
                code.complete(1); // this process ends, and ends the ranks
            }
            return null;
        });
        try {
            return code.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException known) {
                throw known;
            }
            throw new BenchException(e.getCause().toString());
        }
    }

    /** @throws BenchException if this java has no JShell; the message names the cure */
    static void requireJShell(ModuleLayer modules) {
        if (modules.findModule(JSHELL).isEmpty()) {
            throw new BenchException("the Java in " + System.getProperty("java.home") + " has no module " + JSHELL
                + "; set JAVA_HOME to a whole JDK of version 17 or newer (Debian, Ubuntu: apt-get install"
                + " openjdk-17-jdk-headless)");
        }
    }

    /** @throws LaunchException if they name a program */
    static LaunchOptions options(List<String> line, String socket) {
        List<String> whole = new ArrayList<>(line);
        whole.add(ShellRank.class.getName());
        whole.add(socket);
        LaunchOptions options = LaunchOptions.parse(whole.toArray(new String[0]));
        if (options.jar() != null || !options.program().get(0).equals(ShellRank.class.getName())) {
            throw new LaunchException("the shell runs no program: leave out "
                + (options.jar() != null ? "-jar, and name the jar behind -cp" : options.program().get(0)
                    + ", and call it in the session"));
        }
        return options;
    }

    /** A step that ends the session if it throws. */
    private static void daemon(String name, CompletableFuture<Integer> code, Callable<?> step) {
        Thread thread = new Thread(() -> {
            try {
                step.call();
            } catch (IOException e) {
                code.completeExceptionally(new BenchException("the session has ended: " + e.getMessage()));
            } catch (Exception e) {
                code.completeExceptionally(e);
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Settings of the ranks hold for %explain, too. */
    private static void takeSettings(List<String> javaOptions) {
        for (String option : javaOptions) {
            int equals = option.indexOf('=');
            if (option.startsWith(SETTING) && equals > 0) {
                System.setProperty(option.substring("-D".length(), equals), option.substring(equals + 1));
            }
        }
    }

    /** {@code allreduce 1M --schedule}: of a call in this session. */
    private void explain(String text, LaunchOptions options) {
        CommandLine brigade = spec.root().commandLine();
        brigade.execute(explainLine(text, options).toArray(new String[0]));
        for (PrintWriter writer : List.of(brigade.getOut(), brigade.getErr())) {
            writer.flush();
        }
    }

    static List<String> explainLine(String text, LaunchOptions options) {
        List<String> words = new ArrayList<>(text.isBlank() ? List.of("--help") : List.of(text.strip().split("\\s+")));
        List<String> whole = new ArrayList<>(List.of("explain", words.remove(0)));
        if (!words.isEmpty() && !words.get(0).startsWith("-")) {
            whole.addAll(List.of("--bytes", words.remove(0)));
        }
        if (!words.contains("--ranks")) {
            whole.addAll(List.of("--ranks", Integer.toString(options.ranks())));
            JobHosts hosts = options.hosts();
            if (hosts != null && !words.contains("--nodes") && !words.contains("--levels")) {
                whole.addAll(List.of("--nodes", Integer.toString(hosts.names().size())));
            }
            if (options.nodes() > 1 && !words.contains("--nodes") && !words.contains("--levels")) {
                whole.addAll(List.of("--nodes", Integer.toString(options.nodes())));
                if (options.fabric() != null && !words.contains("--fabric")) {
                    whole.addAll(List.of("--fabric", options.fabric()));
                }
            }
        }
        whole.addAll(words);
        return whole;
    }
}
