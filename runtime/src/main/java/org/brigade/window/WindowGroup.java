package org.brigade.window;

import org.brigade.engine.Membership;

/** The ranks of a window: whom its calls wait for, and how all of them meet. */
abstract class WindowGroup {
    final Membership membership;

    WindowGroup(Membership membership) {
        this.membership = membership;
    }

    /** Waits until all ranks are here. What each has stored before, all see then. */
    abstract void meet(String call);

    abstract void rename(String name);

    abstract void returnErrors(boolean wish);

    /** Notes that a call has thrown before it began. */
    abstract void threw(String call);

    /** No rank calls any more. */
    abstract void end();
}
