package org.brigade.topology.search;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.brigade.topology.TopologyException;
import org.brigade.topology.profile.Transfer;
import org.brigade.topology.profile.TransferType;

/**
 * A file of measurements, written as they are made, so that an interrupted profile continues where it ended. One line
 * each:
 *
 * <pre>
 *   # brigade recording 1
 *   # host a1, AMD EPYC, 64 processors, ...                             the conditions: only the same ones continue
 *   9.84 GPU_READ_CPUMEM_MEMCPY 3>1, GPU_WRITE_CPUMEM_MEMCPY 0>3       10^9 bytes/s of a set of transfers
 * </pre>
 */
public final class Recording implements AutoCloseable {
    private static final String TITLE = "# brigade recording 1";
    private static final long MOST_BYTES = 256L << 20;
    private static final int MOST_TRANSFERS = 256;

    private final Map<TransferSet, Double> earlier;
    private final Writer writer;

    private Recording(Map<TransferSet, Double> earlier, Writer writer) {
        this.earlier = earlier;
        this.writer = writer;
    }

    /**
     * Opens a recording to continue it, or begins one.
     *
     * @param conditions in one line, all that measurements depend on: machine, devices, bytes
     * @throws TopologyException with line and cure if the file is not a recording, or was made under other conditions
     * @throws IOException if it cannot be written
     */
    public static Recording open(Path file, String conditions) throws IOException {
        Map<TransferSet, Double> earlier = Map.of();
        boolean begun = Files.exists(file) && Files.size(file) > 0;
        if (begun) {
            String text = text(file);
            String theirs = conditions(file, text);
            if (!theirs.equals(conditions)) {
                throw new TopologyException(file + " line 2: recorded under other conditions: " + theirs + "; now: "
                    + conditions + "; move the file away to begin again");
            }
            earlier = parse(file.toString(), text);
            int whole = text.lastIndexOf('\n') + 1;
            if (whole < text.length()) {
                Files.writeString(file, text.substring(0, whole)); // its writer was killed in the middle of a line
            }
        } else if (file.toAbsolutePath().getParent() != null) {
            Files.createDirectories(file.toAbsolutePath().getParent());
        }
        Writer writer =
            Files.newBufferedWriter(file, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        if (!begun) {
            writer.write(TITLE + "\n# " + conditions + "\n");
            writer.flush();
        }
        return new Recording(earlier, writer);
    }

    /**
     * Whether there is a recording that was made under other conditions.
     *
     * @throws TopologyException as {@link #read}
     */
    public static boolean isOfOthers(Path file, String conditions) throws IOException {
        return Files.exists(file) && Files.size(file) > 0 && !conditions(file, text(file)).equals(conditions);
    }

    /**
     * Reads the measurements of a recording.
     *
     * @throws TopologyException with line and cure if the file cannot be read or is not a recording
     */
    public static Map<TransferSet, Double> read(Path file) {
        String text = text(file);
        conditions(file, text);
        return parse(file.toString(), text);
    }

    private static String text(Path file) {
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new TopologyException(
                    file + ": longer than " + MOST_BYTES + " bytes, which no recording is; give the right file");
            }
            return Files.readString(file);
        } catch (IOException e) {
            throw new TopologyException(file + ": cannot be read: " + e + "; give a recording of brigade profile", e);
        }
    }

    private static String conditions(Path file, String text) {
        int end = text.indexOf('\n');
        int second = text.indexOf('\n', end + 1);
        if (!text.startsWith(TITLE + "\n") || second < 0 || !text.startsWith("# ", end + 1)) {
            throw new TopologyException(file + " line 1: is no recording of brigade profile, which begins with '"
                + TITLE + "'; give another file");
        }
        return text.substring(end + 3, second);
    }

    /** Ignores a last line without an end. */
    static Map<TransferSet, Double> parse(String source, String text) {
        Map<TransferSet, Double> measured = new LinkedHashMap<>();
        int number = 0;
        int from = 0;
        for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
            number++;
            String line = text.substring(from, end).strip();
            from = end + 1;
            if (!line.isEmpty() && line.charAt(0) != '#') {
                try {
                    int space = line.indexOf(' ');
                    double bandwidth = space < 0 ? 0 : Double.parseDouble(line.substring(0, space)) * 1e9;
                    if (!(bandwidth > 0) || Double.isInfinite(bandwidth)) {
                        throw new IllegalArgumentException("a bandwidth is a positive number, and transfers follow");
                    }
                    measured.put(set(line.substring(space + 1)), bandwidth);
                } catch (IllegalArgumentException e) {
                    String shown = line.length() > 60 ? line.substring(0, 60) + "..." : line;
                    throw new TopologyException(
                        source + " line " + number + ": '" + shown + "' is no measurement (" + e.getMessage()
                            + "); write for instance: 9.84 GPU_WRITE_GPUMEM_MEMCPY 0>1, or remove the line",
                        e);
                }
            }
        }
        return measured;
    }

    private static TransferSet set(String text) {
        List<Transfer> transfers = new ArrayList<>();
        for (String part : text.split(",", MOST_TRANSFERS + 1)) {
            transfers.add(transfer(part.strip()));
        }
        return TransferSet.of(transfers);
    }

    /** Reads what {@link Transfer#toString} writes. */
    private static Transfer transfer(String text) {
        int space = text.indexOf(' ');
        int arrow = text.indexOf('>');
        TransferType type = space < 0 ? null : TransferType.named(text.substring(0, space));
        if (type == null || arrow < space) {
            throw new IllegalArgumentException(
                "no transfer '" + (text.length() > 40 ? text.substring(0, 40) + "..." : text) + "'");
        }
        String from = text.substring(space + 1, arrow).strip();
        String to = text.substring(arrow + 1).strip();
        return new Transfer(type, node(from), node(to), index(from), index(to));
    }

    private static int node(String place) {
        int colon = place.indexOf(':');
        return colon < 0 ? Transfer.HERE : Integer.parseInt(place.substring(0, colon));
    }

    private static int index(String place) {
        return Integer.parseInt(place.substring(place.indexOf(':') + 1));
    }

    /** The measurements made before this recording was opened, in order. */
    public Map<TransferSet, Double> earlier() {
        return Collections.unmodifiableMap(earlier);
    }

    /** Adds a measurement; it is in the file when this returns. */
    public void add(TransferSet set, double bandwidth) throws IOException {
        writer.write(bandwidth / 1e9 + " " + set + "\n");
        writer.flush();
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }
}
