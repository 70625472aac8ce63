package org.brigade.communicator;

import org.brigade.window.WindowContexts;

/** Contexts for the windows of a communicator, of those that its rank 0 hands out. */
final class CommunicatorContexts implements WindowContexts {
    private final BrigadeProvider provider;
    private final IntraCommunicator original;

    CommunicatorContexts(BrigadeProvider provider, IntraCommunicator original) {
        this.provider = provider;
        this.original = original;
    }

    @Override
    public long take() {
        long again = provider.contexts.takeFree(); // mostly the last window's
        return again != 0 ? again : provider.newContext();
    }

    @Override
    public void giveBack(long context) {
        provider.contexts.giveBack(context);
    }

    @Override
    public void begins() {
        provider.opened();
    }

    @Override
    public void ended() {
        provider.closed();
    }

    @Override
    public Own communicator(long context, String name) {
        IntraCommunicator own = (IntraCommunicator) original.duplicate(context);
        own.rename(name);
        return new Own(own, own.membership(), own.windowMessages());
    }
}
