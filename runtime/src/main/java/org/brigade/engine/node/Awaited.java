package org.brigade.engine.node;

/** What the members of a communicator make visible to each other, and wait for. */
public interface Awaited {
    /** Whether what a member is waited for is there. */
    boolean isThere(int member);
}
