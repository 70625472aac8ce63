package org.brigade.transport.ucx;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.brigade.transport.packet.MessageCarrier;
import org.brigade.transport.ucx.library.Sockets;

/**
 * The TCP connections of a worker, found through its event descriptor, and whether the hosts at their other ends
 * acknowledge anything. A host whose link is cut sends nothing; a host that is busy, or whose processes are stopped,
 * still acknowledges, as its kernel does that. A connection on which bytes are sent again and again, unacknowledged, is
 * ended here: UCX then reports its peer as lost. TCP_USER_TIMEOUT would do the same, but it also ends connections whose
 * receiver is stopped and has its buffers full.
 */
final class WorkerSockets {
    private static final String EVENTS = "anon_inode:[eventpoll]";
    private static final String SOCKET = "socket:[";
    private static final String MEMBER = "tfd:";
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final Path FACTS = Path.of("/proc/self/fdinfo");
    /** An event descriptor of the worker has one of each interface, which has its sockets. */
    private static final int DEPTH = 3;
    /**
     * Of this time nothing is seen: silence until the peer is asked, the kernel's first timeouts, looks, and the word
     * to the others.
     */
    private static final long BEFORE_NANOS = UcxCarrier.ASK_NANOS + 3 * MessageCarrier.TEND_NANOS;

    private final int events;
    /**
     * So many looks in a row must see retransmissions. Looks are counted, not time: a stopped process looks at nothing.
     */
    private final long looks;
    private Map<String, Suspect> suspects = new HashMap<>();
    private Map<String, Suspect> next = new HashMap<>();
    private int ended;

    /**
     * A socket that sends again.
     *
     * @param seen how many looks in a row have seen that, and nothing has come in between
     * @param unanswered milliseconds since anything had come, at the last look
     */
    private record Suspect(int seen, long unanswered) {
    }

    /** @param unreachableNanos how long a host may acknowledge nothing; not 0 */
    WorkerSockets(int events, long unreachableNanos) {
        this.events = events;
        looks = 1 + Math.max(1, (unreachableNanos - BEFORE_NANOS) / MessageCarrier.TEND_NANOS);
    }

    /** Looks once, and ends the connections that are dead; returns how many. */
    int endUnreachable() {
        ended = 0;
        look(events, DEPTH);
        Map<String, Suspect> before = suspects;
        suspects = next;
        next = before;
        next.clear();
        return ended;
    }

    private void look(int descriptor, int depth) {
        try {
            for (String line : Files.readAllLines(FACTS.resolve("" + descriptor))) {
                if (line.startsWith(MEMBER)) {
                    String rest = line.substring(MEMBER.length()).strip();
                    int member = Integer.parseInt(rest.substring(0, rest.indexOf(' ')));
                    String kind = Files.readSymbolicLink(DESCRIPTORS.resolve("" + member)).toString();
                    if (kind.startsWith(SOCKET)) {
                        judge(member, kind);
                    } else if (kind.equals(EVENTS) && depth > 1) {
                        look(member, depth - 1);
                    }
                }
            }
        } catch (IOException closed) {
            // UCX has closed one meanwhile; the next look sees the others
        }
    }

    private void judge(int socket, String name) {
        long unanswered = Sockets.unanswered(socket);
        if (unanswered < 0) {
            return;
        }
        Suspect before = suspects.get(name);
        int seen = before != null && unanswered > before.unanswered ? before.seen + 1 : 1;
        next.put(name, new Suspect(seen, unanswered));
        if (seen == looks) {
            Sockets.end(socket);
            ended++;
        }
    }
}
