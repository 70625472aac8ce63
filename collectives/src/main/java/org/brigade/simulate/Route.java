package org.brigade.simulate;

/**
 * How a message travels, once it is under way: it takes {@code latency + bytes / rate}, where the rate is its fair share of every resource on the way.
 *
 * @param resources numbers of the shared resources it uses ({@link Wiring#capacity})
 * @param weights   for each, how many bytes of the resource's capacity one byte of the message takes: 1 for a wire, 2 for a memory that it is written to and read from
 * @param most      bytes/s that it can never exceed, whatever is free; infinite if only the resources limit it
 * @param startup   seconds that the sender is occupied before the first byte moves (ts): it can start nothing else on that lane meanwhile
 * @param latency   seconds between the last byte's leaving and its arrival, in which the sender is free again
 */
public record Route(int[] resources, double[] weights, double most, double startup, double latency) {
    public Route {
        if (resources.length != weights.length || !(most > 0) || !(startup >= 0) || !(latency >= 0) || resources.length == 0 && Double.isInfinite(most)) {
            throw new IllegalArgumentException(resources.length + " resources, " + weights.length + " weights, at most " + most + " bytes/s, startup " + startup
                + " s, latency " + latency + " s: a route needs a weight for each resource, a limit, and times of 0 or more");
        }
    }
}
