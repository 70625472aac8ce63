package org.brigade.process;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/**
 * A file that another process of this user has open, {@code /proc/4711/fd/7}. Process numbers and descriptors are used
 * again, so another user's file may lie at such a place by now. A file is taken only if it is a regular one that this
 * user made and nobody else can open: another user could shorten his file, which ends whoever has mapped it.
 */
public final class OfferedFile {
    private static final int REGULAR_0600 = 0100600;

    private OfferedFile() {
    }

    /**
     * A channel to read and to write. It is opened for both, as that waits for nobody even if the file has become a
     * pipe.
     *
     * @throws IOException with a sentence, if it is another kind of file, or another user's
     */
    public static FileChannel open(Path place) throws IOException {
        Object number = number(place);
        FileChannel channel = FileChannel.open(place, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            if (number.equals(number(place))) {
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

    private static Object number(Path place) throws IOException {
        Map<String, Object> its = Files.readAttributes(place, "unix:uid,mode,ino");
        if ((int) its.get("uid") != MakerName.uid()) {
            throw new IOException(place + " belongs to user " + its.get("uid") + ", not to this one");
        }
        if ((int) its.get("mode") != REGULAR_0600) {
            throw new IOException(place + " is no regular file of mode 0600");
        }
        return its.get("ino");
    }
}
