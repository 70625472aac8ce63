package org.brigade.transport.shm;

import static org.brigade.transport.shm.SegmentDescriptor.*;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.Endpoint;
import org.brigade.waiting.RankState;

/**
 * A job of this user that runs on this machine, seen from another process. Each rank keeps its segment's file open, so
 * /proc leads there though the file has no name any more. Reading needs nothing of the ranks.
 *
 * @param key of the job
 * @param size ranks of the job, also on other machines
 * @param ranks those of this machine
 */
public record RunningJob(String key, int size, List<RankState> ranks) {
    private static final String DELETED = " (deleted)";
    private static final long LOOK_MILLIS = 5;

    /** All jobs, in the order of their keys. */
    public static List<RunningJob> ofThisUser() throws IOException {
        String prefix = ShmTransport.DIRECTORY + "/" + SegmentFile.prefix(SegmentFile.uid());
        TreeMap<String, RunningJob> jobs = new TreeMap<>();
        TreeSet<String> seen = new TreeSet<>();
        String[] processes = new File("/proc").list();
        for (int i = 0; processes != null && i < processes.length; i++) {
            String[] files = Character.isDigit(processes[i].charAt(0))
                ? new File("/proc/" + processes[i] + "/fd").list() : null;
            for (int j = 0; files != null && j < files.length; j++) {
                Path file = Path.of("/proc", processes[i], "fd", files[j]);
                try {
                    String target = Files.readSymbolicLink(file).toString();
                    if (target.startsWith(prefix) && target.endsWith(DELETED) && !seen.contains(target)) {
                        add(jobs, target.substring(prefix.length(), target.length() - DELETED.length()), file);
                        seen.add(target);
                    }
                } catch (IOException gone) {
                    // The process has ended, or has closed this file.
                }
            }
        }
        return new ArrayList<>(jobs.values());
    }

    /**
     * The last calls of the ranks of a job, for its launcher; see {@link Endpoint#lastCalls}. If a rank has begun to
     * show them, waits until it has, or has ended: a busy machine may keep it from running for long.
     *
     * @param pids the ranks' processes; some of them run
     * @param patienceMillis how long it waits at most, for each node
     */
    public static List<String> lastCalls(long[] pids, long patienceMillis) throws InterruptedException {
        List<String> lines = new ArrayList<>();
        TreeSet<String> seen = new TreeSet<>();
        for (long pid : pids) {
            String[] files = new File("/proc/" + pid + "/fd").list();
            for (int i = 0; files != null && i < files.length; i++) {
                Path file = Path.of("/proc", Long.toString(pid), "fd", files[i]);
                try {
                    String target = Files.readSymbolicLink(file).toString();
                    if (target.startsWith(ShmTransport.DIRECTORY + "/brigade-") && target.endsWith(DELETED)
                        && !seen.contains(target)) {
                        lines.addAll(lastCalls(file, patienceMillis));
                        seen.add(target); // only now: a rank that ends meanwhile takes its file away, not the others'
                    }
                } catch (IOException gone) {
                    // The process has ended, or has closed this file.
                }
            }
        }
        return lines;
    }

    private static List<String> lastCalls(Path file, long patienceMillis) throws IOException, InterruptedException {
        NativeMemory memory = map(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        if (memory == null) {
            return List.of();
        }
        RankTable table = new RankTable(memory);
        long deadline = System.nanoTime() + patienceMillis * 1_000_000;
        while (table.areCallsBeingShown() && deadline - System.nanoTime() > 0) {
            Thread.sleep(LOOK_MILLIS);
        }
        return table.unshownCalls((int) memory.getLong(RANKS));
    }

    /** Adds the ranks of one segment. A job has one for each node, and this machine may emulate several. */
    private static void add(TreeMap<String, RunningJob> jobs, String name, Path file) throws IOException {
        NativeMemory memory = map(file, StandardOpenOption.READ);
        if (memory == null) {
            return;
        }
        String key = key(name);
        int ranks = (int) memory.getLong(RANKS);
        RankTable table = new RankTable(memory);
        List<RankState> all = new ArrayList<>(table.states(ranks));
        int size = all.isEmpty() ? ranks : table.jobSize(place(table, ranks));
        RunningJob before = jobs.get(key);
        if (before != null) {
            all.addAll(before.ranks);
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

    /** The part that tells of the ranks; null if another version of Brigade made it, or if it is not all there. */
    private static NativeMemory map(Path file, StandardOpenOption... how) throws IOException {
        MapMode mode = how.length > 1 ? MapMode.READ_WRITE : MapMode.READ_ONLY;
        try (FileChannel channel = FileChannel.open(file, how)) {
            if (channel.size() < ROWS) {
                return null;
            }
            NativeMemory header = new NativeMemory(channel.map(mode, 0, ROWS));
            long ranks = header.getLong(RANKS);
            if (header.getLong(MAGIC) != READY || header.getLong(VERSION) != LAYOUT || ranks < 2
                || ranks > Short.MAX_VALUE || channel.size() < described((int) ranks)) {
                return null;
            }
            return new NativeMemory(channel.map(mode, 0, described((int) ranks)));
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
