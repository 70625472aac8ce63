package org.brigade.launch.options;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The hosts that a command line names, and how many ranks each has room for. */
final class HostOptions {
    private static final String SLOTS = "slots=";

    private final List<String> names = new ArrayList<>();
    private int slots;
    private String option;

    /** {@code a:4,b:4}, or {@code a,a,b}. */
    void names(String its, String text) {
        option = its;
        for (String each : text.split(",", -1)) {
            host(each.trim(), text);
        }
    }

    /** A host a line, as Open MPI ({@code a slots=4}) and MPICH ({@code a:4}) write them. */
    void file(String its, String file) {
        option = its;
        List<String> lines;
        try {
            lines = Files.readAllLines(Path.of(file));
        } catch (IOException | RuntimeException e) {
            throw new LaunchException(its + " " + file + ": cannot be read (" + e + "); name a file with a host a line:"
                + " NAME slots=N");
        }
        for (String line : lines) {
            int comment = line.indexOf('#');
            String text = (comment < 0 ? line : line.substring(0, comment)).trim();
            if (!text.isEmpty()) {
                String[] words = text.split("[ \t]+");
                int number = -1;
                for (String word : words) {
                    number = word.startsWith(SLOTS) ? number(word.substring(SLOTS.length()), line) : number;
                }
                host(number < 0 ? words[0] : words[0] + ":" + number, line);
            }
        }
        if (names.isEmpty()) {
            throw new LaunchException(its + " " + file + " names no host; write a line for each: NAME slots=N");
        }
    }

    private void host(String text, String line) {
        int colon = text.lastIndexOf(':');
        String name = colon > 0 && text.indexOf(':') == colon ? text.substring(0, colon) : text;
        slots += colon > 0 && text.indexOf(':') == colon ? number(text.substring(colon + 1), line) : 1;
        if (name.isEmpty()) {
            throw new LaunchException(option + ": '" + line + "' names no host; write NAME or NAME:N, with commas"
                + " between");
        }
        if (!names.contains(name)) {
            names.add(name);
        }
    }

    private int number(String text, String line) {
        return LaunchOptions.number(option, text, "in '" + line + "' the number of ranks must be 1 or more");
    }

    boolean isNamed() {
        return !names.isEmpty();
    }

    /**
     * How many ranks there are if the line does not say.
     *
     * @param perNode ranks of each host or node; 0: the hosts say
     */
    int slots(int perNode, int nodes) {
        return perNode == 0 ? slots : perNode * Math.max(nodes, names.size());
    }

    /** @throws LaunchException if a host is not this machine */
    void requireThisMachine() {
        for (String name : names) {
            if (!isHere(name)) {
                throw new LaunchException(option + ": " + name + " is not this machine, and mpjrun starts ranks on this"
                    + " machine only; for several, start them with mpirun or srun (mpirun " + option + " ... mpjava"
                    + " App), or by anything that sets BRIGADE_RENDEZVOUS (docs/clusters.md)");
            }
        }
    }

    static boolean isHere(String name) {
        if (name.equals("localhost") || name.equals("127.0.0.1") || name.equals("+self")) {
            return true;
        }
        String own = System.getenv("HOSTNAME");
        try {
            own = Files.readString(Path.of("/proc/sys/kernel/hostname")).trim();
        } catch (IOException unreadable) {
            // the shell's variable is mostly right
        }
        if (own != null && (name.equals(own) || own.startsWith(name + ".") || name.startsWith(own + "."))) {
            return true;
        }
        try {
            for (InetAddress each : InetAddress.getAllByName(name)) {
                if (each.isLoopbackAddress() || NetworkInterface.getByInetAddress(each) != null) {
                    return true;
                }
            }
            return false;
        } catch (IOException unknown) {
            return false;
        }
    }
}
