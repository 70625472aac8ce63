package org.brigade.simulate.paper;

import java.util.List;
import org.brigade.picture.Picture;

/** Results of a paper, reproduced with our schedules in the simulator. Deterministic. */
public interface Experiment {
    /** The results in the paper's order. Takes seconds. */
    List<Reproduction> results();

    /** The data behind the results, as curves or a map. */
    Picture picture();

    /** The size from which on {@code after} is faster than {@code before}, for good. */
    static double crossing(double[] sizes, double[] before, double[] after) {
        int last = sizes.length;
        while (last > 0 && after[last - 1] < before[last - 1]) {
            last--;
        }
        return last == sizes.length ? Double.POSITIVE_INFINITY : sizes[last];
    }
}
