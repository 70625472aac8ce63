package org.brigade.transport.nodes;

import org.brigade.bootstrap.Exchange;
import org.brigade.bootstrap.Nodes;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.Endpoint;
import org.brigade.transport.FabricEnd;
import org.brigade.transport.Link;
import org.brigade.transport.Multicasts;

/**
 * A rank's end of a job on several nodes: links to ranks of its own node come from one endpoint, those to all others from a fabric. What happens to ranks of other nodes is known from their notices, from
 * the fabric, and from what started the job, whichever knows first; that the job is over is written into this node's memory, so that one rank of a node hears it for all.
 */
public final class NodesEndpoint implements Endpoint {
    /** Peers looked at in one call of lostPeer, as a look may be a system call. */
    private static final int WATCHED_A_CALL = 8;

    private final Endpoint node;
    private final String name;
    private final FabricEnd fabric;
    private final Nodes nodes;
    private final Exchange exchange;
    private final CountedLink[] links;
    private final Notices notices;
    private final ExitNotice exitNotice = new ExitNotice(this);
    /** By rank of the job: what happened to those that are lost. Of this node's, once the other nodes have been told. */
    private final String[] lost;
    private final boolean[] finished;
    /** Of each peer in Finalize, by lane: the messages that it has sent before; null of the others. */
    private final long[][] sentBefore;
    private int watchedNext;
    private boolean survives;
    private boolean silent;

    /**
     * @param node     the end within the node, whose ranks are the job's
     * @param name     of the fabric
     * @param exchange who may know of processes that are gone; kept until {@link #close}
     */
    public NodesEndpoint(Endpoint node, String name, FabricEnd fabric, Nodes nodes, Exchange exchange) {
        this.node = node;
        this.name = name;
        this.fabric = fabric;
        this.nodes = nodes;
        this.exchange = exchange;
        int size = nodes.ranks();
        lost = new String[size];
        finished = new boolean[size];
        sentBefore = new long[size][];
        links = new CountedLink[size * LANES];
        for (int i = 0; i < links.length; i++) {
            links[i] = nodes.isHere(i / LANES) ? null : new CountedLink(fabric.link(i / LANES, i % LANES));
        }
        notices = new Notices(nodes, fabric, new Notices.Listener() {
            @Override
            public void heard(int from, int kind, int subject, String sentence, long first, long second) {
                NodesEndpoint.this.heard(from, kind, subject, sentence, first, second);
            }
        });
    }

    /** Has the other nodes told when this process ends without MPI.Finalize. Not for ranks that are threads. */
    NodesEndpoint tellingOfExit() {
        Runtime.getRuntime().addShutdownHook(exitNotice);
        return this;
    }

    @Override
    public int rank() {
        return node.rank();
    }

    @Override
    public int size() {
        return nodes.ranks();
    }

    @Override
    public Nodes nodes() {
        return nodes;
    }

    @Override
    public String fabric() {
        return name;
    }

    @Override
    public boolean yields() {
        return fabric.yields();
    }

    @Override
    public void push() {
        fabric.push();
    }

    @Override
    public Endpoint withinNode() {
        return node.withinNode();
    }

    @Override
    public Link link(int peer, int lane) {
        return nodes.isHere(peer) ? node.link(peer, lane) : links[peer * LANES + lane];
    }

    @Override
    public Multicasts multicasts() {
        return fabric.multicasts();
    }

    @Override
    public NativeMemory board(int rank) {
        return nodes.isHere(rank) ? node.board(rank) : null;
    }

    // ---- what becomes of the others ----

    @Override
    public synchronized String lostPeer() {
        notices.hear();
        String here = node.lostPeer();
        if (here != null) {
            tellOfLostHere();
            return here;
        }
        int[] peers = notices.peers();
        for (int i = Math.min(WATCHED_A_CALL, peers.length); i > 0; i--) {
            watchedNext = watchedNext + 1 < peers.length ? watchedNext + 1 : 0;
            look(peers[watchedNext]);
        }
        for (int peer : peers) {
            if (lost[peer] != null) {
                return lost[peer];
            }
        }
        return null;
    }

    @Override
    public synchronized String lost(int peer) {
        if (nodes.isHere(peer)) {
            return node.lost(peer);
        }
        look(peer);
        return lost[peer];
    }

    @Override
    public synchronized String over() {
        notices.hear();
        return node.over();
    }

    /** Looks after a rank of another node. */
    private void look(int peer) {
        if (lost[peer] != null || finished[peer]) {
            return;
        }
        String gone = exchange.lost(peer);
        if (gone == null) {
            gone = fabric.lost(peer);
        }
        if (gone != null) {
            notices.hear(); // its last word may have come between our look at the notices and that at the process
            if (!finished[peer]) {
                learn(peer, gone);
            }
        }
    }

    /** A rank of another node is lost: where the job goes on without it, all others get to know. */
    private void learn(int peer, String sentence) {
        if (lost[peer] == null) {
            lost[peer] = sentence;
            if (survives) {
                notices.tellAll(Notices.LOST, peer, sentence);
            }
        }
    }

    private void tellOfLostHere() {
        if (!survives) {
            return; // this is the end of the job, which is told as such
        }
        for (int peer = 0; peer < lost.length; peer++) {
            if (nodes.isHere(peer) && lost[peer] == null) {
                lost[peer] = node.lost(peer);
                if (lost[peer] != null) {
                    notices.tellAll(Notices.LOST, peer, lost[peer]);
                }
            }
        }
    }

    private void heard(int from, int kind, int subject, String sentence, long first, long second) {
        switch (kind) {
            case Notices.LEAVING -> sentBefore[from] = new long[] {first, second};
            case Notices.FINISHED -> finished[from] = true;
            case Notices.FAILED -> node.fail(sentence, subject);
            default -> {
                // Of its own node's ranks this one knows better.
                if (subject >= 0 && subject < lost.length && !nodes.isHere(subject) && !finished[subject]) {
                    learn(subject, sentence);
                }
            }
        }
    }

    @Override
    public synchronized boolean isLeaving(int peer) {
        if (nodes.isHere(peer)) {
            return node.isLeaving(peer);
        }
        // The notice may have overtaken messages.
        return sentBefore[peer] != null && links[peer * LANES + COLLECTIVE].received() >= sentBefore[peer][COLLECTIVE]
            && links[peer * LANES + POINT_TO_POINT].received() >= sentBefore[peer][POINT_TO_POINT];
    }

    @Override
    public int failureCode() {
        return node.failureCode();
    }

    // ---- what the others are told ----

    @Override
    public void survives() {
        synchronized (this) {
            survives = true;
        }
        node.survives();
    }

    @Override
    public synchronized void leaving() {
        node.leaving();
        long deadline = Notices.deadline();
        for (int peer : notices.peers()) {
            if (fabric.isConnected(peer)) {
                notices.tell(peer, Notices.LEAVING, links[peer * LANES + COLLECTIVE].sent(), links[peer * LANES + POINT_TO_POINT].sent(), deadline);
            }
        }
    }

    @Override
    public synchronized void finished() {
        silent = true;
        node.finished();
        notices.tellAll(Notices.FINISHED, rank(), "");
    }

    @Override
    public synchronized void exiting() {
        if (!silent) {
            silent = true;
            node.exiting();
            notices.tellAll(Notices.LOST, rank(), "rank " + rank() + " exited without MPI.Finalize");
        }
    }

    @Override
    public synchronized void fail(String why, int code) {
        notices.hear(); // an earlier word stands
        node.fail(why, code);
        if (!silent) {
            silent = true;
            String first = node.over();
            notices.tellAll(Notices.FAILED, node.failureCode(), first == null ? why : first);
        }
    }

    @Override
    public void close() {
        exitNotice.cancel();
        synchronized (this) {
            silent = true;
            fabric.close();
            node.close();
            exchange.close();
        }
    }
}
