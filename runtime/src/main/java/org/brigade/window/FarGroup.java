package org.brigade.window;

import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import org.brigade.engine.Membership;

/** Ranks of which some cannot touch each other's memory. The window has a communicator of its own. */
final class FarGroup extends WindowGroup {
    private final Communicator own;

    FarGroup(Communicator own, Membership membership) {
        super(membership);
        this.own = own;
    }

    @Override
    void meet(String call) {
        own.start(new Call(membership.rank, membership.members.length).begin(Collective.BARRIER, true));
    }

    @Override
    void rename(String name) {
        own.rename(name);
    }

    @Override
    void returnErrors(boolean wish) {
        own.returnErrors(wish);
    }

    @Override
    void threw(String call) {
        own.threw(call);
    }

    @Override
    void end() {
        own.free();
    }
}
