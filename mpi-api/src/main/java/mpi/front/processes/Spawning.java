package mpi.front.processes;

import java.util.Arrays;
import java.util.List;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.front.job.Constants;
import mpi.front.job.Handle;
import mpi.front.job.Hints;
import mpi.front.job.JobState;
import mpi.spi.Communicator;
import mpi.spi.InterCommunicator;
import mpi.spi.SpawnCommand;

/** Checks the arguments of spawn. */
public final class Spawning {
    private Spawning() {
    }

    public static InterCommunicator spawn(Handle handle, String call, String[] commands, String[][] argv,
        int[] maxprocs,
        Hints[] infos, int root, int[] errcodes) {
        Communicator lower = handle.lower(call);
        MPIException wrong = MeetingPoints.rootless(handle, call, root);
        SpawnCommand[] programs = null;
        if (wrong == null && handle.rank == root) {
            try {
                programs = programs(handle, call, commands, argv, maxprocs, infos);
            } catch (MPIException e) {
                wrong = e;
            }
        }
        try {
            InterCommunicator made = lower.spawn(call, programs, root, wrong);
            fill(errcodes, Constants.SUCCESS);
            return made;
        } catch (MPIException e) {
            fill(errcodes, ErrorClass.SPAWN.code);
            throw e;
        }
    }

    private static void fill(int[] errcodes, int code) {
        if (errcodes != null) {
            Arrays.fill(errcodes, code);
        }
    }

    private static SpawnCommand[] programs(Handle handle, String call, String[] commands, String[][] argv,
        int[] maxprocs,
        Hints[] infos) {
        int count = commands == null ? 0 : commands.length;
        if (count == 0 || maxprocs == null || maxprocs.length < count || argv != null && argv.length < count
            || infos != null && infos.length < count) {
            throw handle.error(ErrorClass.ARG, call,
                "there is no command, or an array is shorter than the array of commands; pass one entry a command");
        }
        SpawnCommand[] programs = new SpawnCommand[count];
        for (int i = 0; i < count; i++) {
            if (commands[i] == null || commands[i].isBlank()) {
                throw handle.error(ErrorClass.ARG, call,
                    "command " + i + " is null or empty; pass java, a path, or the name of a class");
            }
            if (maxprocs[i] < 1) {
                throw handle.error(ErrorClass.ARG, call,
                    "maxprocs of command " + i + " is " + maxprocs[i] + "; pass 1 or more");
            }
            String[] arguments = argv == null || argv[i] == null ? new String[0] : argv[i];
            if (Arrays.asList(arguments).contains(null)) {
                throw handle.error(ErrorClass.ARG, call,
                    "an argument of command " + i + " is null; pass strings");
            }
            programs[i] = new SpawnCommand(commands[i], List.of(arguments), maxprocs[i],
                directory(handle, call, infos == null ? null : infos[i]));
        }
        return programs;
    }

    private static String directory(Handle handle, String call, Hints info) {
        if (info == null || info == Hints.NONE) {
            return "";
        }
        if (info.isNull()) {
            throw handle.error(ErrorClass.INFO, call, MeetingPoints.FREED);
        }
        String host = info.get("host");
        String here = JobState.provider(call).processorName();
        if (host != null && !host.equals(here) && !host.equals("localhost")) {
            throw handle.error(ErrorClass.INFO_VALUE, call, "host " + host
                + " is not this machine, and processes are started on this machine only; leave the key out, or pass "
                + here);
        }
        String directory = info.get("wd") == null ? info.get("wdir") : info.get("wd");
        return directory == null ? "" : directory;
    }
}
