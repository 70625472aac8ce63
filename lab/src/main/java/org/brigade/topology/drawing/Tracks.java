package org.brigade.topology.drawing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Links between boxes as lines that go down, across and up. Each across line is on the highest track where it meets no
 * other. A box's lines leave side by side, those to the left on the left.
 */
final class Tracks {
    private static final double ROOM = 6;
    /** Most links drawn as lines: six GPUs, all linked to each other. */
    private static final int MOST_LINES = 15;

    /** A link and its position; {@code left} and {@code right} are x. */
    static final class Track {
        final Box from;
        final Box to;
        final String label;
        double left;
        double right;
        int level;

        Track(Box from, Box to, String label) {
            boolean ordered = from.middle() <= to.middle();
            this.from = ordered ? from : to;
            this.to = ordered ? to : from;
            this.label = label;
        }
    }

    final List<Track> tracks = new ArrayList<>();
    int levels;

    void add(Box a, Box b, String label) {
        tracks.add(new Track(a, b, label));
    }

    /** The boxes at their ends, in the order in which they were added. */
    Set<Box> boxes() {
        Set<Box> boxes = new LinkedHashSet<>();
        for (Track track : tracks) {
            boxes.add(track.from);
            boxes.add(track.to);
        }
        return boxes;
    }

    /**
     * Whether there are many links, one between every two boxes, all with the same label: too many lines for one fact.
     */
    boolean joinsAllAlike() {
        int ends = boxes().size();
        if (tracks.size() <= MOST_LINES || tracks.size() != ends * (ends - 1) / 2) {
            return false;
        }
        Set<List<Box>> pairs = new HashSet<>();
        for (Track track : tracks) {
            if (!track.label.equals(tracks.get(0).label) || !pairs.add(List.of(track.from, track.to))) {
                return false;
            }
        }
        return true;
    }

    void lay() {
        Map<Box, List<Track>> leaving = new HashMap<>();
        for (Track track : tracks) {
            leaving.computeIfAbsent(track.from, key -> new ArrayList<>()).add(track);
            leaving.computeIfAbsent(track.to, key -> new ArrayList<>()).add(track);
        }
        leaving.forEach((box, its) -> {
            its.sort((a, b) -> Double.compare(far(a, box), far(b, box)));
            for (int i = 0; i < its.size(); i++) {
                double x = box.x + box.width * (i + 1) / (its.size() + 1);
                if (its.get(i).from == box) {
                    its.get(i).left = x;
                } else {
                    its.get(i).right = x;
                }
            }
        });
        List<Track> byLength = new ArrayList<>(tracks);
        byLength.sort((a, b) -> Double.compare(a.right - a.left, b.right - b.left)); // short ones next to the boxes
        List<List<Track>> taken = new ArrayList<>();
        for (Track track : byLength) {
            int level = 0;
            while (level < taken.size() && meets(track, taken.get(level))) {
                level++;
            }
            if (level == taken.size()) {
                taken.add(new ArrayList<>());
            }
            taken.get(level).add(track);
            track.level = level;
        }
        levels = taken.size();
    }

    private static double far(Track track, Box box) {
        return track.from == box ? track.to.middle() : track.from.middle();
    }

    private static boolean meets(Track track, List<Track> others) {
        for (Track other : others) {
            if (track.left < other.right + ROOM && other.left < track.right + ROOM) {
                return true;
            }
        }
        return false;
    }
}
