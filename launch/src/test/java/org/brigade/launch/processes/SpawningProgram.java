package org.brigade.launch.processes;

import java.nio.file.Path;
import java.util.Arrays;
import mpi.Comm;
import mpi.Group;
import mpi.Info;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** What a program does that spawns; the first argument says what. Its children are the same program. */
public final class SpawningProgram {
    private static final Intracomm WORLD = MPI.COMM_WORLD;

    private SpawningProgram() {
    }

    public static void main(String[] line) throws Exception {
        MPI.Init(line);
        Intercomm parent = Intercomm.getParent();
        switch (line[0]) {
            case "spawn" -> spawn(Integer.parseInt(line[1]));
            case "child" -> child(parent, line);
            case "generations" -> generations(Integer.parseInt(line[1]), parent);
            case "multiple" -> multiple();
            case "told" -> told(parent, line);
            case "wrong" -> wrong();
            case "mourn" -> mourn();
            case "dies" -> die(parent);
            case "outlast" -> outlast(spawn(WORLD, 3, MPI.INFO_NULL, "outlasts"), false);
            case "outlasts" -> outlast(parent, true);
            case "outlive" -> outlive();
            case "outlives" -> outlives(parent);
            case "orphans" -> orphans();
            case "bereft" -> bereft();
            case "part" -> part();
            case "parts" -> parts(parent);
            case "parting" -> parent.disconnect();
            case "assassin" -> assassin();
            case "lonely" -> WORLD.recv(new int[1], 1, MPI.INT, MPI.ANY_SOURCE, 1);
            default -> throw new IllegalArgumentException(line[0]);
        }
        MPI.Finalize();
        System.out.println(line[0] + " is right");
    }

    static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }

    static void requireError(int errorClass, String part, Call call) {
        try {
            call.run();
        } catch (MPIException e) {
            require(e.getErrorClass() == errorClass && e.getMessage().contains(part),
                "expected class " + errorClass + " with '" + part + "', got " + e.getMessage());
            return;
        }
        throw new IllegalStateException("no error where class " + errorClass + " was expected");
    }

    interface Call {
        void run() throws MPIException;
    }

    private static Intercomm spawn(Intracomm from, int count, Info info, String... arguments) throws MPIException {
        int[] codes = new int[count];
        Arrays.fill(codes, -1);
        Intercomm children = from.spawn(SpawningProgram.class.getName(), arguments, count, info, 0, codes);
        require(Arrays.equals(codes, new int[count]), Arrays.toString(codes));
        return children;
    }

    // ---- parents and children ----

    private static void spawn(int count) throws Exception {
        require(Intercomm.getParent().isNull(), "nobody has spawned this job");
        int size = WORLD.getSize();
        Info info = new Info();
        info.set("wdir", "/");
        info.set("host", "localhost");
        Intercomm children = spawn(WORLD, count, info, "child", "" + size);
        require(children.getSize() == size && children.getRemoteSize() == count, "sizes");
        merged(children, false, size + count);
        Group remote = children.getRemoteGroup();
        require(remote.getSize() == count && remote.getRank() == MPI.UNDEFINED, "remote group");
        require(Group.intersection(remote, WORLD.getGroup()).getSize() == 0, "children are other processes");
        require(Group.compare(children.getGroup(), WORLD.getGroup()) == MPI.IDENT, "parents are the same processes");
        // Two engines wait at the same time: a world's receive, and messages between the jobs.
        int next = (WORLD.getRank() + 1) % size;
        int[] got = {-1};
        mpi.Request receive = WORLD.iRecv(MPI.newIntBuffer(1), 1, MPI.INT, MPI.ANY_SOURCE, 5);
        if (WORLD.getRank() == 0) {
            byte[] large = new byte[3 << 20];
            for (int child = 0; child < count; child++) {
                children.recv(large, large.length, MPI.BYTE, child, 7);
                require(large[large.length - 1] == child, "large message");
            }
        }
        WORLD.send(got, 1, MPI.INT, next, 5);
        receive.waitFor();
        Intercomm copy = children.dup();
        children.disconnect();
        int[] sum = {1};
        copy.allReduce(new int[] {WORLD.getRank()}, sum, 1, MPI.INT, MPI.SUM);
        require(sum[0] == count * (count - 1) / 2, "a duplicate lives on: " + sum[0]);
        copy.disconnect();
        int[] all = {1};
        WORLD.allReduce(all, 1, MPI.INT, MPI.SUM);
        require(all[0] == size, "the world goes on");
    }

    private static void child(Intercomm parent, String[] line) throws Exception {
        require(!parent.isNull() && parent == Intercomm.getParent(), "parent");
        require(Path.of("").toAbsolutePath().equals(Path.of("/")), "the directory of key wdir");
        int parents = Integer.parseInt(line[1]);
        require(parent.getRemoteSize() == parents, "parents");
        merged(parent, true, parents + WORLD.getSize());
        byte[] large = new byte[3 << 20];
        large[large.length - 1] = (byte) WORLD.getRank();
        parent.send(large, large.length, MPI.BYTE, 0, 7);
        Intercomm copy = parent.dup();
        parent.disconnect();
        require(Intercomm.getParent().isNull(), "the parent is disconnected");
        int[] sum = {1};
        copy.allReduce(new int[] {WORLD.getRank()}, sum, 1, MPI.INT, MPI.SUM);
        require(sum[0] == parents * (parents - 1) / 2, "sum of the parents' ranks " + sum[0]);
        copy.disconnect();
    }

    private static void merged(Intercomm children, boolean high, int size) throws MPIException {
        Intracomm all = children.merge(high);
        require(all.getSize() == size, "merged size " + all.getSize());
        require(all.getRank() == (high ? children.getRemoteSize() : 0) + WORLD.getRank(), "merged rank");
        long[] sum = new long[5000];
        Arrays.fill(sum, all.getRank() + 1);
        all.allReduce(sum, sum.length, MPI.LONG, MPI.SUM);
        require(sum[0] == size * (size + 1L) / 2 && sum[4999] == sum[0], "sum over both jobs " + sum[0]);
        // Communicators made of it join both jobs, too; and one of a group that is given by the world's ranks.
        Intracomm part = all.split(all.getRank() & 1, 0);
        part.barrier();
        part.free();
        Intracomm own = all.createGroup(WORLD.getGroup(), 3);
        require(own.getSize() == WORLD.getSize() && Comm.compare(own, WORLD) == MPI.CONGRUENT, "own group");
        own.free();
        // Two groups of different jobs, with the merged communicator between their leaders.
        Intercomm again = all.createIntercomm(WORLD, 0, high ? 0 : children.getSize(), 9);
        int[] other = {0};
        again.allReduce(new int[] {high ? 1 : 2}, other, 1, MPI.INT, MPI.MAX);
        require(other[0] == (high ? 2 : 1), "a communicator between the worlds");
        again.disconnect();
        all.free();
    }

    private static void generations(int left, Intercomm parent) throws MPIException {
        int below = 0;
        if (left > 0) {
            Intercomm child = spawn(MPI.COMM_SELF, 1, MPI.INFO_NULL, "generations", "" + (left - 1));
            int[] word = new int[1];
            child.recv(word, 1, MPI.INT, 0, 1);
            below = word[0];
        }
        if (!parent.isNull()) {
            parent.send(new int[] {below + 1}, 1, MPI.INT, 0, 1);
        } else {
            require(below == left, "descendants " + below);
        }
    }

    private static void multiple() throws MPIException {
        int[] codes = {-1, -1, -1};
        Intercomm children = WORLD.spawnMultiple(new String[] {SpawningProgram.class.getName(), "java"},
            new String[][] {{"told", "a"}, {"-Dvalue=7", SpawningProgram.class.getName(), "told", "b c"}},
            new int[] {1, 2}, new Info[] {MPI.INFO_NULL, MPI.INFO_NULL}, WORLD.getSize() - 1, codes);
        require(Arrays.equals(codes, new int[3]) && children.getRemoteSize() == 3, Arrays.toString(codes));
        children.barrier();
    }

    private static void told(Intercomm parent, String[] line) throws MPIException {
        int number = (Integer) WORLD.getAttr(MPI.APPNUM);
        require(WORLD.getSize() == 3 && number == (WORLD.getRank() == 0 ? 0 : 1), "APPNUM " + number);
        require(line[1].equals(number == 0 ? "a" : "b c"), "arguments " + Arrays.toString(line));
        require(number == 0 || "7".equals(System.getProperty("value")), "java options");
        require((Integer) WORLD.getAttr(MPI.UNIVERSE_SIZE) >= 3, "UNIVERSE_SIZE");
        parent.barrier();
    }

    // ---- errors ----

    private static void wrong() throws MPIException {
        int[] codes = new int[1];
        requireError(MPI.ERR_SPAWN, "before all were in MPI.Init",
            () -> WORLD.spawn("no.such.Program", null, 1, MPI.INFO_NULL, 0, codes));
        require(codes[0] == MPI.ERR_SPAWN, "error code");
        requireError(MPI.ERR_SPAWN, "/no/such/file",
            () -> WORLD.spawn("/no/such/file", null, 1, null, 0, null));
        requireError(MPI.ERR_ARG, WORLD.getRank() == 0 ? "maxprocs" : "refuses",
            () -> WORLD.spawn("java", null, 0, null, 0, null));
        requireError(MPI.ERR_ROOT, "root 99", () -> WORLD.spawn("java", null, 1, null, 99, null));
        Info far = new Info();
        far.set("host", "far.away.example");
        requireError(MPI.ERR_INFO_VALUE,
            WORLD.getRank() == 0 ? "far.away" : "refuses",
            () -> WORLD.spawn("java", null, 1, far, 0, null));
        Info nowhere = new Info();
        nowhere.set("wd", "/no/such/folder");
        requireError(MPI.ERR_SPAWN, "cannot be started",
            () -> spawn(WORLD, 1, nowhere, "told"));
        requireError(MPI.ERR_SPAWN, "at most 8192", () -> WORLD.spawn("java", null, Integer.MAX_VALUE, null, 0, null));
        WORLD.barrier();
    }

    // ---- deaths ----

    private static void mourn() throws MPIException {
        Intercomm children = spawn(WORLD, 2, MPI.INFO_NULL, "dies");
        children.setErrhandler(MPI.ERRORS_RETURN);
        requireError(MPI.ERR_PROC_FAILED, "rank 1 of another job",
            () -> children.recv(new int[1], 1, MPI.INT, 1, 1));
        int[] all = {1};
        WORLD.allReduce(all, 1, MPI.INT, MPI.SUM);
        require(all[0] == WORLD.getSize(), "the world goes on");
    }

    /** Child 1 dies; the others on both sides go on together. */
    private static void outlast(Intercomm comm, boolean high) throws Exception {
        WORLD.setErrhandler(MPI.ERRORS_RETURN);
        comm.setErrhandler(MPI.ERRORS_RETURN);
        if (high && WORLD.getRank() == 1) {
            new ProcessBuilder("kill", "-9", "" + ProcessHandle.current().pid()).start().waitFor();
        }
        requireError(MPI.ERR_PROC_FAILED, "died", () -> {
            while (true) {
                comm.merge(high).free();
            }
        });
        require(comm.getFailed().getSize() == 1, "child 1 is known to have died");
        Intercomm rest = comm.shrink(); // nobody has left its call because of a revocation
        Intracomm all = rest.merge(high);
        int[] sum = new int[1];
        all.allReduce(new int[] {high ? 100 : 1}, sum, 1, MPI.INT, MPI.SUM);
        require(sum[0] == 202, "two parents and two children: " + sum[0]);
        all.free();
        rest.disconnect();
        comm.free();
    }

    private static void die(Intercomm parent) throws Exception {
        if (WORLD.getRank() == 1) {
            new ProcessBuilder("kill", "-9", "" + ProcessHandle.current().pid()).start().waitFor();
        }
        parent.recv(new int[1], 1, MPI.INT, 0, 1);
    }

    private static void orphans() throws Exception {
        spawn(WORLD, 1, MPI.INFO_NULL, "lonely");
        new ProcessBuilder("kill", "-9", "" + ProcessHandle.current().pid()).start().waitFor();
    }

    private static void bereft() throws Exception {
        Intercomm children = spawn(WORLD, 1, MPI.INFO_NULL, "lonely");
        if (WORLD.getRank() == 1) {
            new ProcessBuilder("kill", "-9", "" + ProcessHandle.current().pid()).start().waitFor();
        }
        children.recv(new int[1], 1, MPI.INT, 0, 1);
    }

    private static void part() throws MPIException {
        spawn(WORLD, 1, MPI.INFO_NULL, "parts").disconnect();
    }

    private static void parts(Intercomm parent) throws MPIException {
        parent.disconnect();
        MPI.Finalize();
        System.exit(7);
    }

    /** A child that ends the launcher which has started it. */
    private static void assassin() throws MPIException {
        requireError(MPI.ERR_SPAWN, "launcher has ended", () -> WORLD.spawn("/bin/sh",
            new String[] {"-c", "kill -9 $BRIGADE_LAUNCHER_PID"}, 1, MPI.INFO_NULL, 0, null));
        spawn(WORLD, 1, MPI.INFO_NULL, "parting").disconnect();
    }

    private static void outlive() throws MPIException {
        Intercomm children = spawn(WORLD, 1, MPI.INFO_NULL, "outlives");
        System.out.println("pid " + ProcessHandle.current().pid());
        System.out.flush();
        children.recv(new int[1], 1, MPI.INT, 0, 1);
    }

    private static void outlives(Intercomm parent) throws MPIException {
        System.out.println("pid " + ProcessHandle.current().pid());
        System.out.flush();
        parent.recv(new int[1], 1, MPI.INT, 0, 1);
    }

}
