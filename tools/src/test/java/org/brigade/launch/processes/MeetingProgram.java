package org.brigade.launch.processes;

import static org.brigade.launch.processes.SpawningProgram.require;
import static org.brigade.launch.processes.SpawningProgram.requireError;

import java.io.File;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** What programs do that meet at a port; the first argument says what, the second is the name of the port. */
public final class MeetingProgram {
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    /** Meetings before files are counted: the first ones load classes. */
    private static final int WARM = 3;

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
        int files = 0;
        for (int time = 0; time < times; time++) {
            Intercomm visitors = WORLD.accept(port, 0);
            exchange(visitors, time);
            files = time < WARM ? files() : files;
        }
        requireNoMore(files);
        if (WORLD.getRank() == 0) {
            Intracomm.unpublishName(service, port);
            Intracomm.closePort(port);
            String closed = port;
            requireError(MPI.ERR_PORT, "has not opened", () -> Intracomm.closePort(closed));
            requireError(MPI.ERR_SERVICE, "not published", () -> Intracomm.unpublishName(service, closed));
        }
    }

    private static void visit(String service, int times) throws Exception {
        int files = 0;
        for (int time = 0; time < times; time++) {
            Intercomm hosts = WORLD.connect(WORLD.getRank() == 0 ? awaited(service) : null, 0);
            exchange(hosts, -1);
            files = time < WARM ? files() : files;
        }
        requireNoMore(files);
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

    /** Files that this process has open, without those of the JVM. */
    private static int files() {
        return new File("/proc/self/fd").list().length;
    }

    private static void requireNoMore(int files) {
        require(files() <= files, files() + " files are open, and were " + files + " before");
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

    /** Waits at a port whose process dies meanwhile. */
    private static void connect(String port) {
        System.out.println("connecting");
        System.out.flush();
        requireError(MPI.ERR_PORT, "ended", () -> WORLD.connect(port, 0));
    }
}
