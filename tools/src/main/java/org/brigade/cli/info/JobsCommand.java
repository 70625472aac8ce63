package org.brigade.cli.info;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.brigade.cli.shared.BenchException;
import org.brigade.cli.shared.Json;
import org.brigade.cli.shared.SubCommand;
import org.brigade.communicator.job.LinkedJob;
import org.brigade.transport.shm.RunningJob;
import org.brigade.transport.shm.StaleSegments;
import org.brigade.waiting.RankState;
import org.brigade.waiting.WaitReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code brigade jobs}: the jobs of this user on this machine, and who waits for whom in one of them. */
@Command(name = "jobs", mixinStandardHelpOptions = true,
    description = "Lists this user's jobs of two or more ranks, as far as they run on this machine. Of one job, says"
        + " which rank waits for which, since when and in which call, and names cycles and mismatches."
        + " The ranks take no part in this, so it also works when they hang.")
public final class JobsCommand extends SubCommand implements Callable<Integer> {
    private static final long WATCH_MILLIS = 1000;

    @Parameters(index = "0", arity = "0..1", paramLabel = "ID", description = "A job of the list.")
    private String id;

    @Option(names = "--watch", description = "Of one job: once a second, how many calls each rank makes, how many"
        + " bytes they move, which one is its newest and which algorithm ran it, until the job ends or you press"
        + " Ctrl-C.")
    private boolean watch;

    @Option(names = "--json", description = "Prints one JSON object, and nothing else.")
    private boolean json;

    @Override
    public Integer call() {
        PrintWriter out = out();
        List<RunningJob> jobs;
        try {
            StaleSegments.remove();
            jobs = RunningJob.ofThisUser();
        } catch (IOException e) {
            throw new BenchException("/proc cannot be read: " + e.getMessage() + "; mount it");
        }
        if (watch && (id == null || json)) {
            throw wrong("--watch goes with one job, and without --json");
        }
        long now = System.nanoTime();
        if (watch) {
            watch(out, job(jobs), now);
        } else if (id != null) {
            RunningJob job = job(jobs);
            if (json) {
                out.print(Json.write(named(job, now)));
            } else {
                new WaitReport(job.ranks(), now, names(jobs)).lines().forEach(out::println);
            }
        } else if (json) {
            out.print(Json.write(Map.of("jobs", jobs.stream().map(each -> summary(each, now)).toList())));
        } else if (jobs.isEmpty()) {
            out.println("no job of this user runs on this machine");
        } else {
            for (RunningJob job : jobs) {
                out.println(job.key() + ": " + job.ranks().size() + " of " + job.size()
                    + (LinkedJob.isUnion(job.key()) ? " processes of joined jobs here, " : " ranks here, ")
                    + new WaitReport(job.ranks(), now).waiting() + " wait"
                    + program(job));
            }
        }
        out.flush();
        return 0;
    }

    private RunningJob job(List<RunningJob> jobs) {
        return jobs.stream().filter(each -> each.key().equals(id)).findFirst()
            .orElseThrow(() -> new BenchException("there is no job " + id + " of this user on this machine;"
                + " brigade jobs lists those that there are"));
    }

    private static String program(RunningJob job) {
        String words = JobProgram.words(job, Instant.now());
        return words.isEmpty() ? "" : "; " + words;
    }

    private void watch(PrintWriter out, RunningJob first, long begun) {
        RunningJob before = first;
        long then = begun;
        while (before != null) {
            try {
                Thread.sleep(WATCH_MILLIS);
                RunningJob job = RunningJob.ofThisUser().stream().filter(each -> each.key().equals(id)).findFirst()
                    .orElse(null);
                long now = System.nanoTime();
                if (job == null) {
                    out.println("job " + id + " has ended");
                } else {
                    out.println(id + program(job));
                    RankWatch.lines(before, job, now - then, now).forEach(out::println);
                    out.println();
                }
                out.flush();
                before = job;
                then = now;
            } catch (IOException e) {
                throw new BenchException("/proc cannot be read: " + e.getMessage() + "; mount it");
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** By process: its rank and job, which ranks of other jobs may wait for. */
    private static Map<Long, String> names(List<RunningJob> jobs) {
        Map<Long, String> names = new HashMap<>();
        for (RunningJob job : jobs) {
            for (RankState rank : job.ranks()) {
                if (!LinkedJob.isUnion(job.key())) {
                    names.put(rank.pid(), "rank " + rank.rank() + " of job " + job.key());
                }
            }
        }
        return names;
    }

    static Map<String, Object> summary(RunningJob job, long now) {
        Map<String, Object> named = new LinkedHashMap<>();
        named.put("id", job.key());
        named.put("size", job.size());
        named.put("ranksHere", job.ranks().size());
        named.put("waiting", new WaitReport(job.ranks(), now).waiting());
        return named;
    }

    static Map<String, Object> named(RunningJob job, long now) {
        WaitReport report = new WaitReport(job.ranks(), now);
        Map<String, Object> named = summary(job, now);
        List<Map<String, Object>> ranks = new ArrayList<>();
        for (RankState state : job.ranks()) {
            Map<String, Object> rank = new LinkedHashMap<>();
            rank.put("rank", state.rank());
            rank.put("pid", state.pid());
            rank.put("running", state.there());
            rank.put("waits", state.waits(now));
            rank.put("state", report.words(state));
            ranks.add(rank);
        }
        named.put("ranks", ranks);
        named.put("conclusions", report.conclusions());
        return named;
    }
}
