package org.brigade.process;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The processes of another rank that the same launcher has started on this machine: the launcher's children, and
 * theirs, in whose environment that rank's number is. Several jobs of one launcher have a rank of that number.
 */
public final class SiblingRank {
    private final long launcher;
    private final String variable;
    private boolean hidden;

    private SiblingRank(long launcher, String variable) {
        this.launcher = launcher;
        this.variable = variable;
    }

    /**
     * @param launcher of this rank, from {@link ProcessWatch#ofLauncher}
     * @return null if the launcher is not known, or not visible from here
     */
    public static SiblingRank of(ProcessWatch launcher, int rank) {
        String name = ProcessWatch.rankVariable();
        return launcher == null || name == null || launcher.isHidden() ? null
            : new SiblingRank(launcher.pid(), name + "=" + rank);
    }

    /** Their process ids; empty if none has begun yet, or if this system does not tell. */
    public List<Long> pids() {
        List<Long> found = new ArrayList<>();
        addChildren(launcher, found);
        return found;
    }

    /** Whether a child of the launcher hides its environment, as one in another user namespace does. */
    public boolean hides() {
        return hidden;
    }

    private static boolean isHidden(long pid) {
        try (FileInputStream environment = new FileInputStream("/proc/" + pid + "/environ")) {
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
