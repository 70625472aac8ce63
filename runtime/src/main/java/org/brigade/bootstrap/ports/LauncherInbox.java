package org.brigade.bootstrap.ports;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import mpi.MPIException;

/**
 * A launcher's side: where the ranks of its jobs leave letters for it. There is nothing on disk as long as no rank has
 * asked, and a look then costs one system call.
 */
public final class LauncherInbox {
    private final PortFolder folder;
    private final String box;

    /** @param job the key of the launcher's first job, or the name that a rank has given to its own launcher */
    public LauncherInbox(Path folder, String job) {
        this.folder = new PortFolder(folder);
        this.box = box(job);
    }

    /** The name of the box, which the ranks must know. */
    public static String box(String job) {
        return "launch-" + job;
    }

    /** The next letter; null if there is none. */
    public byte[] next() throws IOException {
        FileArrival arrival = FileArrival.take(folder, box);
        if (arrival == null) {
            return null;
        }
        arrival.drop();
        return arrival.letter();
    }

    /** Leaves a letter at a port; false if the port is closed. Nobody answers it. */
    public boolean tell(String port, byte[] words) {
        try {
            new FilePorts(folder.path(), null, null).visit("mpjrun", port, words);
            return true;
        } catch (MPIException closed) {
            return false;
        }
    }

    /** Removes what processes have left that have ended. */
    public void sweep() {
        File place = folder.path().toFile();
        if (place.exists()) {
            folder.empty(box);
            folder.removeStale();
        }
    }
}
