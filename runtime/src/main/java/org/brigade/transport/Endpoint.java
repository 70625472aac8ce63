package org.brigade.transport;

import java.util.List;
import org.brigade.bootstrap.CoreShare;
import org.brigade.bootstrap.MachineRanks;
import org.brigade.bootstrap.Nodes;
import org.brigade.pattern.NetworkSpeed;
import org.brigade.memory.NativeMemory;
import org.brigade.nativ.ProcessMemory;
import org.brigade.waiting.FlightRecorder;
import org.brigade.waiting.RankState;
import org.brigade.waiting.WaitRecord;

/** This rank's end of all its links. */
public interface Endpoint extends AutoCloseable {
    /** The lane of collectives. */
    int COLLECTIVE = 0;
    /** The lane of point-to-point messages. The two lanes are independent of each other. */
    int POINT_TO_POINT = 1;
    int LANES = 2;

    int rank();

    int size();

    /** The link to a peer; the rank itself is a peer like any other. Always the same object for the same arguments. */
    Link link(int peer, int lane);

    /**
     * How many peers this rank has met so far. A peer is met if its links may have a message at the head, or if this
     * rank has sent it anything. Met peers are numbered from 0; see {@link #met(int)}. The number may grow at every
     * call and never shrinks.
     */
    default int met() {
        return size();
    }

    /** The rank of the met peer with this number, which is below {@link #met()}. */
    default int met(int number) {
        return number;
    }

    /** Which ranks are on which node; null if all ranks are on this node. */
    default Nodes nodes() {
        return null;
    }

    /** The part of this endpoint that serves the ranks of this node; the same object for all endpoints built on it. */
    default Endpoint withinNode() {
        return this;
    }

    /** The name of the {@link Fabric} that joins the nodes; empty on one node. */
    default String fabric() {
        return "";
    }

    /** How fast that is, as all ranks know; null if nobody knows, and on one node. */
    default NetworkSpeed speed() {
        return null;
    }

    /**
     * Whether this rank has a processor to itself, by what all ranks of its machine have reported. Call it once; not
     * for the hot path.
     */
    default CoreShare cores() {
        return CoreShare.ofThreads(size());
    }

    /** The ranks of this machine and their processors; null if they are not known. Call it once, as {@link #cores}. */
    default MachineRanks machine() {
        return null;
    }

    /**
     * The processor of this rank if all ranks of its machine can have one each and may all run on the same ones; else
     * -1. Call it once; not for the hot path.
     */
    default int homeProcessor() {
        return -1;
    }

    /** The way to send one message to several nodes at once; null if there is none. */
    default Multicasts multicasts() {
        return null;
    }

    /** Whether a waiting thread must let others run between two looks; see {@link FabricEnd#yields}. */
    default boolean yields() {
        return false;
    }

    /** Whether {@link #sleep} ends when something comes from another node. */
    default boolean wakes() {
        return false;
    }

    /** Sleeps up to so long, or until something comes from another node. Only if it {@link #wakes}. Any thread. */
    default void sleep(long nanos) {
    }

    /**
     * Moves accepted messages on, if they do not move by themselves. A waiting thread calls it once a turn. One thread
     * at a time, as for links.
     */
    default void push() {
    }

    /** Where on a {@link #board} the blocks begin that a rank publishes in small collectives. */
    int PULLED_AT = 58 << 10;

    /** Bytes of a rank's {@link #board}. */
    int BOARD_BYTES = PULLED_AT + (68 << 10);

    /**
     * Memory that the given rank writes and every other rank of its node reads. It is {@link #BOARD_BYTES} long, starts
     * at a multiple of 64 and is zero at first. Null if this rank cannot see that rank's memory. Up to
     * {@link #PULLED_AT}, {@code org.brigade.device} ({@code CallBoard}) and its devices define the content; then
     * {@code org.brigade.engine.node} ({@code PullSlots}) does.
     */
    NativeMemory board(int rank);

    /**
     * Tells the other ranks of this node how to find this process's memory, so that they may read it
     * ({@link #memoryOf}). False if memory is not to be read here.
     */
    default boolean offersMemory() {
        return false;
    }

    /**
     * The memory of the process of a rank that has offered it. Null if this process may not read it: another node,
     * another container, or the kernel refuses.
     */
    default ProcessMemory memoryOf(int rank) {
        return null;
    }

    /** Where this rank notes what it waits for, so that other processes of its node can see it; null if nowhere. */
    default WaitRecord waitRecord() {
        return null;
    }

    /** Where this rank notes its calls. Asked once. */
    default FlightRecorder recorder() {
        return FlightRecorder.unseen();
    }

    /**
     * Says which calls this node's ranks have made last, to the first process of the node that asks. When they are
     * shown, it says so by {@link #callsAreShown}; until then the launcher does not end it.
     *
     * @param shown false: the caller shows none, and nobody else is to do it
     * @return empty if another process has asked before, or nothing is known
     */
    default List<String> lastCalls(boolean shown) {
        return List.of();
    }

    /** This rank has shown what {@link #lastCalls} said. */
    default void callsAreShown() {
    }

    /** What can be seen of the job's ranks on this node, this one among them; empty if nothing. Any thread. */
    default List<RankState> rankStates() {
        return List.of();
    }

    /** Memory that the ranks of this node can share beside the links; null if there is none. */
    default NodeMemory nodeMemory() {
        return null;
    }

    /**
     * Checks whether every peer is still there. Cheap enough for every few milliseconds of a wait, but not for every
     * spin. Any thread.
     *
     * @return null if all is well, else a sentence that names the rank and what happened to it ("rank 3 exited without
     * MPI.Finalize")
     */
    String lostPeer();

    /** What is said of a rank whose process has ended by itself, without MPI.Finalize. */
    static String exited(int rank) {
        return "rank " + rank + " exited without MPI.Finalize";
    }

    /**
     * What happened to a peer that ended without MPI.Finalize, as in {@link #lostPeer}. Null if the peer is there, has
     * finalized, or cannot be seen from here. Any thread.
     */
    String lost(int peer);

    /**
     * Why the job is over for all its ranks, even those that tolerate lost peers: a rank has aborted the job, or the
     * launcher died. Null if the job goes on. Any thread.
     */
    String over();

    /**
     * Why the job is over for a rank that tolerates no dead peers: as {@link #over}, or what happened to a peer that
     * died. A peer that has left, whose process ended by itself without MPI.Finalize, harms only those that wait for
     * it. Up to date after {@link #lostPeer}. Any thread.
     */
    default String died() {
        return lostPeer();
    }

    /**
     * A sentence if the launcher died; null if it is there or there is none. Any thread, at any time, also after
     * {@link #close}.
     */
    default String lostLauncher() {
        return null;
    }

    /** The launcher's process here, and those between it and this rank; empty if there is none or it is not seen. */
    default int[] launchers() {
        return new int[0];
    }

    /** Tells the launcher that this rank goes on when a peer is lost, so that the launcher does not end it. */
    void survives();

    /** Tells the peers that this rank is in Finalize and will send no more messages. */
    void leaving();

    /** Whether a peer is in Finalize or beyond: no more messages will come from it. */
    boolean isLeaving(int peer);

    /** Tells the peers that this rank has finalized: from now on its exit is no failure. */
    void finished();

    /**
     * Tells the peers that this process is ending without MPI.Finalize. It tells them early, so that they see the cause
     * before its consequences. Any thread.
     */
    void exiting();

    /**
     * Tells the peers that the job has failed, so that waiting ranks stop waiting. Their {@link #lostPeer} then returns
     * this sentence and their {@link #failureCode} this code. Only the first failure counts.
     */
    void fail(String why, int code);

    /** The exit code of the job's failure; 1 if it has none. */
    int failureCode();

    /**
     * After {@link #close}: gives back at once the memory that all ranks share, if they all have finished. Else it is
     * given back when the JVMs of all ranks have collected it, or have ended. Never throws.
     */
    default void discard() {
    }

    /** Releases everything. Never throws. */
    @Override
    void close();
}
