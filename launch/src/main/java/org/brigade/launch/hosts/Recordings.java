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
 * removes it there.
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

    /** A part of a rank's recording has come; no bytes: its end. */
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
            if (bytes.length > 0) {
                file.write(bytes);
            } else {
                open.remove(rank).close();
                Files.move(parts.remove(rank), folder.resolve(name(rank)), StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException e) {
            System.err.println("mpjrun: the recording of rank " + rank + " cannot be written, and is lost: " + e);
            failed.add(rank);
            drop(rank);
        }
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

    /**
     * Sends an ended rank's recording from a host that does not see mpjrun's folder, and removes it here.
     *
     * @param folder of the trace
     * @param key of the job
     */
    public static void send(Path folder, String key, int rank, AgentFrames frames) throws IOException {
        Path file = folder.resolve(name(rank));
        Path mark = folder.resolve(MARK);
        if (Files.exists(mark, LinkOption.NOFOLLOW_LINKS) && Files.readString(mark).equals(key)
            || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        byte[] bytes = new byte[PART];
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            for (int read = in.read(bytes); read > 0; read = in.read(bytes)) {
                frames.send(AgentFrames.RECORDING, rank, bytes, read);
            }
        }
        frames.send(AgentFrames.RECORDING, rank, bytes, 0);
        Files.delete(file);
    }
}
