package org.brigade.process;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.brigade.setting.Portable;

/**
 * What Brigade asks the operating system: which process is which and whether it lives, who the user is, where files lie
 * that ranks share, and how they are made. {@link LinuxPlatform} reads /proc and has files without names in /dev/shm.
 * {@link PortablePlatform} has Java's own classes only, and files with names in java.io.tmpdir.
 */
public abstract class Platform {
    /** The life of one process. A look must be cheap: a waiting rank looks every 20 ms. */
    public interface Life extends Closeable {
        /** Whether the process has ended, reaped or not. False if that cannot be told. */
        boolean ended();

        @Override
        void close();
    }

    /** Loaded on first use. */
    private static final class Chosen {
        static final Platform HERE = Portable.ON ? PortablePlatform.make() : LinuxPlatform.make();
    }

    Platform() {
    }

    /** That of this process. */
    public static Platform here() {
        return Chosen.HERE;
    }

    // ---- processes ----

    /**
     * When a process started, in a unit of the platform's own; 0: not known.
     *
     * @return -1 if there is none, or it has ended
     */
    public abstract long start(long pid);

    /** Whether the process of this number that started then has ended. */
    public abstract boolean ended(long pid, long start);

    /** Whether a process has ended, or runs none of its program any more. */
    public abstract boolean isEnding(long pid);

    /** Follows the process of this number that started then. */
    public abstract Life life(long pid, long start);

    /** The process that started this one; 0 if it is not known. */
    public abstract long parent();

    /** The environment that a process began with, as {@code NAME=VALUE} with a zero behind each; empty if hidden. */
    public abstract byte[] environment(long pid);

    /** Names what process numbers count in, a pid namespace; empty if there is only one. */
    public abstract String namespace();

    /** When the calling thread began, in a unit of the platform's own that never goes back; -1: not known. */
    public abstract long startOfThisThread();

    /** What the kernel writes in a file of /proc or /sys; empty if there is none. */
    public abstract byte[] kernel(String path);

    // ---- users and files ----

    /** A number for the user that this process runs as. */
    public abstract int user() throws IOException;

    /** The folder where files lie that ranks of this machine share. It is there after the call. */
    public abstract Path folder() throws IOException;

    /** A number that all processes have which see the same memory in {@link #folder}. */
    public abstract long memory();

    /** Why files in a folder are no memory that ranks can share, with the cure; null if they are. */
    public abstract String unfit(Path folder);

    /** Whether such a file needs its name as long as it is used. Else it loses it as soon as all have it open. */
    public abstract boolean namesStay();

    /** What there is to know of a file. */
    public abstract FileFacts file(Path path, boolean followLink) throws IOException;

    /** Makes an empty file of this user's alone. There must not be one. */
    public abstract FileChannel create(Path path) throws IOException;

    /** Lets others see that the maker of a file has failed, where a file's mode can tell that. */
    public abstract void markFailed(Path path) throws IOException;

    /** Makes a folder of this user's alone. There must not be one. */
    public abstract void createFolder(Path path) throws IOException;

    /** Where this process's stream of a number goes, 1 or 2; empty if that is not known. */
    public abstract String stream(int number);

    /** An empty file to read from. */
    public abstract File nothing();
}
