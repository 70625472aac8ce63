package org.brigade.schedule;

/** What a lane is made of. */
public sealed interface Node permits Step, Loop {
}
