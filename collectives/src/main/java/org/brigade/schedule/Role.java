package org.brigade.schedule;

/** The buffers that a schedule may name. */
public enum Role {
    /** What the caller contributes. Never written. */
    SEND,
    /** Where the caller's result goes; the only buffer of a broadcast. */
    RECV,
    /** Memory of the library's own, divided as {@link Collective#scratch} says; a schedule may use several areas of it. */
    SCRATCH
}
