package org.brigade.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.brigade.cluster.Cluster.Begun;
import org.brigade.cluster.Cluster.Ended;

/**
 * Slurm on the hosts of a {@link Cluster}: munged and slurmctld on login, a slurmd on each node. They end with the
 * hosts.
 */
final class Slurm {
    private static final String[] PROGRAMS = {"munged", "slurmctld", "slurmd", "srun"};
    private static final int KEY_BYTES = 128;
    private static final Pattern RELEASE = Pattern.compile("(\\d+)\\.(\\d+)");
    private static final int DISABLED_KNOWN = 2302; // 23.02

    private final Cluster cluster;
    private final Path state;
    private final Map<String, String> environment;

    private Slurm(Cluster cluster, Path state, Path configuration) {
        this.cluster = cluster;
        this.state = state;
        this.environment = Map.of("SLURM_CONF", configuration.toString());
    }

    /** Skips the test where Slurm is not installed, or may not be started. */
    static void assumePossible() throws IOException, InterruptedException {
        for (String program : PROGRAMS) {
            Process search = new ProcessBuilder("sh", "-c", "PATH=$PATH:/usr/sbin:/sbin; command -v " + program)
                .redirectErrorStream(true).start();
            search.getInputStream().readAllBytes();
            assumeTrue(search.waitFor() == 0,
                program + " is not installed (Debian, Ubuntu: apt-get install slurm-wlm)");
        }
        assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0), "slurmd serves root only");
    }

    /** Starts it; {@code directory}, which all hosts see, takes what it writes. */
    static Slurm on(Cluster cluster, int nodes, Path directory) throws Exception {
        Path state = Files.createDirectory(directory.resolve("slurm"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        Path key = Files.createFile(state.resolve("key"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        byte[] secret = new byte[KEY_BYTES];
        ThreadLocalRandom.current().nextBytes(secret);
        Files.write(key, secret);
        Files.createDirectory(state.resolve("controller"));
        Files.writeString(state.resolve("cgroup.conf"), "CgroupPlugin=" + noGroups() + "\n");
        Path configuration = Files.writeString(state.resolve("slurm.conf"), """
            ClusterName=brigade
            SlurmctldHost=login
            SlurmUser=root
            SlurmdUser=root
            AuthType=auth/munge
            AuthInfo=socket=@/munge.socket
            ProctrackType=proctrack/linuxproc
            TaskPlugin=task/none
            SelectType=select/cons_tres
            SelectTypeParameters=CR_CPU
            SlurmctldPidFile=@/slurmctld.pid
            SlurmctldLogFile=@/slurmctld.log
            StateSaveLocation=@/controller
            SlurmdPidFile=@/slurmd-%n.pid
            SlurmdLogFile=@/slurmd-%n.log
            SlurmdSpoolDir=@/spool-%n
            SlurmdParameters=config_overrides
            MpiDefault=none
            MailProg=/bin/true
            NodeName=node[1-#] CPUs=8 State=UNKNOWN
            PartitionName=all Nodes=ALL Default=YES State=UP
            """.replace("@", state.toString()).replace("#", "" + nodes));
        Slurm slurm = new Slurm(cluster, state, configuration);
        slurm.daemon("login", "munged", "--force", "--socket=" + state + "/munge.socket", "--key-file=" + key,
            "--pid-file=" + state + "/munged.pid", "--log-file=" + state + "/munged.log",
            "--seed-file=" + state + "/seed");
        slurm.daemon("login", "slurmctld", "-c");
        for (int node = 1; node <= nodes; node++) {
            Files.createDirectory(state.resolve("spool-node" + node));
            slurm.daemon("node" + node, "slurmd");
        }
        slurm.awaitNodes(nodes);
        return slurm;
    }

    /**
     * The kind of control groups that touches none, as no step here has a limit, and a host may not have them:
     * {@code disabled}, or with a Slurm that does not know that, version 1, which is used by plugins that are not
     * configured.
     */
    private static String noGroups() throws IOException, InterruptedException {
        Process version = new ProcessBuilder("sh", "-c", "PATH=$PATH:/usr/sbin:/sbin exec slurmd -V")
            .redirectErrorStream(true).start();
        String text = new String(version.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        version.waitFor();
        Matcher release = RELEASE.matcher(text);
        assertTrue(release.find(), () -> "slurmd -V says no version: " + text);
        int number = Integer.parseInt(release.group(1)) * 100 + Integer.parseInt(release.group(2));
        return number >= DISABLED_KNOWN ? "disabled" : "cgroup/v1";
    }

    private void daemon(String host, String... command) throws Exception {
        List<String> line =
            new ArrayList<>(List.of("exec", host, "sh", "-c", "PATH=$PATH:/usr/sbin:/sbin exec \"$@\"", "sh"));
        line.addAll(List.of(command));
        Ended started = Cluster.end(cluster.start(environment, line.toArray(new String[0])), 30);
        assertEquals(0, started.code(),
            () -> command[0] + " does not start on " + host + ": " + started.text() + logs());
    }

    private void awaitNodes(int nodes) throws Exception {
        String idle = nodes + " idle\n";
        Ended said = null;
        for (int i = 0; i < 100; i++) {
            said = Cluster.end(cluster.start(environment, "exec", "login", "sinfo", "-h", "-o", "%D %T"), 30);
            if (said.text().equals(idle)) {
                return;
            }
            Thread.sleep(100);
        }
        assertEquals(idle, said.text(), () -> "Slurm's nodes are not ready" + logs());
    }

    /** What its daemons have written, each under its file's name. */
    String logs() {
        StringBuilder all = new StringBuilder();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(state, "*.log")) {
            for (Path file : files) {
                all.append("\n--- ").append(file.getFileName()).append(":\n").append(Files.readString(file));
            }
        } catch (IOException e) {
            all.append('\n').append(e);
        }
        return all.toString();
    }

    /** Which kinds of MPI its srun can serve: pmix, pmi2. */
    Set<String> kinds() throws Exception {
        Ended list = Cluster.end(cluster.start(environment, "exec", "login", "srun", "--mpi=list"), 30);
        assertEquals(0, list.code(), list::text);
        Set<String> kinds = new TreeSet<>();
        list.lines().forEach(line -> kinds.add(line.strip()));
        assertTrue(kinds.contains("none"), list::text);
        return kinds;
    }

    /** Begins srun with these options and this command. */
    Begun srun(Map<String, String> more, List<String> optionsAndCommand) throws IOException {
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(more);
        List<String> line = new ArrayList<>(List.of("exec", "login", "srun"));
        line.addAll(optionsAndCommand);
        return cluster.start(all, line.toArray(new String[0]));
    }
}
