package org.brigade.launch.hosts;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The TCP connections of the process that leads to a host (ssh, kubectl), as the kernel shows them. Where bytes are
 * sent again and again, unacknowledged, the host or the network to it is down: a host that is only busy, or whose
 * processes are stopped, acknowledges.
 */
final class AgentSockets {
    private static final String SOCKET = "socket:[";
    private static final List<Path> TABLES = List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));

    // Columns of /proc/net/tcp
    private static final int QUEUES = 4;
    private static final int RETRANSMITS = 6;
    private static final int PROBES = 8;
    private static final int INODE = 9;
    private static final int HEXADECIMAL = 16;

    private AgentSockets() {
    }

    /** Whether a process, or one that it has started, has a connection on which bytes are being sent again. */
    static boolean sendAgain(Process process) {
        Set<String> inodes = new HashSet<>();
        inodes(process.pid(), inodes);
        process.descendants().forEach(each -> inodes(each.pid(), inodes));
        try {
            for (Path table : TABLES) {
                if (Files.exists(table) && sendAgain(Files.readAllLines(table), inodes)) {
                    return true;
                }
            }
        } catch (IOException unknown) {
            // then only its silence tells
        }
        return false;
    }

    /** @param lines of /proc/net/tcp */
    static boolean sendAgain(List<String> lines, Set<String> inodes) {
        for (String line : lines) {
            String[] columns = line.strip().split(" +");
            if (columns.length > INODE && inodes.contains(columns[INODE]) && !columns[QUEUES].startsWith("00000000:")
                && (Long.parseLong(columns[RETRANSMITS], HEXADECIMAL) > 0 || !columns[PROBES].equals("0"))) {
                return true;
            }
        }
        return false;
    }

    private static void inodes(long process, Set<String> inodes) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/" + process + "/fd"))) {
            for (Path each : all) {
                String its = Files.readSymbolicLink(each).toString();
                if (its.startsWith(SOCKET)) {
                    inodes.add(its.substring(SOCKET.length(), its.length() - 1));
                }
            }
        } catch (IOException | java.nio.file.DirectoryIteratorException ended) {
            // it has no connection any more, or is not ours to see
        }
    }
}
