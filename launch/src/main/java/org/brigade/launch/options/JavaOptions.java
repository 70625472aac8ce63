package org.brigade.launch.options;

/** What the java command takes in front of a program. */
final class JavaOptions {
    /** A value follows in the next word. */
    private static final String[] VALUED = {"-p", "--module-path", "--upgrade-module-path", "--add-modules",
        "--limit-modules", "--add-opens", "--add-exports", "--add-reads", "--patch-module", "--enable-native-access",
        "--illegal-native-access", "--source", "--finalization", "--describe-module", "--sun-misc-unsafe-memory-access",
        "--illegal-access", "--enable-final-field-mutation", "--illegal-final-field-mutation"};
    private static final String[] FLAGS = {"-ea", "-esa", "-da", "-dsa", "-enableassertions", "-disableassertions",
        "-enablesystemassertions", "-disablesystemassertions", "-server", "-client", "-minimal", "-zero", "-verbose",
        "-showversion", "-fullversion", "-noverify", "-d32", "-d64", "--dry-run", "--show-version", "--full-version",
        "--enable-preview", "--list-modules", "--show-module-resolution", "--validate-modules", "--help-extra",
        "--disable-@files"};
    private static final String[] BEGINNINGS = {"-D", "-X", "-ea:", "-da:", "-enableassertions:", "-disableassertions:",
        "-verbose:", "-splash:", "-agentlib:", "-agentpath:", "-javaagent:", "-version:"};
    /** These make a debugger's agent wait at a fixed address, which only one JVM can have. */
    private static final String[] DEBUGGERS = {"-agentlib:jdwp", "-Xrunjdwp"};

    private JavaOptions() {
    }

    /** Whether a value follows in the next word. */
    static boolean isValued(String option) {
        for (String each : VALUED) {
            if (each.equals(option)) {
                return true;
            }
        }
        return false;
    }

    /** Whether java knows the option; of -D and -X, whatever follows. */
    static boolean isOne(String option) {
        for (String each : BEGINNINGS) {
            if (option.startsWith(each)) {
                return true;
            }
        }
        for (String each : FLAGS) {
            if (each.equals(option)) {
                return true;
            }
        }
        int equals = option.indexOf('=');
        return equals > 0 && option.startsWith("--") && isValued(option.substring(0, equals));
    }

    /** Whether the option makes each JVM listen for a debugger at the same port. */
    static boolean listens(String option) {
        for (String each : DEBUGGERS) {
            if (option.startsWith(each)) {
                int address = option.indexOf("address=");
                return option.contains("server=y") && address > 0 && !isFree(option.substring(address));
            }
        }
        return false;
    }

    /** Whether the JVM chooses a port, as at {@code address=0} and {@code address=*:0}. */
    private static boolean isFree(String address) {
        int comma = address.indexOf(',');
        String place = comma < 0 ? address : address.substring(0, comma);
        return place.equals("address=0") || place.endsWith(":0");
    }
}
