package org.brigade.communicator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.brigade.bootstrap.Nodes;
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

/**
 * What this process finds out about wires: where it runs, and what a profile says; and what follows when all ranks have told each other. The profile is the one that {@code brigade.topology.profile} names
 * ({@code none}: none), or else the one of this machine in the user's home. One that is named must be right; one that is only found may be another machine's, or not be the same for all ranks: then
 * rank 0 says so, and calls go by what else is known.
 */
final class WireKnowledge {
    private static final String PROFILE = "topology.profile";

    /** What {@link #profilePrint} is where a rank cannot use the profile that it was told to. */
    static final long UNREADABLE = -1;
    private static final String NO_PROFILE = "none";
    /** Bits of a print: that of a profile that was named, and that of one that was found. */
    private static final long NAMED = 1L << Integer.SIZE;
    private static final long FOUND = 2L << Integer.SIZE;

    private final Settings settings;
    private final Place place;
    private final Path home;
    /** Null if all ranks are on one. */
    private final Nodes nodes;
    private PathProfile profile;
    private long print;
    private boolean looked;
    private String complaint;

    /**
     * @param home  of the user: profiles are in its folder {@code .brigade}
     * @param nodes null if all ranks are on one
     */
    WireKnowledge(Settings settings, Place place, Path home, Nodes nodes) {
        this.settings = settings;
        this.place = place;
        this.home = home;
        this.nodes = nodes;
    }

    /** Where this process runs, in {@link RankPlaces}'s word. */
    long place() {
        return RankPlaces.word(nodes != null ? nodes.own() : HostName.get().hashCode(), place);
    }

    /**
     * A number that differs, but for accident, where profiles differ; 0 without one.
     *
     * @throws TuningException if the profile that the setting names cannot be read, or is another machine's
     */
    long profilePrint() {
        if (looked) {
            return print;
        }
        String named = settings.get(PROFILE);
        if (named == null) {
            find();
        } else if (!named.equals(NO_PROFILE)) {
            try {
                read(Path.of(named), MachineFingerprint.here(), NAMED);
            } catch (TopologyException | IOException e) {
                throw new TuningException(settings.origin(PROFILE) + ": " + e.getMessage());
            }
        }
        looked = true;
        return print;
    }

    private void find() {
        if (!Files.isDirectory(MachineFingerprint.folder(home))) {
            return; // most users have none, and to learn what machine this is takes milliseconds
        }
        MachineFingerprint here = MachineFingerprint.here();
        Path file = here.defaultFile(home);
        if (Files.exists(file)) {
            try {
                read(file, here, FOUND);
            } catch (TopologyException | IOException e) {
                complaint = e.getMessage();
            }
        }
    }

    private void read(Path file, MachineFingerprint here, long kind) throws IOException {
        profile = ProfileXml.readOwn(file, here);
        print = kind | Arrays.hashCode(Files.readAllBytes(file)) & 0xffff_ffffL;
    }

    /**
     * Whether ranks may go on: with a profile that all have, or without one. Without, if some have found another than others, or none; but one that was named must be the same.
     *
     * @param prints by rank: {@link #profilePrint}, or {@link #UNREADABLE}
     * @return null, or what is wrong with another rank's
     */
    String compare(long[] prints, int rank) {
        if (alike(prints)) {
            return null;
        }
        boolean found = true;
        int other = rank;
        for (int i = 0; i < prints.length; i++) {
            found &= prints[i] == 0 || prints[i] >>> Integer.SIZE == FOUND >>> Integer.SIZE;
            other = prints[i] != prints[rank] ? i : other;
        }
        if (found) {
            complaint = complaint != null ? complaint : "ranks found different topology profiles, or none; give all the same with -Dbrigade.topology.profile";
            return null;
        }
        return "rank " + other + (prints[other] == UNREADABLE ? " cannot use its topology profile" : " has another topology profile than this rank")
            + "; give all ranks the same -Dbrigade.topology.profile";
    }

    private static boolean alike(long[] prints) {
        for (long each : prints) {
            if (each != prints[0]) {
                return false;
            }
        }
        return true;
    }

    /** Why a profile that is there is not used, to be told once; null if there is nothing to tell, or it has been. */
    String complaint() {
        String told = complaint;
        complaint = null;
        return told;
    }

    /**
     * What follows from where all ranks run, the profile and the order forced. By nothing but what all ranks were told: another communicator's ranks may have other profiles, so whether this one's is used
     * is decided for each anew.
     *
     * @param places by rank, as {@link #place} says
     * @param prints by rank, as {@link #profilePrint} says: where they differ, the profile is not used
     * @param known  what is known already
     * @param forced the order, or null
     */
    Wires of(long[] places, long[] prints, Wires known, Order forced) {
        RankPlaces all = new RankPlaces(places);
        Levels levels = all.levels();
        ProfiledOrder profiled = alike(prints) ? profiled(all) : null;
        int[] ring = profiled == null ? null : profiled.ring();
        Order order = forced != null ? forced
            : ring != null ? Order.of(ring) : new Wires(null, levels, null).hierarchy(places.length).places();
        return new Wires(order, levels, profiled == null || forced != null ? null : chains(profiled), known.nodes()).multicast(known.multicast());
    }

    /**
     * What a profile of device memory says of the devices of ranks, all on this node.
     *
     * @param devices by rank, as {@link #device} says
     * @param prints  by rank, as {@link #profilePrint} says: where they differ, the profile is not used
     */
    Wires ofDevices(int[] devices, long[] prints) {
        for (int device : devices) {
            if (device < 0) {
                return Wires.NONE;
            }
        }
        if (!alike(prints)) {
            return Wires.NONE;
        }
        ProfiledOrder profiled = new ProfiledOrder(profile, new int[devices.length], devices);
        int[] ring = profiled.ring();
        return new Wires(ring == null ? null : Order.of(ring), Levels.NONE, chains(profiled));
    }

    /** The index of a device in the profile; -1 if there is no profile of device memory, or it does not have it. */
    int device(String name) {
        return name == null || !isOf("device") ? -1 : profile.indexOf(name);
    }

    private static Chains chains(ProfiledOrder profiled) {
        return new Chains() {
            @Override
            public Order from(int root) {
                int[] chain = profiled.chain(root);
                return chain == null ? null : Order.of(chain);
            }
        };
    }

    private boolean isOf(String space) {
        return profile != null && profile.origin().space().equals(space);
    }

    /** By the processors that ranks are bound to; null if there is no profile of host memory, or it does not know them all. */
    private ProfiledOrder profiled(RankPlaces all) {
        if (!isOf("host")) {
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
