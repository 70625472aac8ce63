package org.brigade.examples.gpu;

import java.util.ArrayList;
import java.util.List;

/** Command line options of the form {@code --name value}. */
final class Options {
    private final String[] args;
    private final List<String> known = new ArrayList<>();

    Options(String[] args) {
        this.args = args;
    }

    String text(String name, String otherwise) {
        known.add(name);
        for (int i = 0; i + 1 < args.length; i += 2) {
            if (args[i].equals("--" + name)) {
                return args[i + 1];
            }
        }
        return otherwise;
    }

    /** A number, with K or M behind it for 1024 and 1024 x 1024. */
    int number(String name, int otherwise) {
        String text = text(name, null);
        if (text == null) {
            return otherwise;
        }
        try {
            int unit = text.endsWith("M") ? 1 << 20 : text.endsWith("K") ? 1 << 10 : 1;
            return Math.multiplyExact(Integer.parseInt(unit == 1 ? text : text.substring(0, text.length() - 1)), unit);
        } catch (ArithmeticException | NumberFormatException e) {
            throw new IllegalArgumentException(
                "--" + name + " is " + text + "; give a number such as 5, 64K or 64M, below 2048M");
        }
    }

    /** Whether the option is true; without it, false. */
    boolean flag(String name) {
        String text = text(name, "false");
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException("--" + name + " is " + text + "; give true or false");
        }
        return text.equals("true");
    }

    /** The {@link ExchangePath}s that option path asks for: direct, staged, or both one after the other. */
    List<String> paths() {
        String path = text("path", "both");
        switch (path) {
            case "both" :
                return List.of("direct", "staged");
            case "direct" :
            case "staged" :
                return List.of(path);
            default :
                throw new IllegalArgumentException("--path is " + path + "; give direct, staged or both");
        }
    }

    /** To be called when all that the program knows has been asked for. */
    void refuseOthers() {
        for (int i = 0; i < args.length; i += 2) {
            if (!args[i].startsWith("--") || !known.contains(args[i].substring(2))) {
                throw new IllegalArgumentException(
                    args[i] + " is not an option; there are --" + String.join(", --", known));
            }
            if (i + 1 == args.length) {
                throw new IllegalArgumentException(args[i] + " needs a value after it");
            }
        }
    }
}
