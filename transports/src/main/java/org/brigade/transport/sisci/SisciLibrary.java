package org.brigade.transport.sisci;

import java.io.IOException;
import org.brigade.nativ.Sisci;
import org.brigade.nativ.SisciException;

/** The SISCI library of this process: which one, whether it works, and if not, why. Loaded and initialised when first asked for. */
final class SisciLibrary {
    /** {@code emulated}: the software library. */
    static final String VARIABLE = "BRIGADE_SISCI";

    static final int ADAPTER = Integer.getInteger("brigade.sisci.adapter", 0);

    private static boolean tried;
    private static String missing;
    private static int node;

    private SisciLibrary() {
    }

    /** Null if the library can be used; else why not, as a sentence with its cure. */
    static synchronized String missing() {
        if (!tried) {
            missing = load(System.getenv(VARIABLE));
            tried = true;
        }
        return missing;
    }

    /** As if the environment asked for the software library; for tests. */
    static synchronized String emulated() {
        if (!tried) {
            missing = load("emulated");
            tried = true;
        }
        return missing;
    }

    /** This process' node; once nothing is {@link #missing}. */
    static int node() {
        return node;
    }

    private static String load(String wanted) {
        if (wanted != null && !wanted.isEmpty() && !wanted.equals("emulated")) {
            return VARIABLE + "=" + wanted + " is not understood; set it to emulated, or not at all for Dolphin's library";
        }
        boolean software = wanted != null && !wanted.isEmpty();
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
                : Sisci.LIBRARY + " is not there, or lacks a function (" + firstLine(e.getMessage()) + "); install Dolphin's eXpressWare and its library path, or set " + VARIABLE
                    + "=emulated to try without adapters";
        }
        try {
            Sisci.initialize();
            node = Sisci.localNode(ADAPTER);
        } catch (SisciException e) {
            return (software ? "the software libsisci" : Sisci.LIBRARY) + " is there and does not work: " + e.getMessage();
        }
        return null;
    }

    private static String firstLine(String text) {
        int end = text == null ? -1 : text.indexOf('\n');
        String first = end < 0 ? text : text.substring(0, end);
        return first != null && first.endsWith(":") ? first.substring(0, first.length() - 1) : first;
    }
}
