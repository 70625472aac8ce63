package org.brigade.communicator.job;

import java.util.List;
import org.brigade.bootstrap.CoreShare;
import org.brigade.bootstrap.MachineRanks;
import org.brigade.bootstrap.Nodes;
import org.brigade.memory.NativeMemory;
import org.brigade.pattern.NetworkSpeed;
import org.brigade.transport.Endpoint;
import org.brigade.transport.Link;
import org.brigade.transport.Multicasts;
import org.brigade.waiting.FlightRecorder;
import org.brigade.waiting.RankState;
import org.brigade.waiting.WaitRecord;

/**
 * This process's end of a union of several jobs. Links and the peers' lives are the union's. The process itself lives
 * and ends with its own job: the end of another job, even by abort, is no end of this one, only the loss of peers.
 */
final class UnionEndpoint implements Endpoint {
    private final Endpoint own;
    private final Endpoint union;
    private final Processes processes;
    /** By rank of the union: the process's number. */
    private final int[] numbers;
    private final FlightRecorder recorder;

    UnionEndpoint(Endpoint own, Endpoint union, Processes processes, int[] numbers, FlightRecorder recorder) {
        this.recorder = recorder;
        this.own = own;
        this.union = union;
        this.processes = processes;
        this.numbers = numbers;
    }

    @Override
    public int rank() {
        return union.rank();
    }

    @Override
    public int size() {
        return union.size();
    }

    @Override
    public Link link(int peer, int lane) {
        return union.link(peer, lane);
    }

    @Override
    public int met() {
        return union.met();
    }

    @Override
    public int met(int number) {
        return union.met(number);
    }

    @Override
    public Nodes nodes() {
        return union.nodes();
    }

    @Override
    public Endpoint withinNode() {
        return union.withinNode();
    }

    @Override
    public String fabric() {
        return union.fabric();
    }

    @Override
    public NetworkSpeed speed() {
        return union.speed();
    }

    @Override
    public CoreShare cores() {
        return union.cores();
    }

    @Override
    public MachineRanks machine() {
        return union.machine();
    }

    @Override
    public Multicasts multicasts() {
        return union.multicasts();
    }

    @Override
    public boolean yields() {
        return union.yields();
    }

    @Override
    public void push() {
        union.push();
    }

    /** None: collectives on device memory of several jobs go over the links. */
    @Override
    public NativeMemory board(int rank) {
        return null;
    }

    @Override
    public WaitRecord waitRecord() {
        return union.waitRecord();
    }

    @Override
    public List<RankState> rankStates() {
        return union.rankStates();
    }

    /** The calls of a process are listed with its own job. */
    @Override
    public FlightRecorder recorder() {
        return recorder;
    }

    @Override
    public List<String> lastCalls(boolean shown) {
        return own.lastCalls(shown);
    }

    @Override
    public void callsAreShown() {
        own.callsAreShown();
    }

    @Override
    public String lostPeer() {
        String lost = union.lostPeer();
        return lost != null ? lost : own.lostLauncher();
    }

    /** A peer's rank in the union means nothing to the user; the rank in its own job does. */
    @Override
    public String lost(int peer) {
        String lost = union.lost(peer);
        String there = "rank " + peer;
        if (lost == null || !lost.startsWith(there)) {
            return lost;
        }
        int number = numbers[peer];
        return "rank " + processes.rank(number) + (processes.isOwn(number) ? " of this job" : " of another job")
            + lost.substring(there.length());
    }

    @Override
    public String over() {
        return own.over();
    }

    @Override
    public String lostLauncher() {
        return own.lostLauncher();
    }

    /** The launcher ends no other job when a rank of one is lost, so there is nothing to tell it. */
    @Override
    public void survives() {
    }

    @Override
    public void leaving() {
        union.leaving();
    }

    @Override
    public boolean isLeaving(int peer) {
        return union.isLeaving(peer);
    }

    @Override
    public void finished() {
        union.finished();
    }

    @Override
    public void exiting() {
        union.exiting();
    }

    @Override
    public void fail(String why, int code) {
        own.fail(why, code);
    }

    @Override
    public int failureCode() {
        return own.failureCode();
    }

    @Override
    public void discard() {
        union.discard();
    }

    @Override
    public void close() {
        union.close();
    }
}
