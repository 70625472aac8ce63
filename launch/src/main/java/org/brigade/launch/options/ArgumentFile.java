package org.brigade.launch.options;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A file of arguments, {@code @file} on the command line, as java reads it: words with white space between; quotes
 * around words with white space, in which a backslash stands for the next character, or at the end of a line joins it
 * to the next; {@code #} begins a comment. A file names no further file.
 */
final class ArgumentFile {
    /** After this, a word with {@code @} is nothing special. */
    static final String DISABLE = "--disable-@files";
    private static final char MARK = '@';
    private static final int MOST_BYTES = 1 << 24;

    private final String text;
    private final List<String> words = new ArrayList<>();
    private int at;

    private ArgumentFile(String text) {
        this.text = text;
    }

    /** Whether a word of the command line stands for a file, or begins with an escaped {@code @}. */
    static boolean isOne(String word) {
        return !word.isEmpty() && word.charAt(0) == MARK;
    }

    /**
     * The words that a word of the command line stands for: those of the file, or {@code @x} for {@code @@x}.
     *
     * @throws LaunchException if the file cannot be read or a quote is not closed
     */
    static List<String> words(String word) {
        if (word.length() > 1 && word.charAt(1) == MARK) {
            return List.of(word.substring(1));
        }
        String name = word.substring(1);
        try {
            Path file = Path.of(name);
            if (name.isEmpty() || Files.size(file) > MOST_BYTES) {
                throw new IOException(name.isEmpty() ? "it has no name" : "it has more than 16 MiB");
            }
            return new ArgumentFile(new String(Files.readAllBytes(file), Charset.defaultCharset())).read(word);
        } catch (IOException | RuntimeException e) {
            if (e instanceof LaunchException) {
                throw (LaunchException) e;
            }
            throw new LaunchException(word + ": the file of arguments cannot be read (" + e + "); check its path, or"
                + " write @" + word + " for a word that begins with @");
        }
    }

    /**
     * The words of a command line in one word: quotes hold spaces.
     *
     * @throws LaunchException if a quote is not closed
     */
    static List<String> split(String name, String line) {
        return new ArgumentFile(line).read(name);
    }

    private List<String> read(String name) {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (Character.isWhitespace(c)) {
                at++;
            } else if (c == '#') {
                skipLine();
            } else {
                word(name);
            }
        }
        return words;
    }

    private void skipLine() {
        while (at < text.length() && text.charAt(at) != '\n' && text.charAt(at) != '\r') {
            at++;
        }
    }

    private void word(String name) {
        StringBuilder word = new StringBuilder();
        char quote = 0;
        for (; at < text.length(); at++) {
            char c = text.charAt(at);
            if (quote != 0 && c == '\\' && at + 1 < text.length()) {
                at++;
                escaped(word);
            } else if (quote != 0 && (c == '\n' || c == '\r')) {
                break;
            } else if (quote != 0 ? c == quote : c == '"' || c == '\'') {
                quote = quote == 0 ? c : 0;
            } else if (quote == 0 && (Character.isWhitespace(c) || c == '#')) {
                break;
            } else {
                word.append(c);
            }
        }
        if (quote != 0) {
            throw new LaunchException(name + ": the quote before " + word + " is not closed in its line");
        }
        words.add(word.toString());
    }

    /** Adds what a backslash and this character stand for. */
    private void escaped(StringBuilder word) {
        char c = text.charAt(at);
        switch (c) {
            case 'n' -> word.append('\n');
            case 'r' -> word.append('\r');
            case 't' -> word.append('\t');
            case 'f' -> word.append('\f');
            case '\n', '\r' -> {
                while (at + 1 < text.length() && Character.isWhitespace(text.charAt(at + 1))) {
                    at++; // the next line goes on with its first letter
                }
            }
            default -> word.append(c);
        }
    }
}
