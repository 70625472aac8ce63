package org.brigade.launch.processes;

import static org.brigade.launch.processes.SpawningProgram.require;
import static org.brigade.launch.processes.SpawningProgram.requireError;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** What programs do that meet at a port; the first argument says what, the second is the name of the port. */
public final class MeetingProgram {
    private static final Intracomm WORLD = MPI.COMM_WORLD;

    private static final int PAGES_KIB = 64;

    private MeetingProgram() {
    }

    public static void main(String[] line) throws Exception {
        MPI.Init(line);
        switch (line[0]) {
            case "serve" -> serve(line[1], Integer.parseInt(line[2]));
            case "visit" -> visit(line[1], Integer.parseInt(line[2]));
            case "publish" -> publish(line[1]);
            case "mistakes" -> mistakes(line[1]);
            case "stale" -> stale(line[1], line[2]);
            case "connect" -> connect(line[1]);
            case "near" -> near(line[1]);
            case "far" -> far(line[1]);
            default -> throw new IllegalArgumentException(line[0]);
        }
        MPI.Finalize();
        System.out.println(line[0] + " is right");
    }

    private static void serve(String service, int times) throws Exception {
        String port = null;
        if (WORLD.getRank() == 0) {
            port = Intracomm.openPort();
            require(port.length() <= MPI.MAX_PORT_NAME, port);
            Intracomm.publishName(service, port);
            String taken = port;
            requireError(MPI.ERR_SERVICE, "published already", () -> Intracomm.publishName(service, taken));
        }
        for (int time = 0; time < times; time++) {
            Intercomm visitors = WORLD.accept(port, 0);
            exchange(visitors, time);
        }
        requireNothingHeld();
        if (WORLD.getRank() == 0) {
            Intracomm.unpublishName(service, port);
            Intracomm.closePort(port);
            String closed = port;
            requireError(MPI.ERR_PORT, "has not opened", () -> Intracomm.closePort(closed));
            requireError(MPI.ERR_SERVICE, "not published", () -> Intracomm.unpublishName(service, closed));
        }
    }

    private static void visit(String service, int times) throws Exception {
        for (int time = 0; time < times; time++) {
            Intercomm hosts = WORLD.connect(WORLD.getRank() == 0 ? awaited(service) : null, 0);
            exchange(hosts, -1);
        }
        requireNothingHeld();
    }

    /** @param mine how often the hosts have met somebody; -1 at a visitor, which is told */
    private static void exchange(Intercomm others, int mine) throws MPIException {
        int[] theirs = {-2};
        others.allReduce(new int[] {mine}, theirs, 1, MPI.INT, MPI.MAX);
        require(mine < 0 ? theirs[0] >= 0 : theirs[0] == -1, "time " + theirs[0]);
        int time = Math.max(mine, theirs[0]);
        if (time % 2 == 0) {
            Intracomm all = others.merge(time % 4 == 0);
            all.barrier();
            all.free();
        }
        others.disconnect();
    }

    /** Looks for a name until somebody has published it. */
    private static String awaited(String service) throws InterruptedException {
        while (true) {
            try {
                return Intracomm.lookupName(service);
            } catch (MPIException e) {
                require(e.getErrorClass() == MPI.ERR_NAME, e.getMessage());
                Thread.sleep(20);
            }
        }
    }

    /** Every union has opened a file for each peer, to see whether it lives, and a segment. */
    private static void requireNothingHeld() throws IOException {
        List<String> watched = new ArrayList<>();
        for (File each : new File("/proc/self/fd").listFiles()) {
            String path = each.getCanonicalPath();
            if (path.startsWith("/proc/") && path.endsWith("/stat")) {
                watched.add(path);
            }
        }
        // The job's own ranks, and its launcher.
        require(watched.size() <= WORLD.getSize() + 1, "watched " + watched);
        int held = held();
        require(held <= 1, held + " of the segments that jobs met in still hold memory");
    }

    /**
     * Segments of unions that are mapped here and hold memory, but for the page in which the last ranks to leave have
     * looked who is left. The peers in the last union may still be leaving it.
     */
    private static int held() throws IOException {
        int held = 0;
        boolean ours = false;
        for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
            if (line.indexOf('-') > 0 && line.indexOf('-') < line.indexOf(' ')) {
                ours = line.contains("/dev/shm/brigade-") && line.contains(".u");
            } else if (ours && line.startsWith("Rss:")) {
                held += Long.parseLong(line.replaceAll("[^0-9]", "")) <= PAGES_KIB ? 0 : 1;
            }
        }
        return held;
    }

    /** Publishes a name, says so, and waits for visitors that do not come. */
    private static void publish(String service) throws MPIException {
        String port = Intracomm.openPort();
        Intracomm.publishName(service, port);
        System.out.println("port " + port);
        System.out.flush();
        WORLD.recv(new int[1], 1, MPI.INT, 0, 1);
    }

    private static void mistakes(String service) throws MPIException {
        requireError(MPI.ERR_NAME, service, () -> Intracomm.lookupName(service));
        requireError(MPI.ERR_PORT, "not a port", () -> WORLD.connect("nonsense", 0));
        requireError(MPI.ERR_PORT, WORLD.getRank() == 0 ? "null" : "refuses", () -> WORLD.accept(null, 0));
        requireError(MPI.ERR_ARG, "name", () -> Intracomm.publishName("", "nonsense"));
        requireError(MPI.ERR_PORT, "nonsense", () -> Intracomm.publishName(service, "nonsense"));
        String port = Intracomm.openPort();
        Intracomm.closePort(port);
        requireError(MPI.ERR_PORT, "closed", () -> WORLD.connect(port, 0));
        requireError(MPI.ERR_PORT, "closed", () -> WORLD.accept(port, 0));
        requireError(MPI.ERR_ROOT, "root 7", () -> WORLD.connect(port, 7));
        WORLD.barrier();
    }

    /** The process that has published the name has died. */
    private static void stale(String service, String port) throws MPIException {
        requireError(MPI.ERR_NAME, service, () -> Intracomm.lookupName(service));
        requireError(MPI.ERR_PORT, "closed", () -> WORLD.connect(port, 0));
        String fresh = Intracomm.openPort();
        Intracomm.publishName(service, fresh);
        require(Intracomm.lookupName(service).equals(fresh), "the name is free again");
    }

    /** Waits for a visitor that has another /dev/shm. */
    private static void near(String service) throws MPIException {
        String port = WORLD.getRank() == 0 ? Intracomm.openPort() : null;
        if (port != null) {
            Intracomm.publishName(service, port);
        }
        requireError(MPI.ERR_UNSUPPORTED_OPERATION, "several machines", () -> WORLD.accept(port, 0));
        WORLD.barrier();
    }

    private static void far(String service) throws Exception {
        String port = WORLD.getRank() == 0 ? awaited(service) : null;
        requireError(MPI.ERR_UNSUPPORTED_OPERATION, "several machines", () -> WORLD.connect(port, 0));
        WORLD.barrier();
    }

    /** Waits at a port whose process dies meanwhile. */
    private static void connect(String port) {
        System.out.println("connecting");
        System.out.flush();
        requireError(MPI.ERR_PORT, "ended", () -> WORLD.connect(port, 0));
    }
}
