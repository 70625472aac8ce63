package org.brigade.cli.bench.versus;

import java.util.LinkedHashMap;
import java.util.Map;
import org.brigade.cli.shared.BenchException;

/**
 * The C MPIs that {@code bench --vs} could use.
 *
 * @param installed of each, by name: its version in words
 * @param absent of each, by name: why it cannot be used, with the cure
 */
public record PeerInventory(Map<String, String> installed, Map<String, String> absent) {
    /** @param searched folders, as in PATH */
    public static PeerInventory on(String searched) {
        PeerInventory all = new PeerInventory(new LinkedHashMap<>(), new LinkedHashMap<>());
        for (MpiFamily family : MpiFamily.values()) {
            try {
                all.installed.put(family.key, InstalledMpi.find(family, searched).words());
            } catch (BenchException e) {
                all.absent.put(family.key, e.getMessage());
            }
        }
        return all;
    }
}
