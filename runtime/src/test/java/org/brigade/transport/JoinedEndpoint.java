package org.brigade.transport;

import org.brigade.memory.NativeMemory;
import org.brigade.nativ.ProcessMemory;

/** Links of a fabric for ranks that know of each other's lives by other means. */
public record JoinedEndpoint(Endpoint life, FabricEnd end) implements Endpoint {
    @Override
    public int rank() {
        return life.rank();
    }

    @Override
    public int size() {
        return life.size();
    }

    @Override
    public Link link(int peer, int lane) {
        return end.link(peer, lane);
    }

    @Override
    public NativeMemory board(int rank) {
        return life.board(rank);
    }

    @Override
    public boolean offersMemory() {
        return life.offersMemory();
    }

    @Override
    public ProcessMemory memoryOf(int rank) {
        return life.memoryOf(rank);
    }

    @Override
    public String lostPeer() {
        return life.lostPeer();
    }

    @Override
    public String lost(int peer) {
        return life.lost(peer);
    }

    @Override
    public String over() {
        return life.over();
    }

    @Override
    public void survives() {
        life.survives();
    }

    @Override
    public void leaving() {
        life.leaving();
    }

    @Override
    public boolean isLeaving(int peer) {
        return life.isLeaving(peer);
    }

    @Override
    public void finished() {
        life.finished();
    }

    @Override
    public void exiting() {
        life.exiting();
    }

    @Override
    public void fail(String why, int code) {
        life.fail(why, code);
    }

    @Override
    public int failureCode() {
        return life.failureCode();
    }

    @Override
    public void close() {
        end.close();
        life.close();
    }
}
