package org.brigade.cli.bench.versus;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The environment of a peer: without the variables that tune it, so that its defaults are measured. Some images switch
 * off Open MPI's single copy by such a variable, and every comparison there flatters the other side.
 *
 * @param cleared beginnings of the names of variables that are removed
 * @param kept beginnings of names that stay nevertheless: those that only say how to start processes
 * @param set variables that the peer needs
 */
record PeerEnvironment(List<String> cleared, List<String> kept, Map<String, String> set) {
    /** All variables, as they are. */
    static final PeerEnvironment UNCHANGED = new PeerEnvironment(List.of(), List.of(), Map.of());

    /** What would be removed, as {@code NAME=value}, in the order of names. */
    List<String> found(Map<String, String> environment) {
        List<String> found = new ArrayList<>();
        new TreeMap<>(environment).forEach((name, value) -> {
            if (isCleared(name)) {
                found.add(name + "=" + value);
            }
        });
        return found;
    }

    void apply(Map<String, String> environment) {
        environment.keySet().removeIf(this::isCleared);
        environment.putAll(set);
    }

    private boolean isCleared(String name) {
        return cleared.stream().anyMatch(name::startsWith) && kept.stream().noneMatch(name::startsWith);
    }
}
