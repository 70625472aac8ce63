package org.brigade.trace;

/** A message of point-to-point calls whose two ends were found. */
record Flow(int sender, TracedSpan send, int receiver, TracedSpan receive) {
}
