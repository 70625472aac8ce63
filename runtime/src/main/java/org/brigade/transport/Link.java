package org.brigade.transport;

/** Both directions between this rank and one peer on one lane. */
public interface Link extends OutboundLink, InboundLink {
    /** The rank at the other end (in the job). */
    int peer();
}
