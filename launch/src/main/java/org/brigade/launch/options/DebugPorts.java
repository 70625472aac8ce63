package org.brigade.launch.options;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/**
 * {@code --debug RANK[:PORT]}: at which port of this machine each rank is there for a debugger. Where a rank runs on
 * another host, it listens at another port there, and mpjrun relays.
 */
public final class DebugPorts {
    private static final int PORT = 5005;
    private static final int LAST = 65_535;

    /** The rank that waits for the debugger. */
    private final int rank;
    private final int[] ports;
    private final int[] there;

    private DebugPorts(int rank, int[] ports, int[] there) {
        this.rank = rank;
        this.ports = ports;
        this.there = there;
    }

    /**
     * @param hosts null: all ranks run here
     * @throws LaunchException if there is no such rank, or another process has the port
     */
    static DebugPorts of(String text, int ranks, JobHosts hosts) {
        int colon = text.indexOf(':');
        int rank = number(text, colon < 0 ? text : text.substring(0, colon), ranks - 1);
        int port = colon < 0 ? PORT : number(text, text.substring(colon + 1), LAST);
        int[] ports = new int[ranks];
        ports[rank] = port;
        if (port == 0 || !isFree(port)) {
            throw new LaunchException("--debug " + text + ": port " + port + " of this machine is taken; name another,"
                + " as in --debug " + rank + ":" + (port + 1000) % LAST);
        }
        int next = port;
        for (int other = 0; other < ranks; other++) {
            if (other != rank) {
                next = free(next, port);
                ports[other] = next;
            }
        }
        int[] there = ports.clone();
        for (int each = 0; hosts != null && each < ranks; each++) {
            if (!hosts.here()[hosts.hostOf()[each]]) {
                next = free(next, port);
                there[each] = next;
            }
        }
        return new DebugPorts(rank, ports, there);
    }

    private static int free(int before, int port) {
        int next = before;
        do {
            next = next == LAST ? PORT : next + 1;
        } while (next == port || !isFree(next));
        return next;
    }

    /** Where a debugger reaches a rank on this machine. */
    public int here(int its) {
        return ports[its];
    }

    /** Where a rank listens on its host. */
    public int there(int its) {
        return there[its];
    }

    private static int number(String text, String part, int most) {
        int number = -1;
        try {
            number = Integer.parseInt(part);
        } catch (NumberFormatException e) {
            // reported below
        }
        if (number < 0 || number > most) {
            throw new LaunchException("--debug " + text + ": name a rank, from 0 to the last, and if you like a port"
                + " below 65536, as in --debug 1:5005");
        }
        return number;
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }

    /** Java's option for a rank. */
    public String option(int its) {
        return "-agentlib:jdwp=transport=dt_socket,server=y,quiet=y,suspend=" + (its == rank ? "y" : "n")
            + ",address=127.0.0.1:" + there[its];
    }

    /** What mpjrun says of it. */
    public String words() {
        StringBuilder text = new StringBuilder("mpjrun: rank " + rank + " waits for a debugger at port " + ports[rank]
            + " of this machine");
        for (int other = 0; other < ports.length; other++) {
            if (other != rank) {
                text.append(text.indexOf(";") < 0 ? "; the others go on, and listen at " : ", ").append(ports[other])
                    .append(" (rank ").append(other).append(')');
            }
        }
        return text.toString();
    }
}
