package org.brigade.schedule;

import mpi.spi.Collective;
import mpi.spi.Extent;

/** The buffers that a schedule may name. */
public enum Role {
    /** What the caller contributes. Never written. */
    SEND,
    /** Receives the caller's result; the only buffer of a broadcast. */
    RECV,
    /**
     * Memory of the library's own, divided as {@link Collective#scratch} says; a schedule may use several areas of it.
     */
    SCRATCH;

    /** How a collective divides this buffer. */
    public Extent extent(Collective collective) {
        return switch (this) {
            case SEND -> collective.send;
            case RECV -> collective.recv;
            case SCRATCH -> collective.scratch;
        };
    }
}
