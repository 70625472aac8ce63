package org.brigade.transport.ucx;

import org.brigade.select.Settings;
import org.brigade.select.TuningException;
import org.brigade.transport.ucx.library.Ucp;

/** The UCX library of this process. It is found and loaded on first use, but not started. */
final class UcxLibrary {
    private static final String SETTING = "ucx.library";

    private static boolean tried;
    private static String missing;
    private static TuningException wrong;

    private UcxLibrary() {
    }

    /**
     * Null if the library is loaded; else why not, as a sentence with its cure.
     *
     * @throws TuningException if the user has named a library that cannot be used
     */
    static synchronized String missing() {
        if (!tried) {
            tried = true;
            load(Settings.ofThisProcess());
        }
        if (wrong != null) {
            throw wrong;
        }
        return missing;
    }

    private static void load(Settings settings) {
        String wish = settings.get(SETTING);
        try {
            Ucp.load(wish);
        } catch (UnsatisfiedLinkError e) {
            String why = firstLine(e.getMessage() == null ? e.toString() : e.getMessage());
            if (wish != null) {
                wrong = new TuningException(settings.origin(SETTING) + " cannot be used: " + why
                    + "; set it to the file of libucp, or unset it");
            } else {
                missing = Ucp.LIBRARY + " cannot be used (" + why + "); install UCX on this node (Debian, Ubuntu:"
                    + " apt-get install libucx0; Red Hat: dnf install ucx), or set brigade.ucx.library to its file";
            }
        }
    }

    private static String firstLine(String text) {
        int end = text.indexOf('\n');
        String first = end < 0 ? text : text.substring(0, end);
        return first.endsWith(":") ? first.substring(0, first.length() - 1) : first;
    }
}
