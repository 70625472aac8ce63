package org.brigade.bootstrap.ports;

import java.io.IOException;
import org.brigade.bootstrap.Ports;

/** A letter that has been taken out of its box. */
final class FileArrival implements Ports.Arrival {
    private final PortFolder folder;
    private final String name;
    private final Letter letter;

    private FileArrival(PortFolder folder, String name, Letter letter) {
        this.folder = folder;
        this.name = name;
        this.letter = letter;
    }

    /** Takes the oldest letter whose writer still waits; null if there is none. */
    static FileArrival take(PortFolder folder, String box) throws IOException {
        for (String name = folder.oldest(box); name != null; name = folder.oldest(box)) {
            Letter letter = folder.read(name);
            if (letter != null && !letter.isStale()) {
                if (folder.rename(name, name + PortFolder.TAKEN)) {
                    return new FileArrival(folder, name, letter);
                }
            } else {
                folder.delete(name);
            }
        }
        return null;
    }

    @Override
    public byte[] letter() {
        return letter.words();
    }

    @Override
    public boolean answer(byte[] words) {
        try {
            return folder.answer(name, new Letter(letter.machine(), letter.owner(), words));
        } catch (IOException full) {
            return false;
        }
    }

    /** Takes the letter away: nobody waits for an answer. */
    void drop() {
        folder.delete(name + PortFolder.TAKEN);
        folder.tidy();
    }
}
