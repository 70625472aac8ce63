package org.brigade.launch;

import java.io.File;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.brigade.bootstrap.OtherThreads;
import org.brigade.process.ProcessWatch;
import org.brigade.transport.shm.StaleSegments;

/**
 * The variables that tell the ranks of a job who they are:
 *
 * <pre>
 *   BRIGADE_RANK, BRIGADE_SIZE              rank and number of ranks
 *   BRIGADE_LOCAL_RANK, BRIGADE_LOCAL_SIZE  the same among the ranks of the node
 *   BRIGADE_JOB                             a key no other job here has: letters, digits, '-'
 *   BRIGADE_LAUNCHER_PID                    mpjrun's pid: a rank whose launcher is gone ends
 *   BRIGADE_LAUNCHER_START                  when mpjrun started, and its pid namespace ({@link ProcessWatch}):
 *                                           even a rank that starts after mpjrun's end knows that it is gone
 *   BRIGADE_DOOR                            where ranks ask for more processes ({@link SpawnedJobs})
 *   BRIGADE_APPLICATION                     which program of the command line or of a spawn the rank runs, from 0 on
 * where ranks are bound, too:
 *   BRIGADE_PROCESSORS                      the processors of the job, as in 0-7,16: those that no rank is bound to
 *                                           are for the JVMs' other threads ({@link OtherThreads})
 * in a spawned job, too:
 *   BRIGADE_PARENT                          the port at which those wait that have spawned it
 * on several nodes or hosts, too:
 *   BRIGADE_NODE, BRIGADE_NODES             node, from 0 on, and number of nodes
 * on several hosts, too, set by the host's agent ({@link HostAgent}):
 *   BRIGADE_RENDEZVOUS, BRIGADE_SECRET_FILE where ranks meet, and the file with the job's secret
 * on several nodes of this machine, too:
 *   BRIGADE_EXCHANGE                        where ranks of all nodes find each other
 *                                           ({@link org.brigade.bootstrap.exchange.ExchangeFile})
 *   BRIGADE_FABRIC                          the fabric that joins the nodes
 * with --fabric sisci, too:
 *   BRIGADE_SISCI=emulated
 *   BRIGADE_SISCI_NODE                      the adapter of this node
 *   BRIGADE_SISCI_FABRIC                    the fabric, which is this job's alone
 * </pre>
 */
final class RankEnvironment {
    /** SISCI's node ids are multiples of this: 4, 8, 12. */
    private static final int SISCI_STEP = 4;

    static final String PROCESSORS = "BRIGADE_PROCESSORS";
    private static final String[] OURS = {"BRIGADE_RANK", "BRIGADE_SIZE", "BRIGADE_LOCAL_RANK", "BRIGADE_LOCAL_SIZE",
        "BRIGADE_JOB", "BRIGADE_LAUNCHER_PID", "BRIGADE_LAUNCHER_START", "BRIGADE_DOOR", "BRIGADE_APPLICATION",
        PROCESSORS, "BRIGADE_NODE", "BRIGADE_NODES", "BRIGADE_EXCHANGE", "BRIGADE_RENDEZVOUS",
        "BRIGADE_SECRET_FILE"};

    private final Map<String, String> environment;
    private final int[] nodeOf;
    private final boolean sisci;
    private final String key;
    /** What the last program's own variables have replaced, by name; null: there was none. */
    private final Map<String, String> replaced = new HashMap<>();

    /**
     * @param environment the variables so far
     * @param nodeOf by rank its node or host; null if all are on one
     * @param exchange null: the ranks meet otherwise
     */
    RankEnvironment(Map<String, String> environment, int ranks, int[] nodeOf, int nodes, String fabric,
        String exchange) {
        this.environment = environment;
        this.nodeOf = nodeOf;
        this.sisci = "sisci".equals(fabric);
        long launcher = ProcessHandle.current().pid();
        key =
            launcher + "-" + Long.toHexString(System.currentTimeMillis()) + "-" + Long.toHexString(System.nanoTime());
        environment.remove("BRIGADE_DOOR");
        environment.remove("BRIGADE_PARENT");
        environment.put("BRIGADE_SIZE", Integer.toString(ranks));
        environment.put("BRIGADE_LOCAL_SIZE", Integer.toString(ranks));
        environment.put("BRIGADE_JOB", key);
        environment.put("BRIGADE_LAUNCHER_PID", Long.toString(launcher));
        environment.put("BRIGADE_LAUNCHER_START", ProcessWatch.selfForRanks());
        // One left over from an outer job would be taken for this job's.
        environment.remove("BRIGADE_NODE");
        environment.remove("BRIGADE_NODES");
        environment.remove("BRIGADE_EXCHANGE");
        environment.remove("BRIGADE_RENDEZVOUS");
        environment.remove("BRIGADE_SECRET_FILE");
        if (nodeOf != null) {
            environment.put("BRIGADE_NODES", Integer.toString(nodes));
            if (exchange != null) {
                environment.put("BRIGADE_EXCHANGE", exchange);
            }
        }
        if (fabric != null) {
            environment.put("BRIGADE_FABRIC", fabric);
        }
        if (sisci) {
            environment.put("BRIGADE_SISCI", "emulated");
            environment.put("BRIGADE_SISCI_FABRIC", key);
        }
    }

    /**
     * Removes what killed ranks could not: the job's segments, if they were killed within Init, and the memory of
     * emulated adapters. Called when all ranks have ended.
     */
    void sweep() {
        StaleSegments.removeOf(environment.get("BRIGADE_JOB"));
        StaleSegments.remove();
        if (sisci) {
            new File("/dev/shm/brigade-sisci-" + environment.get("BRIGADE_SISCI_FABRIC")).delete();
        }
    }

    /** The job's key. */
    String key() {
        return key;
    }

    /** Lets the ranks ask the launcher for more processes, in this box. */
    void door(String box) {
        environment.put("BRIGADE_DOOR", box);
    }

    /** Where the processes wait that have spawned this job. */
    void parent(String port) {
        environment.put("BRIGADE_PARENT", port);
    }

    /** Tells bound ranks which processors the job has; {@code null}: they are not bound. */
    void processors(CoreLayout layout) {
        if (layout == null) {
            environment.remove(PROCESSORS);
        } else {
            environment.put(PROCESSORS, layout.among().toString());
        }
    }

    /**
     * The variables of the next ranks' program, {@code NAME=VALUE} each, in place of those of the one before. Those
     * that say who a rank is cannot be set so.
     */
    void variables(List<String> its) {
        for (Map.Entry<String, String> each : replaced.entrySet()) {
            if (each.getValue() == null) {
                environment.remove(each.getKey());
            } else {
                environment.put(each.getKey(), each.getValue());
            }
        }
        replaced.clear();
        for (String variable : its) {
            int equals = variable.indexOf('=');
            String name = variable.substring(0, equals);
            if (!isOurs(name)) {
                String before = environment.put(name, variable.substring(equals + 1));
                if (!replaced.containsKey(name)) {
                    replaced.put(name, before);
                }
            }
        }
    }

    private static boolean isOurs(String name) {
        for (String each : OURS) {
            if (each.equals(name)) {
                return true;
            }
        }
        return false;
    }

    /** Which command of a spawn, or program of a command line, starts the next ranks. */
    void application(int number) {
        environment.put("BRIGADE_APPLICATION", Integer.toString(number));
    }

    /** Sets the variables of one rank. */
    void rank(int rank) {
        int localRank = rank;
        if (nodeOf != null) {
            int localSize = 0;
            localRank = 0;
            for (int other = 0; other < nodeOf.length; other++) {
                if (nodeOf[other] == nodeOf[rank]) {
                    localSize++;
                    localRank += other < rank ? 1 : 0;
                }
            }
            environment.put("BRIGADE_LOCAL_SIZE", Integer.toString(localSize));
            environment.put("BRIGADE_NODE", Integer.toString(nodeOf[rank]));
            if (sisci) {
                environment.put("BRIGADE_SISCI_NODE", Integer.toString(SISCI_STEP * (nodeOf[rank] + 1)));
            }
        }
        environment.put("BRIGADE_RANK", Integer.toString(rank));
        environment.put("BRIGADE_LOCAL_RANK", Integer.toString(localRank));
    }
}
