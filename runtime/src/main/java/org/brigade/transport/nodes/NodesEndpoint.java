package org.brigade.transport.nodes;

import java.util.List;
import org.brigade.bootstrap.CoreShare;
import org.brigade.bootstrap.Exchange;
import org.brigade.bootstrap.MachineRanks;
import org.brigade.bootstrap.Nodes;
import org.brigade.memory.NativeMemory;
import org.brigade.nativ.ProcessMemory;
import org.brigade.pattern.NetworkSpeed;
import org.brigade.transport.Endpoint;
import org.brigade.transport.FabricEnd;
import org.brigade.transport.Link;
import org.brigade.transport.Multicasts;
import org.brigade.transport.PeerTable;
import org.brigade.waiting.FlightRecorder;
import org.brigade.waiting.RankState;
import org.brigade.waiting.WaitRecord;

/**
 * A rank's end of a job on several nodes. Links to ranks of its own node come from the node's endpoint, links to all
 * others from a fabric. It learns that a rank of another node is lost from that rank's notice, from the fabric or from
 * the launcher, whichever comes first. The end of the job is written into this node's memory, so one rank of a node
 * hears of it for all.
 */
public final class NodesEndpoint implements Endpoint {
    /** Peers checked in one call of lostPeer: a check may be a system call. */
    private static final int WATCHED_A_CALL = 8;
    /** A process that is ending says so again and again. After so long without a word it is gone. */
    private static final long QUIET_NANOS = 3_000_000_000L;

    private final Endpoint node;
    private final String name;
    private final NetworkSpeed speed;
    private final FabricEnd fabric;
    private final Nodes nodes;
    private final MachineRanks machine;
    private final Exchange exchange;
    /** The ranks of this node. */
    private final int[] here;
    private final PeerTable<RemotePeer> peers;
    private final Notices notices;
    private final ExitNotice exitNotice = new ExitNotice(this);
    /** For each rank in {@link #here}: whether the other nodes have been told that it is lost. */
    private final boolean[] told;
    /** What happened to the first lost rank of another node; null while none is lost. */
    private String firstLost;
    /** The same for one that has not left by itself. */
    private String firstDead;
    private int watchedNext;
    private boolean survives;
    private boolean silent;

    /**
     * @param node the endpoint within the node; it uses the job's rank numbers
     * @param name name of the fabric
     * @param speed how fast it is, as all ranks know; null if nobody knows
     * @param machine the ranks of this machine, of whatever node
     * @param exchange may know of processes that are gone; kept until {@link #close}
     */
    public NodesEndpoint(Endpoint node, String name, NetworkSpeed speed, FabricEnd fabric, Nodes nodes,
        MachineRanks machine, Exchange exchange) {
        this.node = node;
        this.name = name;
        this.speed = speed;
        this.fabric = fabric;
        this.nodes = nodes;
        this.machine = machine;
        this.exchange = exchange;
        here = nodes.here();
        told = new boolean[here.length];
        peers = new PeerTable<>(nodes.ranks());
        notices = new Notices(nodes, fabric, new Notices.Listener() {
            @Override
            public void heard(int from, int kind, int subject, String sentence, long first, long second) {
                NodesEndpoint.this.heard(from, kind, subject, sentence, first, second);
            }
        });
    }

    /**
     * Installs the hook that tells the other nodes when this process ends without MPI.Finalize. Not for ranks that are
     * threads.
     */
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
    public CoreShare cores() {
        return machine.share();
    }

    @Override
    public MachineRanks machine() {
        return machine;
    }

    @Override
    public String fabric() {
        return name;
    }

    @Override
    public NetworkSpeed speed() {
        return speed;
    }

    @Override
    public boolean yields() {
        return fabric.yields();
    }

    @Override
    public boolean wakes() {
        return fabric.wakes();
    }

    @Override
    public void sleep(long nanos) {
        fabric.sleep(nanos);
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
        return nodes.isHere(peer) ? node.link(peer, lane) : remote(peer).link(lane);
    }

    /**
     * The state of a rank of another node; null if there is none yet. Locked, because threads without the progress lock
     * ask, too.
     */
    private RemotePeer known(int peer) {
        synchronized (peers) {
            return peers.get(peer);
        }
    }

    private RemotePeer remote(int peer) {
        synchronized (peers) {
            RemotePeer its = peers.get(peer);
            if (its == null) {
                its = new RemotePeer(fabric, peer);
                peers.put(peer, its);
            }
            return its;
        }
    }

    @Override
    public int met() {
        return here.length + fabric.met();
    }

    @Override
    public int met(int number) {
        return number < here.length ? here[number] : fabric.met(number - here.length);
    }

    @Override
    public Multicasts multicasts() {
        return fabric.multicasts();
    }

    @Override
    public NativeMemory board(int rank) {
        return nodes.isHere(rank) ? node.board(rank) : null;
    }

    @Override
    public boolean offersMemory() {
        return node.offersMemory();
    }

    @Override
    public ProcessMemory memoryOf(int rank) {
        return nodes.isHere(rank) ? node.memoryOf(rank) : null;
    }

    // ---- what becomes of the others ----

    @Override
    public synchronized String lostPeer() {
        notices.hear();
        String onThisNode = node.lostPeer();
        if (onThisNode != null) {
            tellOfLostHere();
        }
        for (int i = Math.min(WATCHED_A_CALL, nodes.ranks()); i > 0; i--) {
            watchedNext = watchedNext + 1 < nodes.ranks() ? watchedNext + 1 : 0;
            if (!nodes.isHere(watchedNext)) {
                look(watchedNext);
            }
        }
        return onThisNode != null ? onThisNode : firstLost;
    }

    @Override
    public synchronized String lost(int peer) {
        if (nodes.isHere(peer)) {
            return node.lost(peer);
        }
        look(peer);
        RemotePeer its = known(peer);
        return its == null ? null : its.lost;
    }

    @Override
    public synchronized String over() {
        notices.hear();
        return node.over();
    }

    @Override
    public synchronized String died() {
        String onThisNode = node.died();
        return onThisNode != null ? onThisNode : firstDead;
    }

    @Override
    public WaitRecord waitRecord() {
        return node.waitRecord();
    }

    @Override
    public FlightRecorder recorder() {
        return node.recorder();
    }

    @Override
    public List<String> lastCalls(boolean shown) {
        return node.lastCalls(shown);
    }

    @Override
    public void callsAreShown() {
        node.callsAreShown();
    }

    @Override
    public List<RankState> rankStates() {
        return node.rankStates();
    }

    @Override
    public int[] launchers() {
        return node.launchers();
    }

    @Override
    public String lostLauncher() {
        return node.lostLauncher();
    }

    /** Checks whether a rank of another node is still there. */
    private void look(int peer) {
        RemotePeer its = known(peer);
        if (its != null && (its.lost != null || its.finished)) {
            return;
        }
        String gone = exchange.lost(peer);
        if (gone == null) {
            gone = fabric.lost(peer);
        }
        if (gone == null && its != null && its.isSilent(QUIET_NANOS)) {
            gone = Endpoint.exited(peer);
        }
        if (gone != null) {
            // its last notice may have come after we looked at the notices and before we looked at the process
            notices.hear();
            RemotePeer now = remote(peer);
            if (!now.finished) {
                learn(peer, now.ending != 0 ? Endpoint.exited(peer) : gone);
            }
        }
    }

    /** Notes that a rank of another node is lost. If the job goes on without it, tells all others. */
    private void learn(int peer, String sentence) {
        RemotePeer its = remote(peer);
        if (its.lost == null) {
            its.lost = sentence;
            firstLost = firstLost == null ? sentence : firstLost;
            firstDead = firstDead == null && !sentence.equals(Endpoint.exited(peer)) ? sentence : firstDead;
            if (survives) {
                notices.tellAll(Notices.LOST, peer, sentence);
            }
        }
    }

    private void tellOfLostHere() {
        if (!survives) {
            return; // the job ends now, and the others are told that instead
        }
        for (int i = 0; i < here.length; i++) {
            String lost = told[i] ? null : node.lost(here[i]);
            if (lost != null) {
                told[i] = true;
                notices.tellAll(Notices.LOST, here[i], lost);
            }
        }
    }

    private void heard(int from, int kind, int subject, String sentence, long first, long second) {
        switch (kind) {
            case Notices.LEAVING -> remote(from).sentBefore = new long[] {first, second};
            case Notices.FINISHED -> remote(from).finished = true;
            case Notices.ENDING -> remote(from).ending = System.nanoTime();
            case Notices.FAILED -> node.fail(sentence, subject);
            default -> {
                // Ignore what others say about ranks of this node: this rank knows better.
                if (subject >= 0 && subject < nodes.ranks() && !nodes.isHere(subject) && !remote(subject).finished) {
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
        RemotePeer its = known(peer);
        return its != null && its.isLeaving();
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
        for (int i = 0, met = fabric.met(); i < met; i++) {
            int peer = fabric.met(i);
            if (notices.reach(peer)) {
                RemotePeer its = remote(peer);
                notices.tell(peer, Notices.LEAVING, its.link(COLLECTIVE).sent(), its.link(POINT_TO_POINT).sent(),
                    deadline);
            }
        }
    }

    @Override
    public synchronized void finished() {
        silent = true;
        exchange.ends(true);
        node.finished();
        notices.tellAll(Notices.FINISHED, rank(), "");
    }

    @Override
    public synchronized void exiting() {
        if (!silent) {
            silent = true;
            node.exiting();
            notices.tellAll(Notices.LOST, rank(), Endpoint.exited(rank()));
        }
    }

    /** Tells the other nodes that this process is ending; false once there is nothing to tell any more. */
    synchronized boolean pulse() {
        if (!silent) {
            exchange.ends(false);
            notices.pulse();
        }
        return !silent;
    }

    @Override
    public synchronized void fail(String why, int code) {
        notices.hear(); // hear of an earlier failure first: only the first one counts
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
