package org.brigade.nativ;

import java.io.IOException;

/**
 * Makes JNA unpack its own library where no other user can replace it. Every class that loads a library by JNA calls
 * this.
 */
public final class Jna {
    private static final String FOLDER = "jna.tmpdir";

    private Jna() {
    }

    /**
     * Call this before JNA is loaded. A folder that the user has chosen is kept.
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
