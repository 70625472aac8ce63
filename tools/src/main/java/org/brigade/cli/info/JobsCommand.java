package org.brigade.cli.info;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.brigade.cli.shared.BenchException;
import org.brigade.transport.shm.RunningJob;
import org.brigade.waiting.WaitReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code brigade jobs}: the jobs of this user on this machine, and who waits for whom in one of them. */
@Command(name = "jobs", mixinStandardHelpOptions = true,
    description = "Lists this user's jobs of two or more ranks on this machine. Of one job, says which rank waits for"
        + " which, since when and in which call, and names cycles and mismatches. The ranks take no part in this, so"
        + " it also works when they hang.")
public final class JobsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", arity = "0..1", paramLabel = "ID", description = "A job of the list.")
    private String id;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        List<RunningJob> jobs;
        long now;
        try {
            jobs = RunningJob.ofThisUser();
            now = System.nanoTime();
        } catch (IOException e) {
            throw new BenchException("/proc cannot be read: " + e.getMessage() + "; mount it");
        }
        if (id != null) {
            RunningJob job = jobs.stream().filter(each -> each.key().equals(id)).findFirst()
                .orElseThrow(() -> new BenchException("there is no job " + id + " of this user on this machine;"
                    + " brigade jobs lists those that there are"));
            new WaitReport(job.ranks(), now).lines().forEach(out::println);
        } else if (jobs.isEmpty()) {
            out.println("no job of this user runs on this machine");
        } else {
            for (RunningJob job : jobs) {
                out.println(job.key() + ": " + job.ranks().size() + " of " + job.size() + " ranks here, "
                    + new WaitReport(job.ranks(), now).waiting() + " wait");
            }
        }
        out.flush();
        return 0;
    }
}
