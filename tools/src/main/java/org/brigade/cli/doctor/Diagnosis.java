package org.brigade.cli.doctor;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The result of a check.
 *
 * @param name of what was checked, in two words at most
 * @param cost what happens if nothing is changed; empty if the verdict is good
 * @param cure what to change; empty if the verdict is good
 */
record Diagnosis(String name, Verdict verdict, String finding, String cost, String cure) {
    static Diagnosis good(String name, String finding) {
        return new Diagnosis(name, Verdict.GOOD, finding, "", "");
    }

    static Diagnosis costs(String name, String finding, String cost, String cure) {
        return new Diagnosis(name, Verdict.COSTS, finding, cost, cure);
    }

    static Diagnosis missing(String name, String finding, String cost, String cure) {
        return new Diagnosis(name, Verdict.MISSING, finding, cost, cure);
    }

    /** @param sentence what was found and, behind its last semicolon, the cure */
    static Diagnosis missing(String name, String sentence, String cost) {
        int cure = sentence.lastIndexOf("; ");
        return cure < 0 ? missing(name, sentence, cost, "brigade info says more")
            : missing(name, sentence.substring(0, cure), cost, sentence.substring(cure + 2));
    }

    static Diagnosis blocks(String name, String finding, String cost, String cure) {
        return new Diagnosis(name, Verdict.BLOCKS, finding, cost, cure);
    }

    /** For {@code --json}. */
    Map<String, Object> named() {
        Map<String, Object> named = new LinkedHashMap<>();
        named.put("name", name);
        named.put("verdict", verdict.key());
        named.put("finding", finding);
        named.put("cost", cost);
        named.put("cure", cure);
        return named;
    }
}
