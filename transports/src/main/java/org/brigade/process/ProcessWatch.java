package org.brigade.process;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Tells whether one process still runs. Its {@code stat} file is kept open: the kernel answers a read with an error
 * once the process is gone. A look costs one system call and no object.
 */
public final class ProcessWatch {
    private final long pid;
    private final long startTime;
    private final byte[] line = new byte[1024];
    private RandomAccessFile stat;

    public ProcessWatch(long pid, long startTime) {
        this.pid = pid;
        this.startTime = startTime;
    }

    /**
     * A watch on the launcher of this rank: the mpjrun that {@code BRIGADE_LAUNCHER_PID} names, else the parent, which
     * under mpirun and srun lives as long as the job. Null if the launcher is not visible from here, or if the ranks
     * were started by hand. An mpjrun that ended before this rank began is watched, too, if both are in the same pid
     * namespace.
     */
    public static ProcessWatch ofLauncher() {
        String pid = System.getenv("BRIGADE_LAUNCHER_PID");
        if (pid == null && System.getenv("BRIGADE_RANK") != null) {
            return null;
        }
        try {
            String began = pid == null ? null : System.getenv("BRIGADE_LAUNCHER_START");
            int at = began == null ? -1 : began.indexOf('@');
            if (at > 0 && began.substring(at + 1).equals(namespace())) {
                return new ProcessWatch(Long.parseLong(pid), Long.parseLong(began.substring(0, at)));
            }
            ProcessStat self = pid == null ? ProcessStat.self() : null;
            long launcher = pid != null ? Long.parseLong(pid) : self == null ? 0 : self.parent();
            ProcessStat stat = launcher <= 1 ? null : ProcessStat.of(launcher);
            return stat == null ? null : new ProcessWatch(stat.pid(), stat.startTime());
        } catch (NumberFormatException notOurs) {
            return null;
        }
    }

    /** What BRIGADE_LAUNCHER_START tells ranks about this process: {@code start time@pid namespace}. */
    public static String selfForRanks() {
        ProcessStat self = ProcessStat.self();
        return self == null ? "" : Long.toString(self.startTime()).concat("@").concat(namespace());
    }

    /** The pid namespace; empty if it cannot be read. */
    private static String namespace() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
        } catch (IOException unknown) {
            return "";
        }
    }

    public long pid() {
        return pid;
    }

    /** Whether the process has ended, reaped or not. False if that cannot be told. */
    public boolean ended() {
        try {
            if (stat == null) {
                stat = new RandomAccessFile("/proc/" + pid + "/stat", "r");
            }
            stat.seek(0);
            return ProcessStat.ended(line, stat.read(line), startTime);
        } catch (IOException unreadable) {
            // Before the file is open, an error may only mean that this process has run out of file descriptors.
            return stat != null || !new File("/proc/" + pid).exists();
        }
    }

    /** Closes the file. */
    public void close() {
        try {
            if (stat != null) {
                stat.close();
            }
        } catch (IOException ignored) {
            // Nothing was written: nothing is lost.
        }
        stat = null;
    }
}
