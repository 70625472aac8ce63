package org.brigade.communicator.wires;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.brigade.select.Settings;
import org.brigade.select.TuningException;
import org.brigade.topology.TopologyException;
import org.brigade.topology.profile.MachineFingerprint;
import org.brigade.topology.profile.PathProfile;
import org.brigade.topology.profile.ProfileXml;

/**
 * The profile of one space's paths that this process goes by: the one that {@code brigade.topology.profile} names
 * ({@code none}: none), or else the one of this machine in the user's home; looked for when first asked about. One that
 * is named must be right; one that is only found may be another machine's, or not be the same for all ranks: then rank
 * 0 says so, and calls go by what else is known.
 */
final class TopologyProfile {
    /** What {@link #print} is where a rank cannot use the profile that it was told to. */
    static final long UNREADABLE = -1;

    private static final String SETTING = "topology.profile";
    private static final String NONE = "none";
    /** Bits of a print: that of a profile that was named, and that of one that was found. */
    private static final long NAMED = 1L << Integer.SIZE;
    private static final long FOUND = 2L << Integer.SIZE;

    private final Settings settings;
    private final Path home;
    private final String space;
    /** Of whatever space the file that was named says. */
    private PathProfile profile;
    private long print;
    private boolean looked;
    private String complaint;

    /**
     * @param home of the user: profiles are in its folder {@code .brigade}
     * @param space {@code host} or {@code device}, as profiles name them
     */
    TopologyProfile(Settings settings, Path home, String space) {
        this.settings = settings;
        this.home = home;
        this.space = space;
    }

    /** Whether the user named one, so that it must be right even where it would change nothing. */
    static boolean isNamed(Settings settings) {
        String named = settings.get(SETTING);
        return named != null && !named.equals(NONE);
    }

    /**
     * A number that differs, but for accident, where profiles differ; 0 without one.
     *
     * @throws TuningException if the profile that the setting names cannot be read, or is another machine's
     */
    long print() {
        if (looked) {
            return print;
        }
        if (isNamed(settings)) {
            try {
                read(Path.of(settings.get(SETTING)), MachineFingerprint.here(), NAMED);
            } catch (TopologyException | IOException e) {
                throw new TuningException(settings.origin(SETTING) + ": " + e.getMessage());
            }
        } else if (settings.get(SETTING) == null) {
            find();
        }
        looked = true;
        return print;
    }

    private void find() {
        if (!Files.isDirectory(MachineFingerprint.folder(home))) {
            return; // most users have none, and to learn what machine this is takes milliseconds
        }
        MachineFingerprint here = MachineFingerprint.here();
        Path file = here.defaultFile(home, space);
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

    /** Null if there is none, or it is of another space's paths. */
    PathProfile profile() {
        return profile != null && profile.origin().space().equals(space) ? profile : null;
    }

    /** The index of a device in the profile; -1 if there is no profile, or it does not have it. */
    int indexOf(String device) {
        return device == null || profile() == null ? -1 : profile.indexOf(device);
    }

    /**
     * Whether ranks may go on: with a profile that all have, or without one. Without, if some have found another than
     * others, or none; but one that was named must be the same.
     *
     * @param all the ranks' {@link #print}, {@link #UNREADABLE} where there is none; this rank's is among them
     * @return null, or what is wrong with another rank's
     */
    String compare(ProfilePrints all) {
        if (all.alike()) {
            return null;
        }
        if (all.found()) {
            complaint = complaint != null ? complaint
                : "ranks found different topology profiles, or none; give all the same with -Dbrigade.topology.profile";
            return null;
        }
        return "rank " + all.otherThan(print)
            + (all.ofOtherThan(print) == UNREADABLE ? " cannot use its topology profile"
                : " has another topology profile than this rank")
            + "; give all ranks the same -Dbrigade.topology.profile";
    }

    /** Whether a rank with this print was not told which to use. */
    static boolean isNoneOrFound(long print) {
        return print == 0 || print >>> Integer.SIZE == FOUND >>> Integer.SIZE;
    }

    /** Why a profile that is there is not used, to be told once; null if there is nothing to tell, or it has been. */
    String complaint() {
        String told = complaint;
        complaint = null;
        return told;
    }
}
