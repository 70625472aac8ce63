package org.brigade.communicator.wires;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.brigade.nativ.PrivateFolder;
import org.brigade.select.Settings;
import org.brigade.select.TuningException;
import org.brigade.topology.TopologyException;
import org.brigade.topology.profile.MachineFingerprint;
import org.brigade.topology.profile.PathProfile;
import org.brigade.topology.profile.ProfileXml;

/**
 * The topology profile of one space (host or device) that this process uses. {@code brigade.topology.profile} names it
 * ({@code none}: no profile); otherwise it is this machine's profile in the user's home. It is looked for when first
 * asked about. A named profile must be usable, or the call fails. A found one may be another machine's, or differ
 * between ranks: then rank 0 says so, and it is not used.
 */
final class TopologyProfile {
    /** Stands for {@link #print} if a rank cannot use the profile that it was told to use. */
    static final long UNREADABLE = -1;

    private static final String SETTING = "topology.profile";
    private static final String NONE = "none";
    /** Bits of a print: the profile was named, or it was found. */
    private static final long NAMED = 1L << Integer.SIZE;
    private static final long FOUND = 2L << Integer.SIZE;

    private final Settings settings;
    private final Path home;
    private final String space;
    /** May be of the other space: a named file says itself which space it is of. */
    private PathProfile profile;
    private Path file;
    private long print;
    private boolean looked;
    private String complaint;

    /**
     * @param home the user's home; profiles are in its folder {@code .brigade}
     * @param space {@code host} or {@code device}, as profiles name them
     */
    TopologyProfile(Settings settings, Path home, String space) {
        this.settings = settings;
        this.home = home;
        this.space = space;
    }

    /** Whether the user named a profile. Then it must be usable even where it would change nothing. */
    static boolean isNamed(Settings settings) {
        String named = settings.get(SETTING);
        return named != null && !named.equals(NONE);
    }

    /**
     * A hash of the profile; 0 without a profile.
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
        if (home == null || !Files.isDirectory(MachineFingerprint.folder(home))) {
            return; // most users have none, and identifying the machine takes milliseconds
        }
        MachineFingerprint here = MachineFingerprint.here();
        Path file = here.defaultFile(home, space);
        if (Files.exists(file)) {
            complaint = PrivateFolder.complaint(file);
            if (complaint != null) {
                complaint += "; let only this user write to " + file + " and to the folders above it";
                return;
            }
            try {
                read(file, here, FOUND);
            } catch (TopologyException | IOException e) {
                complaint = e.getMessage();
            }
        }
    }

    private void read(Path file, MachineFingerprint here, long kind) throws IOException {
        profile = ProfileXml.readOwn(file, here);
        this.file = file;
        print = kind | Arrays.hashCode(Files.readAllBytes(file)) & 0xffff_ffffL;
    }

    /** The profile; null if there is none, or it is of the other space. */
    PathProfile profile() {
        return profile != null && profile.origin().space().equals(space) ? profile : null;
    }

    /** The file of {@link #profile}; null if there is none. */
    Path file() {
        return profile() == null ? null : file;
    }

    /** The index of a device in the profile; -1 if there is no profile or it lacks the device. */
    int indexOf(String device) {
        return device == null || profile() == null ? -1 : profile.indexOf(device);
    }

    /**
     * Compares all ranks' profiles. Ranks go on with a profile that all have, or without one. If found profiles differ,
     * no rank uses one. If a named profile differs, that is an error.
     *
     * @param all every rank's {@link #print}, or {@link #UNREADABLE}; this rank's is among them
     * @return null, or what is wrong with another rank's profile
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

    /** Whether a rank with this print was not told which profile to use. */
    static boolean isNoneOrFound(long print) {
        return print == 0 || print >>> Integer.SIZE == FOUND >>> Integer.SIZE;
    }

    /**
     * Why a found profile is not used. Returned once; null if there is no reason to tell, or it was already returned.
     */
    String complaint() {
        String told = complaint;
        complaint = null;
        return told;
    }
}
