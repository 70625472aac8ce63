package org.brigade.process;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The process of another rank of this machine. It has told who it is, or the same launcher has started it: then it is
 * one of the launcher's children, or theirs, and has that rank's number in its environment. Several jobs of one
 * launcher have a rank of that number.
 */
public final class SiblingRank {
    /** Null if the launcher is to be looked at. */
    private final List<Long> known;
    private final long launcher;
    private final String name;
    private final String variable;
    private boolean hidden;
    private boolean findsItself;

    private SiblingRank(List<Long> known, long launcher, String name, String value) {
        this.known = known;
        this.launcher = launcher;
        this.name = name;
        this.variable = name + "=" + value;
    }

    /** A process of this pid namespace; null if its files cannot be seen anyhow. */
    public static SiblingRank of(ProcessIdentity process) {
        return Platform.here().namesStay() ? null : new SiblingRank(List.of(process.pid()), 0, "", "");
    }

    /**
     * @param launcher of this rank, from {@link ProcessWatch#ofLauncher}
     * @return null if the launcher is not known, or not visible from here
     */
    public static SiblingRank of(ProcessWatch launcher, int rank) {
        String name = ProcessWatch.rankVariable();
        return launcher == null || name == null || launcher.isHidden() || Platform.here().namesStay() ? null
            : new SiblingRank(null, launcher.pid(), name, Integer.toString(rank));
    }

    /** Their process ids; empty if none has begun yet, or if this system does not tell. */
    public List<Long> pids() {
        if (known != null) {
            return known;
        }
        List<Long> found = new ArrayList<>();
        addChildren(launcher, found);
        return found;
    }

    /**
     * Whether {@link #pids} may miss the rank: a child of the launcher hides its environment, as one in another user
     * namespace does, or this system does not even show this process among the launcher's.
     */
    public boolean isBlind() {
        findsItself = findsItself || known != null || new SiblingRank(null, launcher, name, System.getenv(name)).pids()
            .contains(ProcessHandle.current().pid());
        return hidden || !findsItself;
    }

    private static boolean isHidden(long pid) {
        try {
            new FileInputStream("/proc/" + pid + "/environ").close();
            return false;
        } catch (IOException denied) {
            ProcessStat stat = ProcessStat.of(pid);
            return stat != null && !stat.isEnding();
        }
    }

    private void addChildren(long parent, List<Long> found) {
        String tasks = "/proc/" + parent + "/task";
        String[] threads = new File(tasks).list();
        for (int i = 0; threads != null && i < threads.length; i++) {
            String children = children(tasks + "/" + threads[i] + "/children");
            int at = 0;
            for (int end = children.indexOf(' '); end > at; end = children.indexOf(' ', at)) {
                long pid = Long.parseLong(children, at, end, 10);
                if (ProcessWatch.began(pid, variable)) {
                    found.add(pid);
                    addChildren(pid, found);
                } else {
                    hidden |= isHidden(pid);
                }
                at = end + 1;
            }
        }
    }

    /** {@code 4711 4712 }. */
    private static String children(String list) {
        try (FileInputStream file = new FileInputStream(list)) {
            return new String(file.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }
}
