package org.brigade.communicator.wires;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.brigade.nativ.PrivateFolder;
import org.brigade.pattern.NetworkSpeed;
import org.brigade.select.Settings;
import org.brigade.select.TuningException;
import org.brigade.topology.TopologyException;
import org.brigade.topology.profile.MachineFingerprint;
import org.brigade.topology.profile.NetworkProfile;
import org.brigade.topology.profile.NetworkProfileXml;
import org.brigade.topology.profile.NodeOrder;

/**
 * The profiles of networks that this process may follow. {@code brigade.network.profile} names one ({@code none}: no
 * profile); otherwise they are those in the user's home that have this host and were measured over the job's fabric.
 * They are looked for when first asked about. A communicator follows one that has the hosts of all its nodes.
 */
final class NetworkKnowledge {
    private static final String SETTING = "network.profile";
    private static final String NONE = "none";

    private final Settings settings;
    private final Path home;
    private final String fabric;
    private final String host;
    /** By name of the file; null before they were looked for. */
    private Map<String, NetworkProfile> profiles;
    private String complaint;

    /**
     * @param home the user's home; profiles are in its folder {@code .brigade}
     * @param fabric the name of the fabric between the nodes
     * @param host this host's name
     */
    NetworkKnowledge(Settings settings, Path home, String fabric, String host) {
        this.settings = settings;
        this.home = home;
        this.fabric = fabric;
        this.host = host;
    }

    /** Whether the user named a profile. Then it must be usable, or the call fails. */
    private boolean isNamed() {
        String named = settings.get(SETTING);
        return named != null && !named.equals(NONE);
    }

    /**
     * Whether there is a profile that this process may follow.
     *
     * @throws TuningException if the profile that the setting names cannot be read
     */
    boolean isThere() {
        if (profiles == null) {
            profiles = new TreeMap<>();
            if (isNamed()) {
                Path file = Path.of(settings.get(SETTING));
                try {
                    profiles.put(file.toString(), NetworkProfileXml.read(file));
                } catch (TopologyException e) {
                    throw new TuningException(settings.origin(SETTING) + ": " + e.getMessage());
                }
            } else if (settings.get(SETTING) == null) {
                find();
            }
        }
        return !profiles.isEmpty();
    }

    private void find() {
        if (home == null || !Files.isDirectory(MachineFingerprint.folder(home))) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(MachineFingerprint.folder(home),
            file -> NetworkProfileXml.isDefault(file.getFileName().toString()))) {
            for (Path file : files) {
                String wrong = PrivateFolder.complaint(file);
                if (wrong != null) {
                    complaint =
                        wrong + "; let only this user write to " + file + " and to the folders above it";
                    continue;
                }
                NetworkProfile profile = NetworkProfileXml.read(file);
                if (profile.fabric().equals(fabric) && profile.hosts().contains(host)) {
                    profiles.put(file.toString(), profile);
                }
            }
        } catch (IOException | TopologyException e) {
            complaint = e.getMessage();
        }
    }

    /** This host, as ranks tell it each other. */
    long hostWord() {
        return word(host);
    }

    private static long word(String name) {
        long hash = 0xcbf29ce484222325L; // FNV-1a
        for (int i = 0; i < name.length(); i++) {
            hash = (hash ^ name.charAt(i)) * 0x100000001b3L;
        }
        return hash;
    }

    /**
     * The order of a communicator's nodes by a profile that has all their hosts: the smallest such, of equal ones the
     * first by its file's name.
     *
     * @param nodeOf by rank its node
     * @param hosts by rank its {@link #hostWord}
     * @param known of the network's speed; null if nothing is
     * @return null if there is no such profile
     * @throws TuningException if the user named a profile that lacks one of the hosts
     */
    Found find(int[] nodeOf, long[] hosts, NetworkSpeed known) {
        List<Integer> firsts = new ArrayList<>();
        List<Integer> seen = new ArrayList<>();
        for (int rank = 0; rank < nodeOf.length; rank++) {
            if (!seen.contains(nodeOf[rank])) {
                seen.add(nodeOf[rank]);
                firsts.add(rank);
            }
        }
        Found found = null;
        for (NetworkProfile profile : profiles.values()) {
            int[] members = new int[firsts.size()];
            int lacks = -1;
            for (int node = 0; node < members.length && lacks < 0; node++) {
                members[node] = indexOf(profile, hosts[firsts.get(node)]);
                boolean twice = false;
                for (int before = 0; before < node; before++) {
                    twice |= members[before] == members[node];
                }
                lacks = members[node] < 0 || twice ? firsts.get(node) : -1;
            }
            if (lacks >= 0 && isNamed()) {
                throw new TuningException(settings.origin(SETTING) + ": has no host for the node of rank " + lacks
                    + "; take a profile of all nodes with brigade profile --nodes, or set none");
            }
            if (lacks < 0 && (found == null || profile.hosts().size() < found.hosts)) {
                found = new Found(profile.over(members), print(profile), profile.hosts().size(),
                    profile.speed(known));
            }
        }
        return found;
    }

    /**
     * @param print a hash of the profile, at least 1
     * @param hosts how many the profile has
     * @param speed what is known of the network's speed, with the rate that was measured
     */
    record Found(NodeOrder order, long print, int hosts, NetworkSpeed speed) {
    }

    private static long print(NetworkProfile profile) {
        return 1 + (NetworkProfileXml.text(profile).hashCode() & 0xffff_ffffL);
    }

    private static int indexOf(NetworkProfile profile, long host) {
        for (int index = 0; index < profile.hosts().size(); index++) {
            if (word(profile.hosts().get(index)) == host) {
                return index;
            }
        }
        return -1;
    }

    /**
     * Takes note that ranks do not have the same profile.
     *
     * @throws TuningException if one was named
     */
    void differs() {
        if (isNamed()) {
            throw new TuningException(settings.origin(SETTING)
                + ": other ranks of this communicator have another profile of the network; give all ranks the same");
        }
        complaint = "ranks found different profiles of the network; copy one to all hosts, or give all the same with"
            + " -Dbrigade.network.profile";
    }

    /** Why a profile is not used. Returned once; null if there is no reason to tell. */
    String complaint() {
        String told = complaint;
        complaint = null;
        return told;
    }
}
