package org.brigade.nativ;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * Where this user's files are. The home is HOME, as for the user's other programs; Java's user.home, which is what the
 * system says of the user's number, only where HOME is no absolute path: in a user namespace that number is another
 * user's. XDG_CACHE_HOME and XDG_CONFIG_HOME go before .cache and .config of the home; they count if they are absolute.
 * bin/common.sh has the same rule.
 */
public final class UserFolders {
    private UserFolders() {
    }

    /** The home; null for a user without one. It need not exist. */
    public static Path home() {
        return home(System.getenv("HOME"), System.getProperty("user.home", ""));
    }

    /** @param system what the system says, {@code ?} of a user without an entry in passwd */
    static Path home(String environment, String system) {
        Path home = absolute(environment);
        return home != null ? home : absolute(system);
    }

    /** For files that can be made again; null for a user without a home. */
    static Path cache() {
        return within(System.getenv("XDG_CACHE_HOME"), home(), ".cache");
    }

    /** For settings; null for a user without a home. */
    public static Path configuration() {
        return within(System.getenv("XDG_CONFIG_HOME"), home(), ".config");
    }

    /** A folder named by the environment, or one in a home that exists; in it, Brigade's. */
    static Path within(String environment, Path home, String name) {
        Path named = absolute(environment);
        return named != null ? named.resolve("brigade")
            : home != null && home.toFile().isDirectory() ? home.resolve(name).resolve("brigade") : null;
    }

    private static Path absolute(String path) {
        try {
            return path != null && Path.of(path).isAbsolute() ? Path.of(path) : null;
        } catch (InvalidPathException e) {
            return null;
        }
    }

    /**
     * Makes a folder if it is missing.
     *
     * @param mine whether it is made for this user alone, as it must be where ranks are to trust what is in it
     * @return null, or why this user can put no file into it: {@code /root/.brigade cannot be written: permission
     *         denied}
     */
    public static String complaint(Path folder, boolean mine) {
        String why;
        try {
            if (mine) {
                Files.createDirectories(folder, PrivateFolder.mode());
            } else {
                Files.createDirectories(folder);
            }
            if (Files.isWritable(folder)) {
                return null;
            }
            why = "permission denied";
        } catch (FileAlreadyExistsException e) {
            why = e.getFile() + " is no folder";
        } catch (AccessDeniedException e) {
            why = "permission denied";
        } catch (FileSystemException e) {
            why = e.getReason() == null ? e.getClass().getSimpleName() : e.getReason();
        } catch (IOException e) {
            why = e.toString();
        }
        return folder + " cannot be written: " + why;
    }
}
