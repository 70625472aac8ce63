package org.brigade.schedule;

/**
 * A wait for a step of another lane of the same rank.
 *
 * @param step the step waited for
 * @param distance if both steps are in the same loops: how many rounds back (0: this round and window); rounds before
 * the first need no wait
 * @param all the two are in different loops: wait until that step has run for the last time
 */
public record Await(int step, int distance, boolean all) {
    @Override
    public String toString() {
        return "await " + step + (all ? " all" : distance == 0 ? "" : " i-" + distance);
    }
}
