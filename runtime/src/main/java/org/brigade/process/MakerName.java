package org.brigade.process;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Names of files that exist for a moment only. A name tells the user, what the file is for, and which process has made
 * it: {@code brigade-UID-WHAT~PID~START~NAMESPACE}, perhaps with a number behind. So whoever finds one can tell whether
 * its maker still lives.
 */
public final class MakerName {
    /** Between the parts that tell the maker. */
    public static final char MAKER = '~';

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private MakerName() {
    }

    /** The user that this process runs as. */
    public static int uid() throws IOException {
        return Platform.here().user();
    }

    /** The start of the names of all files of a user. */
    public static String prefix(int uid) {
        return "brigade-" + Integer.toUnsignedString(uid) + "-";
    }

    /** A name that no other file has. */
    public static String of(String what) throws IOException {
        return prefix(uid()) + what + NUMBER.getAndIncrement() + madeBy(ProcessIdentity.self());
    }

    /** The last part of a name. */
    public static String madeBy(ProcessIdentity maker) {
        return "" + MAKER + maker.pid() + MAKER + maker.startTime() + MAKER + maker.namespace();
    }

    /** The same, for a process that makes several files of one kind. */
    public static String madeOnceBy(ProcessIdentity maker) {
        return madeBy(maker) + MAKER + NUMBER.getAndIncrement();
    }

    /** The process that made a file, by the file's name; null if the name does not say. */
    public static ProcessIdentity maker(String name) {
        if (name.indexOf(MAKER) < 0) {
            return null;
        }
        int pid = name.indexOf(MAKER) + 1;
        int start = name.indexOf(MAKER, pid) + 1;
        int namespace = name.indexOf(MAKER, start) + 1;
        if (pid > 0 && start > 0 && namespace > 0) {
            int number = name.indexOf(MAKER, namespace);
            try {
                return new ProcessIdentity(Long.parseLong(name, pid, start - 1, 10),
                    Long.parseLong(name, start, namespace - 1, 10),
                    Long.parseLong(name, namespace, number < 0 ? name.length() : number, 10));
            } catch (NumberFormatException notOurs) {
                return ProcessIdentity.THREAD;
            }
        }
        return ProcessIdentity.THREAD;
    }
}
