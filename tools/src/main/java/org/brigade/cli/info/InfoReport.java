package org.brigade.cli.info;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.brigade.cli.shared.Json;

/**
 * What {@code brigade info} says: printed line by line, as some answers take a while, or as one JSON object at the end.
 * A key of the object has one kind of value: a text, a list of texts, or texts by name.
 */
final class InfoReport {
    private final PrintWriter out;
    private final Map<String, Object> named;

    /** @param json whether to print an object */
    InfoReport(PrintWriter out, boolean json) {
        this.out = out;
        this.named = json ? new LinkedHashMap<>() : null;
    }

    /** @param label for people; empty: as that of the line before */
    void line(String key, String label, String text) {
        if (named != null) {
            named.put(key, text);
        } else {
            out.printf("%-16s %s%n", label, text);
        }
    }

    void lines(String key, String label, Iterable<String> texts) {
        List<String> all = new ArrayList<>();
        texts.forEach(all::add);
        if (named != null) {
            named.put(key, all);
        } else {
            for (int i = 0; i < all.size(); i++) {
                line(key, i == 0 ? label : "", all.get(i));
            }
        }
    }

    /** One of several texts of a key, by name. */
    void entry(String key, String name, String label, String text) {
        if (named != null) {
            @SuppressWarnings("unchecked")
            Map<String, Object> entries =
                (Map<String, Object>) named.computeIfAbsent(key, none -> new LinkedHashMap<String, Object>());
            entries.put(name, text);
        } else {
            line(key, label, text);
        }
    }

    void end() {
        if (named != null) {
            out.print(Json.write(named));
        }
        out.flush();
    }
}
