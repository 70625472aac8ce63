package org.brigade.communicator;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.InterCommunicator;
import mpi.spi.SpawnCommand;
import org.brigade.bootstrap.Build;
import org.brigade.bootstrap.GroupLetter;
import org.brigade.bootstrap.Job;
import org.brigade.bootstrap.Ports;
import org.brigade.bootstrap.Processors;
import org.brigade.bootstrap.SpawnRequest;
import org.brigade.communicator.job.LinkedJob;
import org.brigade.communicator.job.Processes;
import org.brigade.engine.Backoff;
import org.brigade.engine.Progress;
import org.brigade.process.Platform;

/**
 * Makes an inter-communicator with a group that this one meets at a port. All ranks agree that their arguments are
 * fine. The two roots exchange letters, and each tells its group what the other's says. If both groups are of one job,
 * its links join them already; else all processes open a union of their jobs.
 */
final class Joining {
    /**
     * Words of a rank: its error if it refuses its arguments, the root it names, a context if it is rank 0, its
     * machine.
     */
    private static final int WORDS = 4;
    /** How often a waiting root looks for letters: a look reads a folder. */
    private static final long LOOK_NANOS = 1_000_000;

    private final LinkedJob job;
    private final LinkedJob home;
    private final IntraCommunicator local;
    private final String call;
    private final int root;
    private long context;
    private long[] machines;

    Joining(LinkedJob job, IntraCommunicator local, String call, int root) {
        this.job = job;
        this.home = job.home();
        this.local = local;
        this.call = call;
        this.root = root;
    }

    /** Of groups whose leaders can exchange their letters without a port. */
    Joining(LinkedJob job, IntraCommunicator local, String call, int root, long context, long[] machines) {
        this(job, local, call, root);
        this.context = context;
        this.machines = machines;
    }

    /** Of connect and accept; the port is read at the root only. */
    InterCommunicator meet(String port, boolean accepts, MPIException wrong) {
        agree(wrong);
        byte[] letter = null;
        MPIException failed = null;
        if (local.rank() == root) {
            try {
                Ports ports = home.ports();
                letter = accepts ? await(ports, port, ErrorClass.PORT) : visit(ports, port);
            } catch (MPIException e) {
                failed = e;
            }
        }
        return join(letter, failed, accepts);
    }

    /** Of spawn; the programs are read at the root only. */
    InterCommunicator spawn(SpawnCommand[] programs, MPIException wrong) {
        agree(wrong);
        requireOneMachine(machines,
            "the ranks of this communicator are on several machines or in several containers, and"
                + " spawned processes join ranks of one machine only; spawn from a communicator of one machine's"
                + " ranks, as splitType with COMM_TYPE_SHARED makes it");
        byte[] letter = null;
        MPIException failed = null;
        if (local.rank() == root) {
            try {
                letter = start(home.ports(), List.of(programs));
            } catch (MPIException e) {
                failed = e;
            }
        }
        return join(letter, failed, true);
    }

    // ---- at the root ----

    private byte[] start(Ports ports, List<SpawnCommand> programs) {
        long processes = 0;
        for (SpawnCommand program : programs) {
            processes += program.processes();
        }
        if (processes > Job.MOST_RANKS) {
            throw ErrorClass.SPAWN.in(where(), Job.tooMany(processes));
        }
        if (processes + local.size() > Job.MOST_RANKS) {
            throw ErrorClass.SPAWN.in(where(), processes + " processes are asked for by " + local.size()
                + " ranks, and at most " + Job.MOST_RANKS + " can be joined; spawn fewer, or from a"
                + " communicator of fewer ranks");
        }
        String port = ports.open(where());
        try {
            ports.askLauncher(where(), new SpawnRequest(home.processes().ownJob(), port, programs).bytes());
            return await(ports, port, ErrorClass.SPAWN);
        } finally {
            ports.close(where(), port);
        }
    }

    /** Waits for a letter, and answers it. Returns it with the answer's key and context. */
    private byte[] await(Ports ports, String port, ErrorClass failure) {
        String key = home.newUnion();
        Backoff idle = null;
        long look = System.nanoTime();
        while (true) {
            Ports.Arrival arrival = System.nanoTime() - look < 0 ? null : ports.next(where(), port);
            if (arrival == null) {
                if (failure == ErrorClass.SPAWN) {
                    ports.requireLauncher(where());
                }
                look = System.nanoTime() + LOOK_NANOS;
                idle = turn(idle);
                continue;
            }
            GroupLetter letter = GroupLetter.of(arrival.letter());
            if (letter != null && letter.failure() != null) {
                done(idle);
                throw failure.in(where(), letter.failure());
            }
            if (arrival.answer(introduction(key).bytes()) && letter != null) {
                done(idle);
                return letter.withKey(key).bytes();
            }
        }
    }

    private byte[] visit(Ports ports, String port) {
        Ports.Visit visit = ports.visit(where(), port, introduction("").bytes());
        try {
            Backoff idle = null;
            long look = System.nanoTime();
            while (true) {
                byte[] answer = System.nanoTime() - look < 0 ? null : visit.answer();
                if (answer != null) {
                    done(idle);
                    return answer;
                }
                look = System.nanoTime() + LOOK_NANOS;
                idle = turn(idle);
            }
        } finally {
            visit.end();
        }
    }

    /** A turn of waiting, in which the engines of this process go on and its job is watched. */
    private Backoff turn(Backoff idle) {
        Progress progress = job.progress();
        progress.lock.lock();
        try {
            return progress.turn(idle, call, Progress.NOBODYS_KEY, local.membership());
        } finally {
            progress.lock.unlock();
        }
    }

    private void done(Backoff idle) {
        Progress progress = job.progress();
        progress.lock.lock();
        try {
            progress.release(idle);
        } finally {
            progress.lock.unlock();
        }
    }

    // ---- all ranks ----

    /** Compares the ranks' arguments; throws on all if one refuses its own. */
    private void agree(MPIException wrong) {
        long offer = local.rank() == 0 ? job.newContext() : 0;
        long[] all = local.allgather(wrong == null ? 0 : wrong.getErrorClass(), root, offer, machine());
        context = all[2];
        machines = new long[local.size()];
        MPIException refused = wrong;
        for (int rank = 0; rank < machines.length; rank++) {
            machines[rank] = all[WORDS * rank + 3];
            if (refused == null && all[WORDS * rank] != 0) {
                refused = error(errorClass(all[WORDS * rank]),
                    "rank " + rank + " refuses its arguments; its own error says why");
            } else if (refused == null && all[WORDS * rank + 1] != root) {
                refused = error(ErrorClass.ROOT, "rank " + rank + " names root " + all[WORDS * rank + 1]
                    + ", and this rank root " + root + "; pass the same on all ranks");
            }
        }
        if (refused != null) {
            giveBack();
            throw refused;
        }
    }

    /** The same for all processes that can share memory: of one machine, and with one /dev/shm. */
    private static long machine() {
        return 31 * Processors.machine() + Platform.here().memory();
    }

    private static ErrorClass errorClass(long code) {
        for (ErrorClass each : ErrorClass.values()) {
            if (each.code == code) {
                return each;
            }
        }
        return ErrorClass.OTHER;
    }

    /** An offered context that no communicator was made with. */
    private void giveBack() {
        if (local.rank() == 0) {
            job.contexts().giveBack(context);
        }
    }

    /** This group. */
    GroupLetter introduction(String key) {
        int[] members = local.members();
        String[] jobs = new String[members.length];
        int[] ranks = new int[members.length];
        boolean own = !job.isUnion();
        for (int i = 0; i < members.length; i++) {
            jobs[i] = home.processes().job(members[i]);
            ranks[i] = home.processes().rank(members[i]);
        }
        return new GroupLetter(null, Build.fingerprint(), home.fingerprint(), key, context, own, jobs, ranks, machines);
    }

    /** The root tells its group the other's letter, or why there is none. */
    private InterCommunicator join(byte[] letter, MPIException failed, boolean accepts) {
        byte[] words = letter != null ? letter
            : failed != null ? failed.getMessage().getBytes(StandardCharsets.UTF_8) : null;
        long[] head = {failed == null ? 0 : failed.getErrorClass(), words == null ? 0 : words.length};
        local.bcast(head, root, true);
        long[] packed = words == null ? new long[(int) (head[1] + Long.BYTES - 1 >> 3)] : packed(words);
        local.bcast(packed, root, true);
        words = unpacked(packed, (int) head[1]);
        if (head[0] != 0) {
            giveBack();
            throw failed != null ? failed : new MPIException((int) head[0], (int) head[0],
                new String(words, StandardCharsets.UTF_8));
        }
        return make(GroupLetter.of(words), accepts);
    }

    static long[] packed(byte[] bytes) {
        long[] words = new long[bytes.length + Long.BYTES - 1 >> 3];
        ByteBuffer.allocate(words.length * Long.BYTES).put(bytes).rewind().asLongBuffer().get(words);
        return words;
    }

    static byte[] unpacked(long[] words, int bytes) {
        ByteBuffer all = ByteBuffer.allocate(words.length * Long.BYTES);
        all.asLongBuffer().put(words);
        return Arrays.copyOf(all.array(), bytes);
    }

    /** The communicator with the other group; on all ranks of both the same happens. */
    InterCommunicator make(GroupLetter other, boolean first) {
        long release = Build.fingerprint();
        if (other == null || other.release() != release && other.release() != 0 && release != 0) {
            giveBack();
            throw error(ErrorClass.OTHER, "the other group runs another build of Brigade; give all jobs the same"
                + " brigade.jar");
        }
        if (other.settings() != home.fingerprint()) {
            giveBack();
            throw error(ErrorClass.OTHER, "the other group was given other settings or another tuning table, so the"
                + " two would not understand each other; give all jobs the same -Dbrigade.* and BRIGADE_*");
        }
        int[] mine = local.members();
        int[] theirs = new int[other.size()];
        boolean oneJob = !job.isUnion() && other.ownJob();
        for (int i = 0; i < theirs.length; i++) {
            theirs[i] = home.processes().number(other.jobs()[i], other.ranks()[i]);
            oneJob &= home.processes().isOwn(theirs[i]);
            if (Processes.indexOf(mine, theirs[i]) >= 0) {
                giveBack();
                throw error(ErrorClass.GROUP, "a process is in both groups; join groups that have none in common");
            }
        }
        if (oneJob) {
            if (!first) {
                giveBack();
            }
            return new InterGroupCommunicator(job, first ? context : other.context(),
                (IntraCommunicator) local.duplicate(), theirs, first, name(), local.returnsErrors());
        }
        for (long[] group : new long[][] {machines, other.machines()}) {
            requireOneMachine(group,
                "the processes of the two groups are on several machines or in several containers, and"
                    + " processes of different jobs can only be joined on one machine; start the jobs on one"
                    + " machine, or start one job of all processes");
        }
        giveBack();
        int[] numbers = new int[mine.length + theirs.length];
        System.arraycopy(mine, 0, numbers, first ? 0 : theirs.length, mine.length);
        System.arraycopy(theirs, 0, numbers, first ? mine.length : 0, theirs.length);
        return unite(other.key(), first, numbers, theirs.length);
    }

    private InterCommunicator unite(String key, boolean first, int[] numbers, int others) {
        int before = first ? 0 : others;
        LinkedJob union = home.joined().open(where(), key, before + local.rank(), numbers);
        IntraCommunicator all = IntraCommunicator.world(union);
        all.returnErrors(local.returnsErrors());
        IntraCommunicator part = (IntraCommunicator) all.split(first ? 0 : 1, 0);
        part.rename(local.name());
        part.returnErrors(local.returnsErrors());
        long[] id = {all.rank() == 0 ? union.newContext() : 0};
        all.bcast(id, true);
        int[] remote = new int[others];
        for (int i = 0; i < others; i++) {
            remote[i] = (first ? local.size() : 0) + i;
        }
        return new InterGroupCommunicator(union, id[0], part, remote, first, name(), local.returnsErrors());
    }

    private void requireOneMachine(long[] group, String what) {
        for (long machine : group) {
            if (machine != machines[0]) {
                giveBack();
                throw error(ErrorClass.UNSUPPORTED_OPERATION, what);
            }
        }
    }

    private String name() {
        return local.name() + " (" + call + ")";
    }

    private String where() {
        return call + " on rank " + local.rank() + " of " + local.size() + " in " + local.name();
    }

    private MPIException error(ErrorClass errorClass, String what) {
        return errorClass.in(call, local.rank(), local.size(), local.name(), what);
    }
}
