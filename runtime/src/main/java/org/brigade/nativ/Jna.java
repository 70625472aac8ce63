package org.brigade.nativ;

import java.io.IOException;
import java.nio.file.Path;
import org.brigade.setting.Portable;

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
        if (Portable.ON) {
            throw new UnsatisfiedLinkError("no native library is loaded, as " + Portable.WHY);
        }
        if (System.getProperty(FOLDER) == null) {
            try {
                // Where one library could be loaded, so can JNA's: not every folder allows execution.
                Path folder = BrigadeLibrary.where();
                System.setProperty(FOLDER, (folder != null ? folder : PrivateFolder.ofThisUser()).toString());
            } catch (IOException e) {
                throw new UnsatisfiedLinkError(e.getMessage());
            }
        }
    }
}
