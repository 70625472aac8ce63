package org.brigade.topology.figure;

import java.util.ArrayList;
import java.util.List;

/**
 * One line of a machine file, word by word. A text in quotation marks is one word; # outside quotation marks begins a
 * remark.
 */
public final class Statement {
    private static final int LONGEST = 2000;

    private final String file;
    private final int line;
    private final List<String> words = new ArrayList<>();
    private final List<Boolean> quoted = new ArrayList<>();
    private int next;

    public Statement(String file, int line, String text) {
        this.file = file;
        this.line = line;
        if (text.length() > LONGEST) {
            throw wrong("the line has " + text.length() + " characters", "write lines of at most " + LONGEST);
        }
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '#') {
                return;
            }
            if (Character.isWhitespace(c)) {
                at++;
            } else if (c == '"') {
                int end = text.indexOf('"', at + 1);
                if (end < 0) {
                    throw wrong("a text begins with a quotation mark and does not end", "close it on the same line");
                }
                add(text.substring(at + 1, end), true);
                at = end + 1;
            } else {
                int end = at;
                while (end < text.length() && !Character.isWhitespace(text.charAt(end)) && text.charAt(end) != '"'
                    && text.charAt(end) != '#') {
                    end++;
                }
                add(text.substring(at, end), false);
                at = end;
            }
        }
    }

    private void add(String word, boolean inQuotes) {
        words.add(word);
        quoted.add(inQuotes);
    }

    int line() {
        return line;
    }

    public boolean atEnd() {
        return next == words.size();
    }

    /** The next word; {@code what} describes it in errors. */
    public String word(String what) {
        if (atEnd() || quoted.get(next)) {
            throw wrong(
                (atEnd() ? "the line ends" : "\"" + words.get(next) + "\" stands") + " where " + what + " should be",
                "write it there, without quotation marks");
        }
        return words.get(next++);
    }

    /** The next word, which must be a nonempty text in quotation marks. */
    public String text(String what) {
        if (atEnd() || !quoted.get(next)) {
            throw wrong((atEnd() ? "the line ends" : words.get(next) + " stands") + " where " + what + " should be",
                "write it in quotation marks");
        }
        String text = words.get(next++).strip();
        if (text.isEmpty()) {
            throw wrong("the quotation marks hold no " + what, "write one");
        }
        return text;
    }

    /** The next word, which must be a valid name: small letters, digits, dots and hyphens. */
    public String name(String what) {
        String name = word(what);
        if (!isName(name)) {
            throw wrong(shown(name) + " is no name",
                "use up to 64 small letters, digits, dots and hyphens, the first a letter");
        }
        return name;
    }

    public static boolean isName(String word) {
        if (word.isEmpty() || word.length() > 64 || word.contains("..")) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            boolean letter = c >= 'a' && c <= 'z';
            if (!letter && (i == 0 || !(c >= '0' && c <= '9' || c == '-' || c == '.'))) {
                return false;
            }
        }
        return true;
    }

    /** Consumes the next word if it is this one. */
    public boolean take(String word) {
        if (!atEnd() && !quoted.get(next) && words.get(next).equals(word)) {
            next++;
            return true;
        }
        return false;
    }

    public void expect(String word) {
        if (!take(word)) {
            throw wrong(
                (atEnd() ? "the line ends" : shown(words.get(next)) + " stands") + " where \"" + word + "\" should be",
                "write the word, and its value after it");
        }
    }

    public void end() {
        if (!atEnd()) {
            throw wrong(shown(words.get(next)) + " is one word too many", "remove it, or put a # before a remark");
        }
    }

    public MachineFormatException wrong(String wrong, String cure) {
        return new MachineFormatException(file, line, wrong, cure);
    }

    /** A word as errors show it: cut if it is long. */
    public static String shown(String word) {
        return "\"" + (word.length() > 40 ? word.substring(0, 40) + "..." : word) + "\"";
    }
}
