package org.brigade.verify.straight;

import mpi.spi.Collective;
import org.brigade.engine.node.Awaited;
import org.brigade.engine.node.CallMembers;
import org.brigade.verify.Wrong;

/** The other ranks of a run. All make matching calls, so every failure is a fault of the code. */
final class SymbolicMembers implements CallMembers {
    private final SymbolicAccess access;
    private final SymbolicMemory memory;
    private final int rank;

    SymbolicMembers(SymbolicAccess access, SymbolicMemory memory, int rank) {
        this.access = access;
        this.memory = memory;
        this.rank = rank;
    }

    @Override
    public void await(Awaited awaited, int member, long key, Collective collective) {
        while (!awaited.isThere(member)) {
            access.blockOnMissed();
        }
    }

    @Override
    public void turn() {
        memory.interleaving.point(rank);
    }

    @Override
    public void poison(long key) {
        // the run ends
    }

    @Override
    public RuntimeException failed(long key, Collective collective, Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return (RuntimeException) cause;
    }

    @Override
    public RuntimeException mismatch(long key, Collective collective, String why) {
        return new Wrong("rank " + rank + ": " + why);
    }

    @Override
    public RuntimeException truncated(long key, Collective collective, int peer, long came, long room) {
        return new Wrong("rank " + rank + ": rank " + peer + " sends " + came + " bytes, there is room for " + room);
    }

    @Override
    public RuntimeException broken(long key, Collective collective, String why) {
        return new Wrong("rank " + rank + ": " + why);
    }

    @Override
    public String communicator() {
        return "the communicator";
    }
}
