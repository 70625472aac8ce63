package org.brigade.transport;

import org.brigade.bootstrap.CoreShare;
import org.brigade.bootstrap.Nodes;
import org.brigade.memory.NativeMemory;

/** This rank's end of all its links. */
public interface Endpoint extends AutoCloseable {
    /** The lane of collectives. */
    int COLLECTIVE = 0;
    /** The lane of point-to-point messages: the two never disturb each other. */
    int POINT_TO_POINT = 1;
    int LANES = 2;

    int rank();

    int size();

    /** The link to a peer; the rank itself is a peer like any other. Always the same object for the same arguments. */
    Link link(int peer, int lane);

    /**
     * How many ranks this one has to do with so far: all whose links may have something at their heads are among them,
     * and all that have been sent anything. They are numbered from 0, as {@link #met(int)} says; there may be more at
     * every call, never fewer.
     */
    default int met() {
        return size();
    }

    /** The rank of a number below {@link #met()}. */
    default int met(int number) {
        return number;
    }

    /** Which ranks are on which node; null if all are on this one. */
    default Nodes nodes() {
        return null;
    }

    /** The part of this endpoint that serves the ranks of this node; the same for all that are made of it. */
    default Endpoint withinNode() {
        return this;
    }

    /** The name of the {@link Fabric} that joins the nodes; empty on one node. */
    default String fabric() {
        return "";
    }

    /**
     * Whether this rank has a processor to itself, by what all ranks of its machine have told. Once; not for the hot
     * path.
     */
    default CoreShare cores() {
        return CoreShare.ofThreads(size());
    }

    /** How one message reaches ranks of several nodes at once; null where nothing can. */
    default Multicasts multicasts() {
        return null;
    }

    /** Whether who waits is to let others run between two looks, as {@link FabricEnd#yields} says. */
    default boolean yields() {
        return false;
    }

    /**
     * Moves on what links have accepted, as far as that does not go by itself; for whoever waits, once a turn. As
     * links: one thread at a time.
     */
    default void push() {
    }

    /** Bytes of a rank's {@link #board}. */
    int BOARD_BYTES = 50 << 10;

    /**
     * Memory that the given rank writes and every other rank of its node reads, {@link #BOARD_BYTES} long, zeros at
     * first, at a multiple of 64; null if this rank cannot see that rank's memory. What is in it is the business of
     * {@code org.brigade.device} ({@code CallBoard}) and of its devices.
     */
    NativeMemory board(int rank);

    /**
     * Looks whether every peer is still there. Cheap enough to be called every few milliseconds while waiting, not in
     * every spin. Any thread.
     *
     * @return null if all is well, else a sentence that names the rank and what happened to it ("rank 3 exited without
     * MPI.Finalize")
     */
    String lostPeer();

    /**
     * What happened to one peer that has gone without MPI.Finalize, as in {@link #lostPeer}; null if it is there, has
     * finalized, or cannot be seen from here. Any thread.
     */
    String lost(int peer);

    /**
     * Why the job is over for all its ranks, whatever they think of lost peers: one has aborted it, or the launcher
     * died. Null if it is not. Any thread.
     */
    String over();

    /**
     * That the launcher died; null if it has not, or none is known. Any thread, at any time, after {@link #close} too.
     */
    default String lostLauncher() {
        return null;
    }

    /** Tells the launcher that this rank goes on when a peer is lost, so that it need not be ended then. */
    void survives();

    /** Tells the peers that this rank is in Finalize: it has sent all it will ever send. */
    void leaving();

    /** Whether a peer is in Finalize or beyond: what has not come from it yet will not come. */
    boolean isLeaving(int peer);

    /** Tells the peers that this rank has finalized: from now on its going is no loss. */
    void finished();

    /**
     * Tells the peers that this process is ending without MPI.Finalize, before anything else tells them: they are to
     * see the cause before what follows from it. Any thread.
     */
    void exiting();

    /**
     * Tells the peers that the job has failed, so that whoever waits stops waiting: their {@link #lostPeer} answers
     * this, and {@link #failureCode} the exit code. The first word stands.
     */
    void fail(String why, int code);

    /** The exit code that the job's failure came with; 1 if none did. */
    int failureCode();

    /** Lets go of everything. Never throws. */
    @Override
    void close();
}
