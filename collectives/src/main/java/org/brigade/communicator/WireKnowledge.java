package org.brigade.communicator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.brigade.pattern.Chains;
import org.brigade.pattern.Levels;
import org.brigade.pattern.Order;
import org.brigade.pattern.Wires;
import org.brigade.select.Settings;
import org.brigade.select.TuningException;
import org.brigade.topology.Place;
import org.brigade.topology.TopologyException;
import org.brigade.topology.profile.MachineFingerprint;
import org.brigade.topology.profile.PathProfile;
import org.brigade.topology.profile.ProfileXml;
import org.brigade.topology.profile.ProfiledOrder;

/** What this process finds out about wires: where it runs, and what the profile says that {@code brigade.topology.profile} names; and what follows when all ranks have told each other. */
final class WireKnowledge {
    private static final String PROFILE = "topology.profile";

    private final Settings settings;
    private final Place place;
    private PathProfile profile;
    private long print;

    WireKnowledge(Settings settings, Place place) {
        this.settings = settings;
        this.place = place;
    }

    /** Where this process runs, in {@link RankPlaces}'s word. */
    long place() {
        return RankPlaces.word(HostName.get(), place);
    }

    /**
     * A number that differs, but for accident, where profiles differ; 0 without one.
     *
     * @throws TuningException if the profile cannot be read, or is another machine's
     */
    long profilePrint() {
        String file = settings.get(PROFILE);
        if (file == null || print != 0) {
            return print;
        }
        try {
            profile = ProfileXml.readOwn(Path.of(file), MachineFingerprint.here());
            print = 1L << Integer.SIZE | Arrays.hashCode(Files.readAllBytes(Path.of(file))) & 0xffff_ffffL;
            return print;
        } catch (TopologyException | IOException e) {
            throw new TuningException(settings.origin(PROFILE) + ": " + e.getMessage());
        }
    }

    /**
     * What follows from where all ranks run, the profile and the order forced. The same on all ranks if these are.
     *
     * @param places by rank, as {@link #place} says
     * @param known  what is known already
     */
    Wires of(long[] places, Wires known) {
        RankPlaces all = new RankPlaces(places);
        Levels levels = all.levels();
        ProfiledOrder profiled = profiled(all);
        int[] ring = profiled == null ? null : profiled.ring();
        Order order = known.isOrdered() ? known.order(places.length)
            : ring != null ? Order.of(ring) : new Wires(null, levels, null).hierarchy(places.length).places();
        Chains chains = profiled == null || known.isOrdered() ? null : new Chains() {
            @Override
            public Order from(int root) {
                int[] chain = profiled.chain(root);
                return chain == null ? null : Order.of(chain);
            }
        };
        return new Wires(order, levels, chains);
    }

    /** By the processors that ranks are bound to; null if there is no profile of host memory, or it does not know them all. */
    private ProfiledOrder profiled(RankPlaces all) {
        if (profile == null || !profile.origin().space().equals("host")) {
            return null;
        }
        int[] devices = all.processors();
        for (int rank = 0; rank < devices.length; rank++) {
            devices[rank] = devices[rank] < 0 ? -1 : profile.indexOf("cpu" + devices[rank]);
            if (devices[rank] < 0) {
                return null;
            }
        }
        return new ProfiledOrder(profile, all.hosts(), devices);
    }
}
