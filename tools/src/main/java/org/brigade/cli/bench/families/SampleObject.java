package org.brigade.cli.bench.families;

import java.util.HashMap;
import java.util.Map;

/** What the benchmarks of objects send: a map with a name and an array. MpjExpressBench.java makes the same. */
final class SampleObject {
    private SampleObject() {
    }

    static Object[] of(int doubles) {
        return new Object[] {new HashMap<>(Map.of("name", "sample", "values", new double[doubles]))};
    }
}
