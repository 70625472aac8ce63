package org.brigade.cli.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import mpi.spi.Collective;
import org.brigade.select.ByteSize;

/** Makes rules of what won at single sizes. Where the default stays there is no rule. */
final class TunedRules {
    private TunedRules() {
    }

    /**
     * What won at one size.
     *
     * @param bytes as the ladder counts them
     * @param way null if the default stays
     * @param ratio its time divided by the default's
     */
    record Winner(long bytes, TunedWay way, double ratio) {
    }

    /**
     * The rules of a collective. One holds half-way to the neighbouring sizes, on the scale of the sizes.
     *
     * @param where the conditions of all: {@code ranks 4 nodes 1}
     * @param open whether what wins at the largest size holds beyond it; else nothing is known there
     * @param winners by size, ascending
     */
    static List<String> of(Collective collective, String where, boolean open, List<Winner> winners) {
        List<String> rules = new ArrayList<>();
        for (int i = 0; i < winners.size(); i++) {
            TunedWay way = winners.get(i).way();
            if (way == null) {
                continue;
            }
            int last = i;
            while (last + 1 < winners.size() && way.equals(winners.get(last + 1).way())) {
                last++;
            }
            StringBuilder ratios = new StringBuilder();
            for (Winner each : winners.subList(i, last + 1)) {
                ratios.append(ratios.length() == 0 ? "" : ", ")
                    .append(String.format(Locale.ROOT, "%.2f", each.ratio()));
            }
            long least = i == 0 ? 0 : middle(winners.get(i - 1), winners.get(i)) + 1;
            boolean largest = last + 1 == winners.size();
            long most = largest ? winners.get(last).bytes() : middle(winners.get(last), winners.get(last + 1));
            String bytes = collective == Collective.BARRIER ? ""
                : " bytes " + (least == 0 ? "" : ByteSize.compact(least)) + ".."
                    + (largest && open ? "" : ByteSize.compact(most));
            rules.add(collective.key() + " " + where + bytes + " " + way.words() + "   # takes " + ratios
                + " of the default's time");
            i = last;
        }
        return rules;
    }

    private static long middle(Winner one, Winner other) {
        return (long) Math.sqrt((double) one.bytes() * other.bytes());
    }
}
