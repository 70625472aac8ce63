package org.brigade.transport.chaos;

import org.brigade.bootstrap.Nodes;
import org.brigade.memory.NativeMemory;
import org.brigade.nativ.ProcessMemory;
import org.brigade.transport.Endpoint;
import org.brigade.transport.Link;

/** An endpoint whose links do everything unpleasant that a link may do, in an order given by a seed: for tests. */
public final class ChaosEndpoint implements Endpoint {
    private final Endpoint calm;
    private final Link[] links;

    public ChaosEndpoint(Endpoint calm, long seed) {
        this.calm = calm;
        links = new Link[calm.size() * LANES];
        for (int i = 0; i < links.length; i++) {
            links[i] = new ChaosLink(calm.link(i / LANES, i % LANES), seed * 31 + i);
        }
    }

    /** The same around every endpoint of a job. */
    public static Endpoint[] around(Endpoint[] calm, long seed) {
        Endpoint[] wild = new Endpoint[calm.length];
        for (int rank = 0; rank < calm.length; rank++) {
            wild[rank] = new ChaosEndpoint(calm[rank], seed + rank);
        }
        return wild;
    }

    @Override
    public int rank() {
        return calm.rank();
    }

    @Override
    public int size() {
        return calm.size();
    }

    @Override
    public Link link(int peer, int lane) {
        return links[peer * LANES + lane];
    }

    @Override
    public int met() {
        return calm.met();
    }

    @Override
    public int met(int number) {
        return calm.met(number);
    }

    @Override
    public Nodes nodes() {
        return calm.nodes();
    }

    @Override
    public void push() {
        calm.push();
    }

    @Override
    public Endpoint withinNode() {
        return calm.withinNode();
    }

    @Override
    public NativeMemory board(int rank) {
        return calm.board(rank);
    }

    @Override
    public boolean offersMemory() {
        return calm.offersMemory();
    }

    @Override
    public ProcessMemory memoryOf(int rank) {
        return calm.memoryOf(rank);
    }

    @Override
    public String lostPeer() {
        return calm.lostPeer();
    }

    @Override
    public String lost(int peer) {
        return calm.lost(peer);
    }

    @Override
    public String over() {
        return calm.over();
    }

    @Override
    public String died() {
        return calm.died();
    }

    @Override
    public int[] launchers() {
        return calm.launchers();
    }

    @Override
    public String lostLauncher() {
        return calm.lostLauncher();
    }

    @Override
    public void survives() {
        calm.survives();
    }

    @Override
    public void leaving() {
        calm.leaving();
    }

    @Override
    public boolean isLeaving(int peer) {
        return calm.isLeaving(peer);
    }

    @Override
    public void finished() {
        calm.finished();
    }

    @Override
    public void exiting() {
        calm.exiting();
    }

    @Override
    public void fail(String why, int code) {
        calm.fail(why, code);
    }

    @Override
    public int failureCode() {
        return calm.failureCode();
    }

    @Override
    public void close() {
        calm.close();
    }
}
