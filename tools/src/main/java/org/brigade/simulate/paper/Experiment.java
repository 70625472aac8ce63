package org.brigade.simulate.paper;

import java.util.List;
import org.brigade.picture.Picture;

/** Results of a paper, reproduced with our schedules in the simulator. Deterministic. */
public interface Experiment {
    /** The results in the paper's order. Takes seconds. */
    List<Reproduction> results();

    /** The data behind the results, as curves or a map. */
    Picture picture();
}
