package org.brigade.engine.node;

import org.brigade.nativ.AwaitedWord;

/** What the members of a communicator make visible to each other, and wait for. */
public interface Awaited {
    /** Whether what a member is waited for is there. */
    boolean isThere(int member);

    /** Tells what {@link #isThere} looks at. */
    void show(int member, AwaitedWord word);
}
