package org.brigade.setting;

import java.util.List;

/** Finds the word that a mistyped word probably means. */
public final class SpellingSuggestion {
    private SpellingSuggestion() {
    }

    /**
     * The word that takes the fewest changed, added or removed letters; the first of several.
     *
     * @param most changes allowed
     * @return null if none is near
     */
    public static String of(String written, List<String> words, int most) {
        String nearest = null;
        int fewest = most + 1;
        for (String word : words) {
            int changes = changes(written, word);
            if (changes < fewest) {
                fewest = changes;
                nearest = word;
            }
        }
        return nearest;
    }

    /** Levenshtein's distance. */
    static int changes(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int i = 0; i < row.length; i++) {
            row[i] = i;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[to.length()];
    }
}
