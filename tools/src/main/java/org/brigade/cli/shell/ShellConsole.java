package org.brigade.cli.shell;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import jdk.jshell.DeclarationSnippet;
import jdk.jshell.Diag;
import jdk.jshell.JShell;
import jdk.jshell.MethodSnippet;
import jdk.jshell.Snippet;
import jdk.jshell.SnippetEvent;
import jdk.jshell.SourceCodeAnalysis;
import jdk.jshell.SourceCodeAnalysis.CompletionInfo;
import jdk.jshell.TypeDeclSnippet;
import jdk.jshell.VarSnippet;
import jdk.jshell.spi.ExecutionControl;
import jdk.jshell.spi.ExecutionControlProvider;
import jdk.jshell.spi.ExecutionEnv;
import org.brigade.cli.shell.ShellMessage.Answer;

/** Reads lines, compiles them, lets the ranks run them and shows the answers. */
final class ShellConsole {
    private static final String PROMPT = "brigade> ";
    private static final String CONTINUED = "    ...> ";
    private static final List<String> IMPORTS = List.of("mpi.*", "java.nio.*", "java.util.*", "java.util.function.*",
        "java.util.stream.*");
    /** Only MPI.COMM_WORLD's, not those of a communicator that the user makes. */
    private static final List<String> VARIABLES =
        List.of("Intracomm comm = MPI.COMM_WORLD;", "int rank = comm.getRank();", "int size = comm.getSize();");
    private static final String HELP = """
        EXPRESSION, STATEMENT, DECLARATION   Java, on every rank; comm is MPI.COMM_WORLD, rank and size are its
        @0 JAVA, @1-3 JAVA, @0,2 JAVA        on these ranks only; a variable declared so is 0 or null on the others
        %time JAVA                           how long it takes each rank, from a barrier on (without one behind a pick)
        %time 1000x JAVA                     the median of 1000 times
        %explain allreduce 1M                which algorithm such a call uses, and why; options as of brigade explain
        %help                                this
        %quit                                ends the session, and so do Ctrl-D and Ctrl-C
        """;

    private final BufferedReader in;
    private final SessionRanks ranks;
    private final Screen screen;
    private final Consumer<String> explain;
    private final RanksControl control;
    private final JShell shell;

    /**
     * Makes a console whose lines see the classes of a path.
     *
     * @param explain runs brigade explain with these arguments
     */
    ShellConsole(BufferedReader in, SessionRanks ranks, Screen screen, String classPath, Consumer<String> explain) {
        this.in = in;
        this.ranks = ranks;
        this.screen = screen;
        this.explain = explain;
        control = new RanksControl(ranks);
        shell = JShell.builder().executionEngine(new ExecutionControlProvider() {
            @Override
            public String name() {
                return "ranks";
            }

            @Override
            public ExecutionControl generate(ExecutionEnv environment, Map<String, String> parameters) {
                return control;
            }
        }, Map.of()).build();
        shell.addToClasspath(classPath);
        IMPORTS.forEach(each -> shell.eval("import " + each + ";"));
    }

    /** From the meeting of the ranks to the end of the lines; whether all ranks end by themselves now. */
    boolean run() throws IOException, InterruptedException {
        ranks.meet();
        for (String variable : VARIABLES) {
            show(shell.eval(variable), null);
        }
        if (screen.prompts()) {
            screen.say(ranks.size() + (ranks.size() == 1 ? " rank" : " ranks")
                + "; comm, rank and size are theirs. %help lists what can be typed, %quit ends.");
        }
        for (String line = read(PROMPT); line != null && !ranks.isOver(); line = read(PROMPT)) {
            try {
                ShellLine typed = ShellLine.parse(line, ranks.size());
                switch (typed.kind()) {
                    case JAVA, TIME -> evaluate(typed);
                    case EXPLAIN -> explain.accept(typed.text());
                    case HELP -> HELP.lines().forEach(screen::say);
                    default -> {
                        return end();
                    }
                }
            } catch (IllegalArgumentException e) {
                screen.error(e.getMessage());
            }
        }
        return end();
    }

    /** A person who quits does not wait; a script does, for all that can still end. */
    private boolean end() throws InterruptedException {
        if (screen.prompts() ? !ranks.busy().isEmpty() : !ranks.drain()) {
            ranks.abandon();
            BitSet busy = ranks.busy();
            ranks.waits(busy).forEach(screen::say);
            screen.complain((busy.cardinality() == 1 ? "rank " : "ranks ") + RankPick.words(busy)
                + (busy.cardinality() == 1 ? " has" : " have") + " not answered; ended");
            return false;
        }
        ranks.quit();
        return true;
    }

    private String read(String prompt) throws IOException {
        screen.prompt(prompt);
        String line = in.readLine();
        if (line == null && screen.prompts()) {
            screen.say(""); // Ctrl-D ends no line
        }
        screen.typed();
        return line;
    }

    private void evaluate(ShellLine typed) throws IOException, InterruptedException {
        SourceCodeAnalysis analysis = shell.sourceCodeAnalysis();
        control.pick(typed.ranks(), typed.repeats());
        String text = typed.text();
        while (!text.isBlank() && !ranks.isOver()) {
            CompletionInfo info = analysis.analyzeCompletion(text);
            if (!info.completeness().isComplete()) {
                String more = read(CONTINUED);
                if (more != null) {
                    text += "\n" + more;
                    continue;
                }
            }
            boolean whole = !info.completeness().isComplete() || info.source() == null;
            if (!show(shell.eval(whole ? text : info.source()), typed)) {
                return;
            }
            text = whole ? "" : info.remaining();
        }
    }

    /** Whether the rest of a line of several statements may run. */
    private boolean show(List<SnippetEvent> events, ShellLine typed) throws InterruptedException {
        boolean good = true;
        for (SnippetEvent event : events) {
            if (event.causeSnippet() == null) {
                boolean ran = event.snippet().subKind().isExecutable();
                good &= show(event, ran ? control.takeRun() : null, typed);
            }
        }
        return good;
    }

    private boolean show(SnippetEvent event, SnippetRun run, ShellLine typed) throws InterruptedException {
        Snippet snippet = event.snippet();
        if (event.status() == Snippet.Status.REJECTED) {
            shell.diagnostics(snippet).filter(Diag::isError).forEach(diag -> complain(snippet.source(), diag));
            return false;
        }
        if (typed == null) {
            return true; // a line of the console's own
        }
        if (run == null) {
            declared(snippet, event.status());
            return true;
        }
        String name = name(snippet);
        TreeMap<Integer, Answer> answers = run.show(name);
        if (typed.kind() == ShellLine.Kind.TIME) {
            screen.times(answers);
        } else {
            screen.answers(answers, name);
        }
        BitSet late = run.late();
        if (!late.isEmpty() && !ranks.isOver()) {
            stillRunning(late);
        }
        return true;
    }

    private void stillRunning(BitSet running) throws InterruptedException {
        boolean one = running.cardinality() == 1;
        screen.say((one ? "rank " : "ranks ") + RankPick.words(running) + (one ? " still runs" : " still run")
            + "; what comes is shown then. Go on with lines for the others, as in @0 comm.barrier(), or end by %quit.");
        ranks.waits(running).forEach(line -> screen.say("  " + line));
    }

    /** Of a variable the name, as values of several tell little; empty for an expression, null without a value. */
    private static String name(Snippet snippet) {
        return !snippet.subKind().hasValue() ? null : snippet instanceof VarSnippet variable
            && snippet.subKind() != Snippet.SubKind.TEMP_VAR_EXPRESSION_SUBKIND ? variable.name() : "";
    }

    private void declared(Snippet snippet, Snippet.Status status) {
        if (status == Snippet.Status.RECOVERABLE_DEFINED || status == Snippet.Status.RECOVERABLE_NOT_DEFINED) {
            screen.error(missing((DeclarationSnippet) snippet));
        } else if (snippet instanceof MethodSnippet method) {
            screen.say("defined " + method.name() + "(" + method.parameterTypes() + ")");
        } else if (snippet instanceof TypeDeclSnippet type) {
            screen.say("defined " + type.name());
        }
    }

    private String missing(DeclarationSnippet snippet) {
        return snippet.name() + " cannot be used before its parts are declared: "
            + String.join(", ", shell.unresolvedDependencies(snippet).toList());
    }

    private void complain(String source, Diag diag) {
        int at = (int) Math.max(0, Math.min(diag.getPosition(), source.length()));
        int begin = source.lastIndexOf('\n', at - 1) + 1;
        int end = source.indexOf('\n', at) < 0 ? source.length() : source.indexOf('\n', at);
        screen.error("error: " + diag.getMessage(Locale.ROOT).strip());
        screen.error("  " + source.substring(begin, Math.max(begin, end)));
        screen.error("  " + " ".repeat(at - begin) + "^");
    }
}
