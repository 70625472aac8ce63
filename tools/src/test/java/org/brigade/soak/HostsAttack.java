package org.brigade.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.brigade.cluster.Cluster;
import org.brigade.launch.Launcher;
import org.brigade.process.TestJava;

/**
 * Changes the network under random collectives of a job on several hosts, which bin/cluster makes. Where a link is
 * slow, loses packets or is silent for a while, or a host stands still for five seconds, every result is right. Where a
 * host dies, the ranks of the others end with an error, and soon.
 */
final class HostsAttack implements Attack {
    private static final List<String> EVENTS = List.of("slow link", "lost packets", "silent link", "stalled host",
        "dead host", "power cut");
    /** By which UCX joins the hosts, without an MPI. */
    private static final String MPJRUN = "mpjrun";
    private static final List<String> LAUNCHERS = List.of("openmpi", "mpich", MPJRUN);
    private static final int CALLS = 80;
    private static final int LATEST_MILLIS = 6000;
    /** How long a change lasts that is not for ever. */
    private static final int STALL_MILLIS = 5000;
    /** Of jobs that must find out that a host is silent. */
    private static final int PATIENCE_SECONDS = 4;
    /** From the death, or from the end of the patience, to the last rank's end. */
    private static final int LIMIT_SECONDS = 5;
    private static final int SECONDS = 200;

    private static final String LAUNCHER = Launcher.class.getName();

    private final List<String> events;
    private final List<String> launchers;

    HostsAttack() {
        this(EVENTS, LAUNCHERS);
    }

    HostsAttack(List<String> events, List<String> launchers) {
        this.events = events;
        this.launchers = launchers;
    }

    @Override
    public String name() {
        return "hosts";
    }

    @Override
    public void round(Random random, Trials trials) throws Exception {
        String event = events.get(random.nextInt(events.size()));
        String launcher = launchers.get(random.nextInt(launchers.size()));
        int hosts = 2 + random.nextInt(3);
        int each = 1 + random.nextInt(2);
        String host = "node" + (1 + random.nextInt(hosts));
        int delay = random.nextInt(LATEST_MILLIS);
        int much = random.nextInt(100);
        long seed = random.nextLong();
        Cluster.assumePossible();
        if (!launcher.equals(MPJRUN)) {
            Cluster.assumeInstalled(launcher);
        }
        boolean dies = event.equals("dead host") || event.equals("power cut");
        String words = event + " of " + host + ", " + hosts + "x" + each + " by " + launcher + ", after " + delay
            + " ms, " + much + ", seed " + seed;
        Path folder = Files.createTempDirectory("brigade-soak");
        String mark = "-Dsoak.mark=" + folder.getFileName();
        try (Cluster cluster = Cluster.of(hosts, folder)) {
            List<String> line = new ArrayList<>(launcher.equals(MPJRUN) ? byMpjrun(cluster, hosts, each, mark)
                : List.of("run", "--mpi", launcher, hosts + "x" + each, Cluster.JAVA, mark));
            line.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx200m"));
            if (dies) {
                line.add("-Dbrigade.mpi.patience=" + PATIENCE_SECONDS);
            } else if (!event.equals("stalled host")) {
                line.add("-Dbrigade.ucx.unreachable=60"); // of 100 packets 13 may get lost
            }
            line.addAll(List.of("-cp", SoakJob.CLASS_PATH, CollectivesProgram.class.getName(), "" + seed,
                dies ? "0" : "" + CALLS, "says that it runs"));
            Cluster.Begun job = cluster.start(Map.of(), line.toArray(new String[0]));
            if (launcher.equals("mpich") && event.equals("silent link")) {
                // Hydra connects its hosts once: if that fails, mpiexec waits for ever.
                awaitRanks(job, hosts * each);
            }
            String wrong = dies ? death(cluster, job, event, host, hosts * each, delay, mark)
                : change(cluster, job, event, host, hosts * each, delay, much);
            String kind = "hosts: " + event + ", " + launcher;
            if (wrong == null) {
                trials.passed(kind, 1);
            } else {
                trials.failed(kind, words + ": " + wrong + "\n" + job.text());
            }
            job.process().descendants().forEach(ProcessHandle::destroyForcibly);
            job.process().destroyForcibly();
        } finally {
            remove(folder);
        }
    }

    private static List<String> byMpjrun(Cluster cluster, int hosts, int each, String mark) throws Exception {
        List<String> names = new ArrayList<>();
        for (int host = 1; host <= hosts; host++) {
            names.add("node" + host + ":" + each);
        }
        List<String> line = new ArrayList<>(List.of("exec", "login"));
        line.addAll(TestJava.mpjrun("--launch-agent", cluster.agent(), "--hosts", String.join(",", names), mark));
        return line;
    }

    /** @return what is wrong; null if all is right */
    private static String change(Cluster cluster, Cluster.Begun job, String event, String host, int ranks, int delay,
        int much) throws Exception {
        Thread.sleep(delay);
        switch (event) {
            case "slow link" -> cluster.control("rate", host, (5 + much / 5) + "mbit");
            case "lost packets" -> cluster.control("loss", host, "" + (1 + much / 8));
            case "silent link" -> cluster.control("stall", host);
            default -> cluster.control("pause", host);
        }
        Thread.sleep(STALL_MILLIS);
        switch (event) {
            case "slow link" -> cluster.control("rate", host, "1gbit");
            case "lost packets" -> cluster.control("loss", host, "0");
            case "silent link" -> cluster.control("unstall", host);
            default -> cluster.control("resume", host);
        }
        Integer code = code(job, SECONDS);
        if (code != null && code != 0 && event.equals("silent link") && job.text().contains("UCX")
            && job.text().contains("unreachable")) {
            return null; // UCX does not try again to make a connection: it says so
        }
        long right = job.text().lines().filter(said -> said.endsWith("calls right")).count();
        return code == null ? "does not end" : code != 0 ? "code " + code
            : right != ranks ? right + " of " + ranks + " ranks have right results" : null;
    }

    /** @return what is wrong; null if all is right */
    private static String death(Cluster cluster, Cluster.Begun job, String event, String host, int ranks, int delay,
        String mark) throws Exception {
        awaitRanks(job, ranks);
        Thread.sleep(delay / 4);
        boolean silent = event.equals("power cut");
        if (silent) {
            cluster.control("stall", host);
        }
        long death = System.nanoTime();
        cluster.control("kill", host);
        double limit = LIMIT_SECONDS + (silent ? PATIENCE_SECONDS : 0);
        while (running(mark) > 0 && seconds(death) < 4 * limit) {
            Thread.sleep(50);
        }
        double took = seconds(death);
        int left = running(mark);
        return left > 0 ? left + " ranks still run after " + took + " s"
            : took > limit ? "the last rank ended after " + took + " s, and it should within " + limit
                : job.text().contains("calls right") ? "a rank says that all is right" : null;
    }

    private static void awaitRanks(Cluster.Begun job, int ranks) throws Exception {
        for (int rank = 0; rank < ranks; rank++) {
            job.awaitText("rank " + rank + " runs");
        }
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }

    private static Integer code(Cluster.Begun job, int seconds) throws InterruptedException {
        return job.process().waitFor(seconds, TimeUnit.SECONDS) ? job.process().exitValue() : null;
    }

    /** The ranks that run, on whatever host: this machine sees the processes of all. */
    private static int running(String mark) {
        String program = CollectivesProgram.class.getName();
        return (int) ProcessHandle.allProcesses().filter(each -> each.info().arguments().map(Arrays::asList)
            .map(words -> words.contains(mark) && words.contains(program) && !words.contains(LAUNCHER)
                && each.info().command().orElse("").endsWith("java"))
            .orElse(false)).count();
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
