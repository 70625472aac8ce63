package org.brigade.launch.options;

import java.util.List;

/**
 * The hosts of a job of which at least one is not this machine. Only those that have ranks count.
 *
 * @param names of the hosts, as the line gives them
 * @param here by host: whether it is this machine
 * @param hostOf by rank: its host, from 0 on
 * @param agent the words of {@code --launch-agent}; empty: ssh
 */
public record JobHosts(List<String> names, boolean[] here, int[] hostOf, List<String> agent) {
    /** How many ranks a host has. */
    public int ranks(int host) {
        int ranks = 0;
        for (int its : hostOf) {
            ranks += its == host ? 1 : 0;
        }
        return ranks;
    }

    /** A rank's number among those of its host. */
    public int localRank(int rank) {
        int before = 0;
        for (int other = 0; other < rank; other++) {
            before += hostOf[other] == hostOf[rank] ? 1 : 0;
        }
        return before;
    }
}
