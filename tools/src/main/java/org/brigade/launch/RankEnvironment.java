package org.brigade.launch;

import java.io.File;
import java.util.Map;
import org.brigade.process.ProcessWatch;
import org.brigade.transport.shm.StaleSegments;

/**
 * By which variables the ranks of a job learn who they are:
 *
 * <pre>
 *   BRIGADE_RANK, BRIGADE_SIZE              rank and number of ranks
 *   BRIGADE_LOCAL_RANK, BRIGADE_LOCAL_SIZE  the same among the ranks of the node
 *   BRIGADE_JOB                             a key no other job here has: letters, digits, '-'
 *   BRIGADE_LAUNCHER_PID                    mpjrun: a rank whose launcher is gone ends
 *   BRIGADE_LAUNCHER_START                  when mpjrun was started, and in which pid namespace ({@link ProcessWatch}): so a rank that starts too late to see it knows that it is gone
 * on several nodes, too:
 *   BRIGADE_NODE, BRIGADE_NODES             node, from 0 on, and number of nodes
 *   BRIGADE_EXCHANGE                        where ranks of all nodes find each other ({@link org.brigade.bootstrap.exchange.ExchangeFile})
 *   BRIGADE_FABRIC                          what joins the nodes
 *   BRIGADE_SISCI=emulated, BRIGADE_SISCI_NODE, BRIGADE_SISCI_FABRIC   with --fabric sisci: the adapter of this node, and the fabric that is this job's alone
 * </pre>
 */
final class RankEnvironment {
    /** SISCI's node ids come in such steps: 4, 8, 12. */
    private static final int SISCI_STEP = 4;

    private final Map<String, String> environment;
    private final int[] nodeOf;
    private final boolean sisci;

    /**
     * @param environment what is set
     * @param nodeOf by rank; null if all are on one
     */
    RankEnvironment(Map<String, String> environment, int ranks, int[] nodeOf, int nodes, String fabric,
        String exchange) {
        this.environment = environment;
        this.nodeOf = nodeOf;
        this.sisci = "sisci".equals(fabric);
        long launcher = ProcessHandle.current().pid();
        String key =
            launcher + "-" + Long.toHexString(System.currentTimeMillis()) + "-" + Long.toHexString(System.nanoTime());
        environment.put("BRIGADE_SIZE", Integer.toString(ranks));
        environment.put("BRIGADE_LOCAL_SIZE", Integer.toString(ranks));
        environment.put("BRIGADE_JOB", key);
        environment.put("BRIGADE_LAUNCHER_PID", Long.toString(launcher));
        environment.put("BRIGADE_LAUNCHER_START", ProcessWatch.selfForRanks());
        // One that an outer job has left would be taken for this one's.
        environment.remove("BRIGADE_NODE");
        environment.remove("BRIGADE_NODES");
        environment.remove("BRIGADE_EXCHANGE");
        if (nodeOf != null) {
            environment.put("BRIGADE_NODES", Integer.toString(nodes));
            environment.put("BRIGADE_EXCHANGE", exchange);
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
     * Removes what ranks would have removed that were killed: the job's segments, if that was within Init, and the
     * memory of emulated adapters. Once all ranks have ended.
     */
    void sweep() {
        StaleSegments.removeOf(environment.get("BRIGADE_JOB"));
        if (sisci) {
            new File("/dev/shm/brigade-sisci-" + environment.get("BRIGADE_SISCI_FABRIC")).delete();
        }
    }

    /** Sets what is this rank's own. */
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
