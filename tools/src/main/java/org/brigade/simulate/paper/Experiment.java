package org.brigade.simulate.paper;

import java.util.List;
import org.brigade.picture.Picture;

/** Results of a paper, computed again with our schedules in the simulator. Deterministic. */
public interface Experiment {
    /** The results, in the order in which the paper has them. Takes seconds. */
    List<Reproduction> results();

    /** What the results are taken from, as curves or a map. */
    Picture picture();
}
