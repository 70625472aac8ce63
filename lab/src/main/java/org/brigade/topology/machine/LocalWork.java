package org.brigade.topology.machine;

/**
 * The cost of a rank's work in its own memory.
 *
 * @param copyRate bytes copied per second
 * @param copyStartup seconds before the first
 * @param reduceRate bytes of the result per second
 * @param reduceStartup seconds before the first
 */
public record LocalWork(double copyRate, double copyStartup, double reduceRate, double reduceStartup) {
}
