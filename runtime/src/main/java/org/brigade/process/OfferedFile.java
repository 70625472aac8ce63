package org.brigade.process;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that another process of this user has open, {@code /proc/4711/fd/7}. Process numbers and descriptors are used
 * again, so another user's file may lie at such a place by now. A file is taken only if it is a regular one that this
 * user made and nobody else can open: another user could shorten his file, which ends whoever has mapped it.
 */
public final class OfferedFile {
    private OfferedFile() {
    }

    /**
     * A channel to read and to write. It is opened for both, as that waits for nobody even if the file has become a
     * pipe.
     *
     * @throws IOException with a sentence, if it is another kind of file, or another user's
     */
    public static FileChannel open(Path place) throws IOException {
        long number = number(place);
        FileChannel channel = FileChannel.open(place, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            if (number == number(place)) {
                FileChannel opened = channel;
                channel = null;
                return opened;
            }
        } finally {
            if (channel != null) {
                channel.close();
            }
        }
        throw new IOException(place + " has become another file");
    }

    private static long number(Path place) throws IOException {
        FileFacts its = Platform.here().file(place, true);
        if (its.owner() != MakerName.uid()) {
            throw new IOException(place + " belongs to user " + its.owner() + ", not to this one");
        }
        if (its.mode() != FileFacts.REGULAR_0600) {
            throw new IOException(place + " is no regular file of mode 0600");
        }
        return its.number();
    }
}
