package org.brigade.process;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** Linux: /proc tells of processes, and /dev/shm is memory. */
final class LinuxPlatform extends Platform {
    private static final String FOLDER = "/dev/shm";
    private static final Set<OpenOption> NEW = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE,
        LinkOption.NOFOLLOW_LINKS);
    private static final LinkOption[] FOLLOWED = {};
    private static final LinkOption[] NOT_FOLLOWED = {LinkOption.NOFOLLOW_LINKS};
    /** The field of a thread's stat behind its name that says when it began, in hundredths of a second. */
    private static final int THREAD_START = 20;
    private static final int LONGEST_FILE = 4096;

    /** So that the verifier need not load this class where it is not used. */
    static Platform make() {
        return new LinuxPlatform();
    }

    @Override
    public long start(long pid) {
        ProcessStat stat = ProcessStat.of(pid);
        return stat == null || stat.hasEnded() ? -1 : stat.startTime();
    }

    @Override
    public boolean ended(long pid, long start) {
        return start(pid) != start;
    }

    @Override
    public boolean isEnding(long pid) {
        ProcessStat stat = ProcessStat.of(pid);
        return stat == null || stat.isEnding();
    }

    @Override
    public Life life(long pid, long start) {
        return new StatFile(pid, start);
    }

    @Override
    public long parent() {
        ProcessStat self = ProcessStat.self();
        return self == null ? 0 : self.parent();
    }

    @Override
    public byte[] environment(long pid) {
        try (FileInputStream environment = new FileInputStream("/proc/" + pid + "/environ")) {
            return environment.readAllBytes();
        } catch (IOException hidden) {
            return new byte[0];
        }
    }

    @Override
    public String namespace() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
        } catch (IOException unknown) {
            return "";
        }
    }

    @Override
    public long startOfThisThread() {
        try (FileInputStream file = new FileInputStream("/proc/thread-self/stat")) {
            String stat = new String(file.readAllBytes(), StandardCharsets.ISO_8859_1);
            int at = stat.lastIndexOf(')') + 1;
            for (int field = 0; field < THREAD_START; field++) {
                at = stat.indexOf(' ', at) + 1;
            }
            return Long.parseLong(stat, at, stat.indexOf(' ', at), 10);
        } catch (IOException noSuchFile) {
            return -1;
        }
    }

    @Override
    public byte[] kernel(String path) {
        byte[] text = new byte[LONGEST_FILE];
        try (FileInputStream file = new FileInputStream(path)) {
            return Arrays.copyOf(text, Math.max(0, file.read(text)));
        } catch (IOException absent) {
            return new byte[0];
        }
    }

    @Override
    public int user() throws IOException {
        return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    }

    @Override
    public Path folder() {
        return Path.of(FOLDER);
    }

    @Override
    public long memory() {
        try {
            return (Long) Files.getAttribute(Path.of(FOLDER), "unix:dev");
        } catch (IOException | RuntimeException unknown) {
            return 0; // the machine must do
        }
    }

    /** A tmpfs must be mounted there. If the kernel's list names a place several times, the last mount counts. */
    @Override
    public String unfit(Path folder) {
        String machine = System.getProperty("os.arch");
        if (!"amd64".equals(machine) && !"aarch64".equals(machine)) {
            return "Brigade's shared memory runs on Linux on x86-64 and aarch64, and this is Linux on " + machine
                + "; set brigade.portable=on for all ranks";
        }
        String mounts;
        try (FileInputStream list = new FileInputStream("/proc/self/mounts")) {
            mounts = new String(list.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException unreadable) {
            return null;
        }
        String mounted = " " + folder + " ";
        int at = mounts.lastIndexOf(mounted);
        return at >= 0 && mounts.startsWith("tmpfs ", at + mounted.length()) ? null
            : folder + " is not memory (no tmpfs is mounted there); mount one (mount -t tmpfs tmpfs " + folder + ")";
    }

    @Override
    public boolean namesStay() {
        return false;
    }

    @Override
    public FileFacts file(Path path, boolean followLink) throws IOException {
        Map<String, Object> its = Files.readAttributes(path, "unix:uid,mode,ino,lastModifiedTime",
            followLink ? FOLLOWED : NOT_FOLLOWED);
        return new FileFacts((int) its.get("uid"), (int) its.get("mode"), (long) its.get("ino"),
            (FileTime) its.get("lastModifiedTime"));
    }

    @Override
    public FileChannel create(Path path) throws IOException {
        Set<PosixFilePermission> ours = EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        FileChannel made = FileChannel.open(path, NEW, PosixFilePermissions.asFileAttribute(ours));
        if (!ours.equals(Files.getPosixFilePermissions(path))) {
            Files.setPosixFilePermissions(path, ours); // the user's umask takes this user's own rights
        }
        return made;
    }

    @Override
    public void markFailed(Path path) throws IOException {
        Files.setPosixFilePermissions(path, EnumSet.of(PosixFilePermission.OWNER_READ,
            PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE));
    }

    @Override
    public void createFolder(Path path) throws IOException {
        Files.createDirectory(path, PosixFilePermissions.asFileAttribute(EnumSet.of(PosixFilePermission.OWNER_READ,
            PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE)));
    }

    @Override
    public String stream(int number) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/" + number)).toString();
        } catch (IOException unknown) {
            return "";
        }
    }

    @Override
    public File nothing() {
        return new File("/dev/null");
    }

    /**
     * The {@code stat} file of a process, which is kept open: the kernel answers a read with an error once the process
     * is gone. A look costs one system call and no object.
     */
    private static final class StatFile implements Life {
        private final long pid;
        private final long start;
        private final byte[] line = new byte[1024];
        private RandomAccessFile stat;

        StatFile(long pid, long start) {
            this.pid = pid;
            this.start = start;
        }

        @Override
        public boolean ended() {
            try {
                if (stat == null) {
                    stat = new RandomAccessFile(ProcessStat.path(pid), "r");
                }
                stat.seek(0);
                return ProcessStat.ended(line, stat.read(line), start);
            } catch (IOException unreadable) {
                // Before the file is open, an error may only mean that this process has run out of file descriptors.
                return stat != null || !new File("/proc/" + pid).exists();
            }
        }

        @Override
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
}
