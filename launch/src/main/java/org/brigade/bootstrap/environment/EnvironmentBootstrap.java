package org.brigade.bootstrap.environment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import mpi.ErrorClass;
import org.brigade.bootstrap.Bootstrap;
import org.brigade.bootstrap.Exchange;
import org.brigade.bootstrap.Job;
import org.brigade.bootstrap.Ports;
import org.brigade.bootstrap.exchange.FileExchange;
import org.brigade.bootstrap.ports.FilePorts;
import org.brigade.bootstrap.ports.SpawnLauncher;
import org.brigade.bootstrap.rendezvous.Rendezvous;
import org.brigade.bootstrap.rendezvous.SocketExchange;
import org.brigade.bootstrap.secret.SecretFile;
import org.brigade.process.ProcessWatch;
import org.brigade.select.Settings;
import org.brigade.transport.hostmpi.HostMpiExchange;
import org.brigade.transport.hostmpi.SetAside;
import org.brigade.transport.shm.SegmentSettings;

/**
 * Learns the job from the launcher's variables, the innermost launcher first: mpjrun (BRIGADE_*), Open MPI's mpirun
 * (OMPI_*), MPICH's Hydra (PMI_*), Slurm's srun. Loads none of their libraries. With BRIGADE_RENDEZVOUS anything may
 * have started the ranks.
 */
public final class EnvironmentBootstrap implements Bootstrap {
    private static final String EMULATED = "BRIGADE_EMULATED_NODES";
    private static final String RENDEZVOUS = "BRIGADE_RENDEZVOUS";
    /** Mpjrun, or its agent on this host. */
    private static final String LAUNCHER = "BRIGADE_LAUNCHER_PID";
    private static final String SECRET = "BRIGADE_SECRET_FILE";
    /** The launcher of ranks that anything may have started. */
    private static final String MEETING = "hand, to meet at BRIGADE_RENDEZVOUS";
    /** A process of its own; by name, as no rank loads the class. */
    private static final String CHILD_LAUNCHER = "org.brigade.launch.ChildLauncher";

    private final Variables variables;
    private final Settings settings;
    private final Ancestors ancestors;
    /** Null before the first use. */
    private Ports ports;

    /** For {@link java.util.ServiceLoader}. */
    public EnvironmentBootstrap() {
        this(System.getenv(), Ancestors.ofThisProcess());
    }

    EnvironmentBootstrap(Map<String, String> environment, Ancestors ancestors) {
        this.variables = new Variables(environment);
        this.settings = new Settings(System.getProperties(), environment);
        this.ancestors = ancestors;
    }

    @Override
    public Job job() {
        Job launched = launched();
        return launched.launcher().equals("mpjrun") || launched.launcher().equals("none") ? launched
            : emulated(ranksOf(launched));
    }

    /** Whether ranks of one machine act as if on several. */
    public boolean emulates() {
        return variables.has(EMULATED);
    }

    /**
     * All processes that the launcher has started, those set aside for aggregators included; {@link #job} is without
     * them.
     */
    public Job launched() {
        if (variables.has(RENDEZVOUS) && !variables.has(LAUNCHER)) {
            return meeting();
        }
        if (variables.has("BRIGADE_RANK") || variables.has("BRIGADE_SIZE")) {
            return brigade();
        }
        if (variables.has("OMPI_COMM_WORLD_RANK") || variables.has("OMPI_COMM_WORLD_SIZE")) {
            return openMpi();
        }
        // srun also sets PMI variables, but they do not tell who is on this node.
        boolean slurm = SlurmStep.present(variables);
        if (variables.has("PMI_RANK") && (variables.has("MPI_LOCALRANKID") || !slurm)) {
            return hydra();
        }
        if (slurm) {
            return new SlurmStep(variables).job();
        }
        if (variables.has("PMIX_NAMESPACE") && variables.has("PMIX_RANK")) {
            // One rank of a job, but only a PMIx library could tell its size. To run as a job of one would be wrong.
            throw ErrorClass.OTHER.in("Init", "PMIX_RANK=" + variables.text("PMIX_RANK")
                + " says that this is a rank of a job, but no variable tells the job's size; start the job with mpirun"
                + " or srun, give prterun or prun --personality ompi, or unset PMIX_RANK");
        }
        return new Job("none", 0, 1, 0, 1, "single");
    }

    @Override
    public Exchange exchange(Job job) {
        long timeout = SegmentSettings.ofThisProcess().timeoutMillis();
        if (variables.has("BRIGADE_EXCHANGE")) {
            return FileExchange.open(job, variables.text("BRIGADE_EXCHANGE"), timeout);
        }
        if (variables.has(RENDEZVOUS)) {
            return meet(job, timeout);
        }
        return job.launcher().equals("mpjrun") ? Bootstrap.super.exchange(job) : HostMpiExchange.open(job, timeout);
    }

    @Override
    public synchronized Ports ports() {
        if (ports == null) {
            try {
                ProcessWatch launcher = launched().launcher().equals("none") ? null : ProcessWatch.ofLauncher();
                ports = new FilePorts(FilePorts.ofThisUser(),
                    variables.has("BRIGADE_DOOR") ? variables.text("BRIGADE_DOOR") : null,
                    new SpawnLauncher(CHILD_LAUNCHER, launcher == null ? 0 : launcher.pid()));
            } catch (IOException e) {
                throw ErrorClass.PORT.in("Ports", "/proc cannot be read: " + e.getMessage() + "; mount it");
            }
        }
        return ports;
    }

    @Override
    public String parentPort() {
        return variables.has("BRIGADE_PARENT") ? variables.text("BRIGADE_PARENT") : null;
    }

    @Override
    public int applicationNumber() {
        return variables.has("BRIGADE_APPLICATION") ? variables.number("BRIGADE_APPLICATION", 0, Integer.MAX_VALUE) : 0;
    }

    /** The job without the processes that are set aside for aggregators, the last ones. */
    private Job ranksOf(Job all) {
        int aside = SetAside.count(settings);
        if (aside == 0) {
            return all;
        }
        int ranks = all.size() - aside;
        if (all.rank() >= ranks) {
            throw ErrorClass.OTHER.in("Init",
                "this is process " + all.rank() + " of the launcher's " + all.size() + ", but "
                    + settings.origin("aggregation") + " says that the last " + aside
                    + " are aggregators; end the command line with : -np " + aside + " brigade aggregator --mpi");
        }
        if (all.onOneNode()) {
            return new Job(all.launcher(), all.rank(), ranks, all.localRank(), ranks, all.key());
        }
        // The launcher does not tell where they run. A job that is taken for several nodes finds out the truth; a job
        // of
        // several nodes that is taken for one node does not.
        int localSize = Math.max(1, Math.min(all.localSize(), ranks - 1));
        return new Job(all.launcher(), all.rank(), ranks, all.localRank(), localSize, all.key(), all.node(), 0);
    }

    /**
     * BRIGADE_EMULATED_NODES, the node of each rank as in 0,1,1: ranks of one machine act as if on several nodes, to
     * try what joins nodes.
     */
    private Job emulated(Job job) {
        if (!variables.has(EMULATED)) {
            return job;
        }
        String list = variables.text(EMULATED);
        int[] nodeOf = new int[job.size()];
        int nodes = 0;
        int rank = 0;
        for (int at = 0; at <= list.length() && rank >= 0; at++) {
            char c = at < list.length() ? list.charAt(at) : ',';
            boolean digit = c >= '0' && c <= '9';
            if (digit && rank < job.size()) {
                nodeOf[rank] = Math.min(nodeOf[rank] * 10 + c - '0', job.size());
                nodes = Math.max(nodes, nodeOf[rank] + 1);
            } else {
                rank = c == ',' && rank < job.size() ? rank + 1 : -1;
            }
        }
        if (rank != job.size() || nodes < 2 || nodes > job.size()
            || !job.onOneNode() && !job.launcher().equals(MEETING)) {
            throw ErrorClass.OTHER.in("Init", EMULATED + "=" + list + " must list the node of each of the " + job.size()
                + " ranks of this machine, two or more nodes from 0 on, as in 0,1; or unset it");
        }
        int localSize = 0;
        int localRank = 0;
        for (int other = 0; other < nodeOf.length; other++) {
            if (nodeOf[other] == nodeOf[job.rank()]) {
                localSize++;
                localRank += other < job.rank() ? 1 : 0;
            }
        }
        return new Job(job.launcher(), job.rank(), job.size(), localRank, localSize, job.key(), nodeOf[job.rank()],
            nodes);
    }

    private Job brigade() {
        Job job = job("mpjrun", "BRIGADE_RANK", "BRIGADE_SIZE", "BRIGADE_LOCAL_RANK", "BRIGADE_LOCAL_SIZE",
            variables.key("BRIGADE_JOB"));
        int localRank = variables.number("BRIGADE_LOCAL_RANK", 0, job.localSize() - 1);
        if (job.localRank() != localRank) {
            throw ErrorClass.OTHER.in("Init",
                "all " + job.size() + " ranks are on this node, but BRIGADE_RANK=" + job.rank()
                    + " and BRIGADE_LOCAL_RANK=" + localRank
                    + "; unset what an outer launcher has left in the environment, or make the two equal");
        }
        if (job.onOneNode() || !variables.has("BRIGADE_NODES")) {
            return job;
        }
        int nodes = variables.number("BRIGADE_NODES", 2, job.size());
        return new Job(job.launcher(), job.rank(), job.size(), job.localRank(), job.localSize(), job.key(),
            variables.number("BRIGADE_NODE", 0, nodes - 1), nodes);
    }

    /**
     * A rank of a job that meets at BRIGADE_RENDEZVOUS. Who shares its node is found out then, and the key is made the
     * same.
     */
    private Job meeting() {
        int size = variables.number("BRIGADE_SIZE", 1, Job.MOST_RANKS);
        return new Job(MEETING, variables.number("BRIGADE_RANK", 0, size - 1), size, 0, 1,
            "met-" + ProcessHandle.current().pid());
    }

    private Exchange meet(Job job, long timeoutMillis) {
        String call = "Init on rank " + job.rank() + " of " + job.size();
        String name = variables.has("BRIGADE_JOB") ? variables.key("BRIGADE_JOB") : "job";
        String text = variables.text(RENDEZVOUS);
        Rendezvous place = Rendezvous.of(text, name, variables.has(LAUNCHER));
        if (place == null) {
            throw ErrorClass.OTHER.in(call, RENDEZVOUS + "=" + text
                + " is neither HOST:PORT of rank 0, as in node1:7070, nor a folder here; make the folder on a file"
                + " system that all hosts see");
        }
        if (!variables.has(SECRET)) {
            throw ErrorClass.OTHER.in(call, SECRET + " is not set; beside " + RENDEZVOUS
                + " it must name a file with the job's secret, readable by its owner only; make it once with: (umask"
                + " 077; head -c 32 /dev/urandom | base64 > FILE), and copy it to all hosts");
        }
        try {
            return SocketExchange.open(job, place, SecretFile.read(Path.of(variables.text(SECRET))), name,
                timeoutMillis);
        } catch (IOException e) {
            throw ErrorClass.OTHER.in(call, SECRET + ": " + e.getMessage());
        }
    }

    private Job openMpi() {
        // Two simultaneous mpiruns may pick the same name space; their servers' directories differ.
        long server = variables.has("PMIX_SERVER_TMPDIR")
            ? Integer.toUnsignedLong(variables.text("PMIX_SERVER_TMPDIR").hashCode()) : 0;
        String space = variables.has("PMIX_NAMESPACE") ? "PMIX_NAMESPACE" : "OMPI_MCA_ess_base_jobid";
        return job("Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
            "OMPI_COMM_WORLD_LOCAL_SIZE",
            "ompi-" + Variables.fileName(variables.text(space)) + "-" + Long.toHexString(server));
    }

    private Job hydra() {
        return job("PMI", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS",
            "hydra-" + ancestors.launcher());
    }

    private Job job(String launcher, String rankName, String sizeName, String localRankName, String localSizeName,
        String key) {
        int size = variables.number(sizeName, 1, Integer.MAX_VALUE);
        int rank = variables.number(rankName, 0, size - 1);
        int localSize = variables.number(localSizeName, 1, size);
        int localRank = variables.number(localRankName, 0, localSize - 1);
        // PRRTE 5 (Open MPI 6) numbers a node's ranks in the order of their cores: any order is right if all ranks
        // agree.
        return new Job(launcher, rank, size, localSize == size ? rank : localRank, localSize, key);
    }
}
