package org.brigade.bootstrap.secret;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.brigade.process.Platform;

/** A file whose content only the ends of a connection know. */
public final class SecretFile {
    /** Shorter secrets can be guessed. */
    private static final int LEAST_BYTES = 16;

    private SecretFile() {
    }

    /**
     * The content of a file of this user or root that no other user may read, without white space at its ends.
     *
     * @throws IOException with a sentence, if it cannot be read, others own it or may read it, or it is too short
     */
    public static byte[] read(Path file) throws IOException {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new IOException(file
                + " does not exist or cannot be read; make it once with: (umask 077; head -c 32 /dev/urandom | base64"
                + " > "
                + file + "), and copy it to all hosts that need it");
        }
        try {
            int owner = Platform.here().file(file, true).owner();
            if (owner != Platform.here().user() && owner != 0) {
                throw new IOException(
                    file + " belongs to user " + owner + ", who knows the secret; make one of your own");
            }
            if (Files.getPosixFilePermissions(file).stream().anyMatch(each -> !each.name().startsWith("OWNER"))) {
                throw new IOException("others than its owner may read " + file + " or write to it; chmod 600 " + file);
            }
        } catch (UnsupportedOperationException | IllegalArgumentException e) {
            // a file system without such permissions
        }
        byte[] secret = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).trim()
            .getBytes(StandardCharsets.ISO_8859_1);
        if (secret.length < LEAST_BYTES) {
            Arrays.fill(secret, (byte) 0);
            throw new IOException(
                file + " holds fewer than " + LEAST_BYTES + " bytes, which can be guessed");
        }
        return secret;
    }
}
