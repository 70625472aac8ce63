package org.brigade.bootstrap;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URISyntaxException;
import java.security.CodeSource;
import java.util.zip.CRC32;

/**
 * Identifies this build of Brigade. Ranks that share no memory may have been started with different builds, whose
 * schedules need not match.
 */
public final class Build {
    private static final int LONGEST_COMMENT = 0xffff;
    private static final int END_RECORD = 22;

    private Build() {
    }

    /**
     * A number that depends on the jar's content only, not on its place: a checksum of its directory, which holds the
     * checksums of all files. Takes a millisecond. 0 if Brigade does not come from a jar.
     */
    public static long fingerprint() {
        CodeSource source = Build.class.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null || !"file".equals(source.getLocation().getProtocol())) {
            return 0;
        }
        File jar;
        try {
            jar = new File(source.getLocation().toURI());
        } catch (URISyntaxException | IllegalArgumentException noFile) {
            return 0;
        }
        if (!jar.isFile()) {
            return 0;
        }
        try {
            return ofJar(jar);
        } catch (IOException unreadable) {
            return 0;
        }
    }

    /** A checksum of a jar's directory, and its length. */
    static long ofJar(File jar) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(jar, "r")) {
            byte[] end = new byte[(int) Math.min(file.length(), END_RECORD + LONGEST_COMMENT)];
            file.seek(file.length() - end.length);
            file.readFully(end);
            int at = end.length - END_RECORD;
            while (at >= 0 && !(end[at] == 'P' && end[at + 1] == 'K' && end[at + 2] == 5 && end[at + 3] == 6)) {
                at--;
            }
            if (at < 0) {
                throw new IOException(jar + " is not a jar");
            }
            long length = word(end, at + 12);
            long place = word(end, at + 16);
            if (place + length > file.length()) {
                throw new IOException(jar + " is not a jar");
            }
            byte[] directory = new byte[(int) length];
            file.seek(place);
            file.readFully(directory);
            CRC32 sum = new CRC32();
            sum.update(directory, 0, directory.length);
            return sum.getValue() << 32 | length;
        }
    }

    private static long word(byte[] bytes, int at) {
        return bytes[at] & 0xffL | (bytes[at + 1] & 0xffL) << 8 | (bytes[at + 2] & 0xffL) << 16
            | (bytes[at + 3] & 0xffL) << 24;
    }
}
