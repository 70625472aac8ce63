package org.brigade.launch.hosts;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.brigade.launch.options.LaunchException;
import org.brigade.recording.TraceFolder;

/**
 * The recordings of a traced job's ranks. They belong into the folder of the trace where mpjrun runs. A host that does
 * not see that folder has one of its own at the same path; its agent sends each recording when the rank has ended, and
 * removes it there. Recordings that earlier jobs have left there are not this job's.
 */
public final class Recordings implements AutoCloseable {
    /** Has the key of the job, by which agents know mpjrun's folder. */
    private static final String MARK = ".job";
    private static final int PART = 1 << 16;

    private final Path folder;
    private final Map<Integer, Path> parts = new HashMap<>();
    private final Map<Integer, OutputStream> open = new HashMap<>();
    /** Ranks of which a part could not be written: the rest is dropped. */
    private final Set<Integer> failed = new HashSet<>();

    private Recordings(Path folder) {
        this.folder = folder;
    }

    /**
     * Opens mpjrun's folder, which is made if it is missing.
     *
     * @param key of the job
     * @throws LaunchException if others can write to it, or it cannot be written to
     */
    static Recordings of(Path folder, String key) {
        try {
            Path own = TraceFolder.at(folder);
            TraceFolder.put(own, MARK, file -> Files.writeString(file, key));
            return new Recordings(own);
        } catch (IOException e) {
            throw new LaunchException(
                "brigade.trace: " + folder + " cannot be written (" + e + "); name another folder");
        }
    }

    private static String name(int rank) {
        return "rank-" + rank + ".jfr";
    }

    /** A rank will be started: what an earlier job has left under its number goes. */
    void expect(int rank) {
        try {
            remove(folder, rank);
        } catch (IOException e) {
            throw new LaunchException(
                "brigade.trace: " + folder + " has an old recording that cannot be removed (" + e + "); remove it");
        }
    }

    private static void remove(Path from, int rank) throws IOException {
        Path old = from.resolve(name(rank));
        if (Files.isRegularFile(old, LinkOption.NOFOLLOW_LINKS)) {
            Files.delete(old);
        }
    }

    /** A part of a rank's recording has come. */
    synchronized void take(int rank, byte[] bytes) {
        if (failed.contains(rank)) {
            return;
        }
        try {
            OutputStream file = open.get(rank);
            if (file == null) {
                parts.put(rank, Files.createTempFile(folder, name(rank) + ".", ".part"));
                file = Files.newOutputStream(parts.get(rank));
                open.put(rank, file);
            }
            file.write(bytes);
        } catch (IOException e) {
            fail(rank, e);
        }
    }

    /** No more comes of a rank's recording. @param whole whether all of it has come */
    synchronized void end(int rank, boolean whole) {
        try {
            if (whole && open.containsKey(rank)) {
                open.remove(rank).close();
                Files.move(parts.remove(rank), folder.resolve(name(rank)), StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException e) {
            fail(rank, e);
        }
        drop(rank);
    }

    private void fail(int rank, IOException why) {
        System.err.println("mpjrun: the recording of rank " + rank + " cannot be written, and is lost: " + why);
        failed.add(rank);
        drop(rank);
    }

    private void drop(int rank) {
        OutputStream file = open.remove(rank);
        Path part = parts.remove(rank);
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException gone) {
            // it is deleted next
        }
        try {
            if (part != null) {
                Files.deleteIfExists(part);
            }
        } catch (IOException gone) {
            // with the folder
        }
    }

    /** Removes what is incomplete, and the mark. */
    @Override
    public synchronized void close() {
        for (int rank : List.copyOf(parts.keySet())) {
            drop(rank);
        }
        try {
            Files.deleteIfExists(folder.resolve(MARK));
        } catch (IOException gone) {
            // with the folder
        }
    }

    // ---- on a rank's host ----

    /**
     * Makes room for the recording of a rank that will be started on this host.
     *
     * @param folder of the trace; empty: the rank is not traced
     * @param key of the job
     */
    public static void begin(String folder, String key, int rank) throws IOException {
        if (!folder.isEmpty() && !isShared(Path.of(folder), key)) {
            remove(Path.of(folder), rank);
        }
    }

    /** Whether mpjrun sees what is in a folder of this host. */
    private static boolean isShared(Path folder, String key) throws IOException {
        Path mark = folder.resolve(MARK);
        return Files.exists(mark, LinkOption.NOFOLLOW_LINKS) && Files.readString(mark).equals(key);
    }

    /** Whether an ended rank has left a recording on this host that mpjrun does not see. */
    public static boolean areLeft(String folder, String key, int rank) throws IOException {
        return !folder.isEmpty() && Files.isRegularFile(Path.of(folder).resolve(name(rank)), LinkOption.NOFOLLOW_LINKS)
            && !isShared(Path.of(folder), key);
    }

    /** Sends an ended rank's recording to mpjrun, and removes it here. */
    public static void send(String folder, int rank, AgentFrames frames) throws IOException {
        Path file = Path.of(folder).resolve(name(rank));
        byte[] bytes = new byte[PART];
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            for (int read = in.read(bytes); read > 0; read = in.read(bytes)) {
                frames.send(AgentFrames.RECORDING, rank, bytes, read);
            }
        }
        Files.delete(file);
    }
}
