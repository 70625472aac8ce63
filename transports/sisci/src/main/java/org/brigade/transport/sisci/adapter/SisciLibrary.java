package org.brigade.transport.sisci.adapter;

import java.io.IOException;
import org.brigade.select.Settings;
import org.brigade.select.TuningException;

/**
 * The SISCI library of this process: which one, whether it works, and if not, why. Loaded and initialized on first use.
 */
public final class SisciLibrary {
    /** {@code emulated}: the software library. */
    public static final String VARIABLE = "BRIGADE_SISCI";
    private static final String SETTING = "sisci";
    private static final String EMULATED = "emulated";

    private static boolean tried;
    private static String missing;
    private static TuningException wrong;
    private static int adapter;
    private static int node;

    private SisciLibrary() {
    }

    /**
     * Null if the library can be used; else a sentence that says why not, with the cure.
     *
     * @throws TuningException if a setting of the user's is the reason
     */
    public static synchronized String missing() {
        if (!tried) {
            tried = true;
            try {
                missing = load(Settings.ofThisProcess());
            } catch (TuningException e) {
                wrong = e;
            }
        }
        if (wrong != null) {
            throw wrong;
        }
        return missing;
    }

    /** Uses the software library, as if the environment asked for it, unless another was found before; for tests. */
    public static synchronized String emulated() {
        if (!tried || missing != null) {
            missing = load(Settings.ofThisProcess(), true);
            tried = true;
        }
        return missing;
    }

    /** The adapter that this process uses (brigade.sisci.adapter); only if nothing is {@link #missing}. */
    public static int adapter() {
        return adapter;
    }

    /** This process's node; only if nothing is {@link #missing}. */
    public static int node() {
        return node;
    }

    private static String load(Settings settings) {
        String wanted = settings.get(SETTING);
        if (wanted != null && !wanted.equals(EMULATED)) {
            throw new TuningException(
                settings.origin(SETTING) + " must be " + EMULATED + ", or not be set at all for Dolphin's library");
        }
        return load(settings, wanted != null);
    }

    private static String load(Settings settings, boolean software) {
        adapter = (int) settings.number("sisci.adapter");
        String path;
        try {
            path = software ? SoftwareSisci.library().toString() : Sisci.LIBRARY;
        } catch (IOException e) {
            return e.getMessage();
        }
        try {
            Sisci.load(path);
        } catch (UnsatisfiedLinkError e) {
            return software ? "the software libsisci cannot be loaded: " + e.getMessage()
                : Sisci.LIBRARY + " is not there, or lacks a function (" + firstLine(e.getMessage())
                    + "); install Dolphin's eXpressWare and its library path, or set " + VARIABLE
                    + "=emulated to try without adapters";
        }
        try {
            Sisci.initialize();
            node = Sisci.localNode(adapter);
        } catch (SisciException e) {
            String complaint = software ? Sisci.complaint() : null;
            if (complaint != null) {
                throw new TuningException(complaint);
            }
            return (software ? "the software libsisci" : Sisci.LIBRARY) + " is there and does not work: "
                + e.getMessage();
        }
        return null;
    }

    private static String firstLine(String text) {
        int end = text == null ? -1 : text.indexOf('\n');
        String first = end < 0 ? text : text.substring(0, end);
        return first != null && first.endsWith(":") ? first.substring(0, first.length() - 1) : first;
    }
}
