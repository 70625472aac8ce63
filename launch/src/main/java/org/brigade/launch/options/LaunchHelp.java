package org.brigade.launch.options;

/** What mpjrun says of itself: its help, and what completes its options, from the table of options. */
public final class LaunchHelp {
    private static final int INDENT = 18;
    private static final int LEAST_WIDTH = 60;
    private static final int MOST_WIDTH = 120;
    private static final String HEAD = """
        mpjrun [-np N] [options] [java options] App [arguments] [: -np N ... App ...]
        mpjrun [-np N] [options] [java options] -jar app.jar [arguments]

        """;
    private static final String INTRODUCTION =
        "Starts N ranks of a Java MPI program on this machine, with Brigade on their class path. Several programs make"
            + " one job, with : between them.";
    private static final String REST = "Other options go to java; the word java may stand in front of them, as behind"
        + " mpirun, also with its path, and @file stands for the words of a file. A program with a / that can be run is"
        + " run as it is. Options that only set up another MPI's launcher (--mca, --map-by) are read over. Standard"
        + " input goes to rank 0. The exit code is 0 if all ranks exited 0, else that of the first rank that did not"
        + " (128 + n for signal n); the others are ended then, except that ranks which have set MPI.ERRORS_RETURN go on"
        + " when one is killed. With MPJ Express's -dev DEVICE main sees the rank, \"mpjrun\" and DEVICE in front of its"
        + " arguments, and Init takes them away; its other options are ignored.";

    private LaunchHelp() {
    }

    /** @param columns of the terminal, as its variable COLUMNS says; null: 100 */
    public static String text(String columns) {
        int width = MOST_WIDTH - 20;
        try {
            width = columns == null ? width : Integer.parseInt(columns);
        } catch (NumberFormatException e) {
            // as if it were not set
        }
        width = Math.max(LEAST_WIDTH, Math.min(MOST_WIDTH, width));
        StringBuilder text = new StringBuilder(HEAD);
        fold(text, INTRODUCTION, 0, 0, width);
        text.append('\n');
        for (LaunchOption option : LaunchOption.values()) {
            if (option.text != null) {
                option(text, option, width);
            }
        }
        text.append('\n');
        fold(text, REST, 0, 0, width);
        return text.toString();
    }

    private static void option(StringBuilder text, LaunchOption option, int width) {
        StringBuilder head = new StringBuilder("  ").append(option.names[0]);
        if (option == LaunchOption.RANKS || option == LaunchOption.HOSTS) {
            head.append(", ").append(option.names[option == LaunchOption.RANKS ? 1 : 4]);
        }
        if (option.value != null) {
            head.append(' ').append(option.value);
        }
        text.append(head);
        int column = head.length();
        if (column >= INDENT) {
            text.append('\n');
            column = 0;
        }
        text.append(" ".repeat(INDENT - column));
        fold(text, option.text, INDENT, INDENT, width);
    }

    /** Adds words, with line ends between them. */
    private static void fold(StringBuilder text, String words, int from, int indent, int width) {
        int column = from;
        int at = 0;
        while (at < words.length()) {
            int space = words.indexOf(' ', at);
            int end = space < 0 ? words.length() : space;
            if (column > indent && column + 1 + end - at > width) {
                text.append('\n').append(" ".repeat(indent));
                column = indent;
            } else if (column > indent) {
                text.append(' ');
                column++;
            }
            text.append(words, at, end);
            column += end - at;
            at = end + 1;
        }
        text.append('\n');
    }

    /** A script for bash, and for zsh with bashcompinit. */
    public static String completion() {
        StringBuilder names = new StringBuilder();
        for (LaunchOption option : LaunchOption.values()) {
            for (String name : option.names) {
                if (option.text != null && (name.startsWith("--") || name.equals(option.names[0]))) {
                    names.append(names.isEmpty() ? "" : " ").append(name);
                }
            }
        }
        return """
            _mpjrun() {
                local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
                case $before in
                    --bind-to) COMPREPLY=($(compgen -W "none core cache l3cache numa" -- "$word")) ;;
                    --map) COMPREPLY=($(compgen -W "block node" -- "$word")) ;;
                    *) if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "@" -- "$word")); fi ;;
                esac
            }
            complete -o default -F _mpjrun mpjrun
            """.replace("@", names);
    }
}
