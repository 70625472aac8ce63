/** Simulated transfers: events, flows that share links, and sets of transfers. */
package org.brigade.simulate.flow;
