package org.brigade.nativ;

import java.io.IOException;

/**
 * Has JNA unpack its own library where nobody else can exchange it. Whoever loads a library by JNA asks for this first.
 */
public final class Jna {
    private static final String FOLDER = "jna.tmpdir";

    private Jna() {
    }

    /**
     * Before JNA is loaded. A folder that the user has chosen stays.
     *
     * @throws UnsatisfiedLinkError if there is none, with the cure
     */
    public static synchronized void prepare() {
        if (System.getProperty(FOLDER) == null) {
            try {
                System.setProperty(FOLDER, PrivateFolder.ofThisUser().toString());
            } catch (IOException e) {
                throw new UnsatisfiedLinkError(e.getMessage());
            }
        }
    }
}
