package org.brigade.cli.help;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** How wide help may be: as the terminal, within what reads well. */
public final class TerminalWidth {
    static final int LEAST = 60;
    static final int MOST = 120;
    /** Of pipes, files and terminals that do not say. */
    static final int USUAL = 80;

    private TerminalWidth() {
    }

    /** By the variable COLUMNS, else by asking the terminal. Starts a process: for help only. */
    public static int columns() {
        String told = System.getenv("COLUMNS");
        return within(told != null && !told.isBlank() ? told : System.console() == null ? "" : asked());
    }

    /** A number of columns that a shell or stty wrote, 80 if it is none, and no less than 60 and no more than 120. */
    static int within(String columns) {
        try {
            int number = Integer.parseInt(columns.trim());
            return number <= 0 ? USUAL : Math.max(LEAST, Math.min(MOST, number));
        } catch (NumberFormatException none) {
            return USUAL;
        }
    }

    private static String asked() {
        try {
            Process stty = new ProcessBuilder("stty", "size").redirectInput(Redirect.from(Path.of("/dev/tty").toFile()))
                .redirectError(Redirect.DISCARD).start();
            String size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).trim();
            return size.substring(size.indexOf(' ') + 1);
        } catch (IOException noStty) {
            return "";
        }
    }
}
