package org.brigade.launch;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.brigade.bootstrap.OtherThreads;
import org.brigade.launch.hosts.AgentFrames.Question;
import org.brigade.launch.hosts.HostAgents;
import org.brigade.launch.hosts.RankStart;
import org.brigade.launch.hosts.RemoteRank;
import org.brigade.launch.options.JobHosts;
import org.brigade.launch.options.LaunchOptions;
import org.brigade.launch.options.PathOptions;
import org.brigade.launch.options.ProgramOptions;
import org.brigade.setting.Quantity;
import org.brigade.setting.Setting;

/** Ranks of several hosts, started by an agent on each. */
final class HostRanks implements RankPlace {
    /** What every host gets to know of this one's environment: settings of Brigade's and of UCX. */
    private static final String[] HANDED_OVER = {"BRIGADE_", "UCX_"};
    private static final long ANSWER_MILLIS = 3000;
    private static final int PART = 1 << 14;
    /** Fields of /proc/PID/stat behind the command: the process group, and that which has the terminal. */
    private static final int GROUP = 2;
    private static final int FOREGROUND = 5;

    private final LaunchOptions options;
    private final JobHosts hosts;
    /** Whether standard input is for rank 0; else it belongs to the program that starts the job. */
    private final boolean feeds;
    /** The socket at which a console waits for the ranks; null: there is none. */
    private final String console;
    private HostAgents agents;
    private List<String> traces;

    HostRanks(LaunchOptions options, boolean feeds, String console) {
        this.console = console;
        this.options = options;
        this.feeds = feeds;
        hosts = options.hosts();
    }

    /** Leaves in an environment what hosts are told. */
    static void keepHandedOver(Map<String, String> environment) {
        List<String> others = new ArrayList<>();
        for (String name : environment.keySet()) {
            boolean kept = false;
            for (String beginning : HANDED_OVER) {
                kept |= name.startsWith(beginning);
            }
            if (!kept) {
                others.add(name);
            }
        }
        for (String name : others) {
            environment.remove(name);
        }
    }

    @Override
    public void open(int ranks, int[] nodeOf, String name, SharedStream messages, RankEnvironment environment) {
        String spare = ChildCommand.setting(options.first(), OtherThreads.SETTING);
        traces = traces(ranks);
        agents = HostAgents.open(hosts, RankJava.ours(), new PathOptions(null).paths(RankModules.brigadePath()),
            environment.key(),
            new HostAgents.Place(options.binding().name(), options.reportsBindings(), spare == null ? "" : spare,
                traces, console),
            new HostAgents.Patience(millis("init.timeout"), millis("host.patience")));
        if (options.debug() != null) {
            agents.relay(options.debug());
        }
    }

    /** By rank the folder for its recording; empty if it is not traced. */
    private List<String> traces(int ranks) {
        Setting setting = Setting.of("trace");
        List<String> folders = new ArrayList<>(ranks);
        for (ProgramOptions program : options.programs()) {
            String set = ChildCommand.setting(program, setting.key);
            String folder =
                set == null || set.equals(setting.standard) ? "" : new PathOptions(program.directory()).path(set);
            folders.addAll(Collections.nCopies(program.ranks(), folder));
        }
        return folders;
    }

    /** A setting of the job, which is in seconds. */
    private long millis(String key) {
        Setting setting = Setting.of(key);
        String set = ChildCommand.setting(options.first(), key);
        return 1000 * Quantity.parse(set != null && setting.accepts(set) ? set : setting.standard);
    }

    @Override
    public Process start(ProcessBuilder builder, int rank) {
        List<String> variables = new ArrayList<>();
        for (Map.Entry<String, String> each : builder.environment().entrySet()) {
            variables.add(each.getKey() + "=" + each.getValue());
        }
        File directory = builder.directory();
        RemoteRank its = agents.start(new RankStart(rank, builder.redirectErrorStream(), feeds && rank == 0,
            new PathOptions(null).path(directory == null ? "" : directory.getPath()), builder.command(), variables,
            traces.get(rank)));
        if (feeds && rank == 0) {
            feed(its);
        }
        return its;
    }

    @Override
    public ProcessBuilder.Redirect input(boolean first) {
        return ProcessBuilder.Redirect.PIPE;
    }

    /** Passes this process's standard input to a rank. */
    private static void feed(RemoteRank rank) {
        Thread thread = new Thread("standard input") {
            @Override
            public void run() {
                byte[] bytes = new byte[PART];
                try (FileInputStream in = new FileInputStream(FileDescriptor.in)) {
                    int read;
                    do {
                        while (isInBackground() && rank.isAlive()) {
                            sleep(ANSWER_MILLIS / 10);
                        }
                        read = in.read(bytes);
                    } while (read >= 0 && rank.feed(bytes, read));
                } catch (IOException | InterruptedException ended) {
                    // as at its end
                }
                try {
                    rank.feed(bytes, 0);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        };
        thread.setDaemon(true);
        thread.start();
    }

    /** Whether a read from the terminal would stop this process, as another one has it. */
    private static boolean isInBackground() {
        try {
            String stat = Files.readString(Path.of("/proc/self/stat"), StandardCharsets.ISO_8859_1);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return Files.readSymbolicLink(Path.of("/proc/self/fd/0")).toString().matches("/dev/(tty|pts|console).*")
                && !fields[GROUP].equals(fields[FOREGROUND]);
        } catch (IOException unreadable) {
            return false;
        }
    }

    @Override
    public void ask(Process rank) {
        rank.destroy();
    }

    @Override
    public void kill(Process rank) {
        rank.destroyForcibly();
    }

    @Override
    public boolean goesOn(Process rank) throws InterruptedException {
        return agents.ask(Question.GOES_ON, (RemoteRank) rank, ANSWER_MILLIS);
    }

    @Override
    public boolean isEnding(Process rank) throws InterruptedException {
        return agents.ask(Question.IS_ENDING, (RemoteRank) rank, ANSWER_MILLIS);
    }

    @Override
    public String fate(Process rank) {
        return ((RemoteRank) rank).fate();
    }

    @Override
    public List<String> lastCalls(Process[] ranks, long patienceMillis) throws InterruptedException {
        return agents.askAll(Question.LAST_CALLS, patienceMillis + ANSWER_MILLIS, false);
    }

    @Override
    public List<String> waits(String job) throws InterruptedException {
        return agents.askAll(Question.WAITS, ANSWER_MILLIS, true);
    }

    @Override
    public void close() {
        HostAgents open = agents;
        if (open != null) {
            open.close();
        }
    }
}
