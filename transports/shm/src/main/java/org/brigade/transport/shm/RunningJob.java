package org.brigade.transport.shm;

import static org.brigade.transport.shm.SegmentDescriptor.*;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.brigade.interrupt.FileStep;
import org.brigade.interrupt.Nap;
import org.brigade.memory.NativeMemory;
import org.brigade.process.MakerName;
import org.brigade.process.OfferedFile;
import org.brigade.process.Platform;
import org.brigade.transport.Endpoint;
import org.brigade.waiting.RankActivity;
import org.brigade.waiting.RankState;

/**
 * A job of this user that runs on this machine, seen from another process. Each rank keeps its segment's file open, so
 * /proc leads there though the file has no name any more; where names stay, its name does. Reading needs nothing of the
 * ranks.
 *
 * @param key of the job
 * @param size ranks of the job, also on other machines
 * @param activity what the ranks of this machine do
 */
public record RunningJob(String key, int size, List<RankActivity> activity) {
    private static final String DELETED = " (deleted)";
    private static final long LOOK_NANOS = 5_000_000;

    /** The ranks of this machine. */
    public List<RankState> ranks() {
        return activity.stream().map(RankActivity::state).toList();
    }

    /** All jobs, in the order of their keys. */
    public static List<RunningJob> ofThisUser() throws IOException {
        TreeMap<String, RunningJob> jobs = new TreeMap<>();
        segments(null, RunningJob::read).forEach((name, memory) -> add(jobs, name, memory));
        return new ArrayList<>(jobs.values());
    }

    /**
     * The last calls of the ranks of a job, for its launcher; see {@link Endpoint#lastCalls}. If a rank has begun to
     * show them, waits until it has, or has ended: a busy machine may keep it from running for long.
     *
     * @param pids the ranks' processes; some of them run
     * @param patienceMillis how long it waits at most, for all nodes together
     */
    public static List<String> lastCalls(long[] pids, long patienceMillis) {
        List<String> lines = new ArrayList<>();
        long deadline = System.nanoTime() + patienceMillis * 1_000_000;
        segments(pids, (file, bytes) -> unshownCalls(file, bytes, deadline, lines));
        return lines;
    }

    /**
     * Adds the last calls of one node's ranks, and notes that they are shown. A rank that begins to show them in just
     * this moment shows them, too.
     */
    private static NativeMemory unshownCalls(FileChannel file, int bytes, long deadline, List<String> lines)
        throws IOException {
        NativeMemory copy = read(file, bytes);
        while (copy != null && new RankTable(copy).areCallsBeingShown() && deadline - System.nanoTime() > 0) {
            Nap.nanos(LOOK_NANOS);
            copy = read(file, bytes);
        }
        if (copy != null) {
            ByteBuffer shown = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
            file.write(shown.putLong(0, RankTable.ARE_SHOWN), SHOWN);
            lines.addAll(new RankTable(copy).unshownCalls((int) copy.getLong(RANKS)));
        }
        return copy;
    }

    /**
     * The parts that tell of ranks, of the segments of this user's jobs; by what follows the user in the segments'
     * names. What another user has made is passed over, whatever its name.
     *
     * @param pids processes of which one has to use the segment; null: any
     */
    private static Map<String, NativeMemory> segments(long[] pids, Look look) {
        Map<String, NativeMemory> found = new LinkedHashMap<>();
        try {
            Path folder = Platform.here().folder();
            String prefix = MakerName.prefix(MakerName.uid());
            if (Platform.here().namesStay()) {
                named(folder, prefix, pids, look, found);
            } else {
                for (String pid : pids == null ? entries(new File("/proc"))
                    : LongStream.of(pids).mapToObj(Long::toString).toArray(String[]::new)) {
                    nameless(folder + "/" + prefix, pid, look, found);
                }
            }
        } catch (IOException unreadable) {
            // Then no job can have run.
        }
        return found;
    }

    private static String[] entries(File folder) {
        String[] names = folder.list();
        return names == null ? new String[0] : names;
    }

    /** Segments that have kept their names. One whose ranks have all ended is no job. */
    private static void named(Path folder, String prefix, long[] pids, Look look, Map<String, NativeMemory> found) {
        for (String name : entries(folder.toFile())) {
            if (name.startsWith(prefix) && name.indexOf(MakerName.MAKER) < 0) {
                try {
                    NativeMemory memory = open(folder.resolve(name), (file, bytes) -> {
                        NativeMemory copy = read(file, bytes);
                        return copy != null && isUsed(copy, pids) ? look.at(file, bytes) : null;
                    });
                    if (memory != null) {
                        found.put(name.substring(prefix.length()), memory);
                    }
                } catch (IOException gone) {
                    // The job has ended.
                }
            }
        }
    }

    /** Whether a segment with this name still has ranks. */
    static boolean uses(Path segment) {
        try {
            return open(segment, (file, bytes) -> {
                NativeMemory copy = read(file, bytes);
                return copy != null && isUsed(copy, null) ? copy : null;
            }) != null;
        } catch (IOException gone) {
            return false;
        }
    }

    private static boolean isUsed(NativeMemory segment, long[] pids) {
        RankTable table = new RankTable(segment);
        int ranks = (int) segment.getLong(RANKS);
        for (int rank = 0; pids != null && rank < ranks; rank++) {
            long pid = table.identity(rank).pid();
            if (pid != 0 && LongStream.of(pids).anyMatch(each -> each == pid)) {
                return true;
            }
        }
        return pids == null && !table.isOver(-1, ranks);
    }

    /**
     * Segments that a process has open. It may end at any moment: a segment is then found at another one that has it
     * open.
     */
    private static void nameless(String prefix, String pid, Look look, Map<String, NativeMemory> found)
        throws IOException {
        String[] files = Character.isDigit(pid.charAt(0)) && isOf(MakerName.uid(), pid)
            ? entries(new File("/proc/" + pid + "/fd")) : new String[0];
        for (String each : files) {
            Path file = Path.of("/proc", pid, "fd", each);
            try {
                String target = Files.readSymbolicLink(file).toString();
                if (target.startsWith(prefix) && target.endsWith(DELETED)) {
                    int maker = target.indexOf(MakerName.MAKER, prefix.length());
                    String name =
                        target.substring(prefix.length(), maker > 0 ? maker : target.length() - DELETED.length());
                    NativeMemory memory = found.containsKey(name) ? null : open(file, look);
                    if (memory != null) {
                        found.put(name, memory);
                    }
                }
            } catch (IOException gone) {
                // The process has ended, or has closed this file, or another user made it.
            }
        }
    }

    /** Adds the ranks of one segment. A job has one for each node, and this machine may emulate several. */
    private static void add(TreeMap<String, RunningJob> jobs, String name, NativeMemory memory) {
        String key = key(name);
        int ranks = (int) memory.getLong(RANKS);
        RankTable table = new RankTable(memory);
        List<RankActivity> all = new ArrayList<>(table.activity(ranks));
        int size = all.isEmpty() ? ranks : table.jobSize(place(table, ranks));
        RunningJob before = jobs.get(key);
        if (before != null) {
            all.addAll(before.activity);
        }
        jobs.put(key, new RunningJob(key, size, all));
    }

    private static int place(RankTable table, int ranks) {
        int place = 0;
        while (place < ranks - 1 && table.state(place) == RankTable.ABSENT) {
            place++;
        }
        return place;
    }

    /** How a segment is looked at. */
    private interface Look {
        NativeMemory at(FileChannel file, int bytes) throws IOException;
    }

    /** A copy: whoever shortens a file ends a process that has mapped it. Null if the file is shorter. */
    private static NativeMemory read(FileChannel file, int bytes) throws IOException {
        ByteBuffer copy = ByteBuffer.allocateDirect(bytes);
        while (copy.hasRemaining() && file.read(copy, copy.position()) > 0) {
            // The next part of it.
        }
        return copy.hasRemaining() ? null : new NativeMemory(copy);
    }

    private static boolean isOf(int uid, String pid) {
        try {
            return Platform.here().file(Path.of("/proc", pid), true).owner() == uid;
        } catch (IOException ended) {
            return false;
        }
    }

    /**
     * The part that tells of the ranks; null if another version of Brigade made the file, or if it is not all there.
     *
     * @throws IOException if another user made it
     */
    private static NativeMemory open(Path file, Look look) throws IOException {
        return new FileStep<NativeMemory>() {
            @Override
            protected NativeMemory attempt() throws IOException {
                return opened(file, look);
            }
        }.run();
    }

    private static NativeMemory opened(Path file, Look look) throws IOException {
        try (FileChannel channel = OfferedFile.open(file)) {
            if (channel.size() < ROWS) {
                return null;
            }
            NativeMemory header = read(channel, ROWS);
            long ranks = header == null ? 0 : header.getLong(RANKS);
            if (header == null || header.getLong(MAGIC) != READY || header.getLong(VERSION) != LAYOUT
                || header.getLong(OPENED) != ALL_ATTACHED || ranks < 1 || ranks > Short.MAX_VALUE
                || channel.size() < described((int) ranks)) {
                return null;
            }
            return look.at(channel, described((int) ranks));
        }
    }

    /** Without the node: {@code .r} and its first rank. */
    private static String key(String name) {
        int at = name.lastIndexOf(".r");
        for (int i = at + 2; at > 0 && i < name.length(); i++) {
            if (name.charAt(i) < '0' || name.charAt(i) > '9') {
                return name;
            }
        }
        return at > 0 && at + 2 < name.length() ? name.substring(0, at) : name;
    }
}
