package org.brigade.launch;

/** The main class of {@code mpjrun}: starts the ranks of a job on this machine and ends with the job's exit code. */
public final class Launcher {
    private static final int USAGE = 2;

    private Launcher() {
    }

    /** Exits 0 if all ranks did, with the code of the first that failed, or with 2 if the job cannot be started. */
    public static void main(String[] line) {
        int code;
        try {
            LaunchOptions options = LaunchOptions.parse(line);
            if (options.request() == LaunchOptions.Request.HELP) {
                System.out.print(HELP);
                return;
            }
            code = RankProcesses.run(RankCommand.of(options), options);
        } catch (LaunchException e) {
            System.err.println("mpjrun: " + e.getMessage());
            code = USAGE;
        }
        System.out.flush();
        System.exit(code);
    }

    private static final String HELP = """
        mpjrun [-np N] [java options] App [arguments]
        mpjrun [-np N] [java options] -jar app.jar [arguments]

        Starts N ranks of a Java MPI program on this machine, with Brigade on their class path.

          -np N, -n N   number of ranks; as many as processors if left out
          --nodes N     starts the ranks as N nodes that this machine emulates: ranks of different nodes share no memory
          --map HOW     block: ranks fill one node after another (default); node: each next rank on the next node;
                        or the node of each rank: 0,1,1,0
          --fabric F    what joins the nodes: sisci, with emulated adapters
          --bind-to B   binds each rank to a core, to the cores of its last level of cache (cache, l3cache) or to its
                        NUMA node (numa); neighbouring ranks get neighbouring cores. Default: none
          --report-bindings
                        says on standard error which processors each rank may use
          --grace S     how many seconds shutdown hooks may take after SIGTERM, Ctrl-C or another rank's failure, before
                        SIGKILL. Default: 10. A second Ctrl-C kills at once
          --tag         begins every line of output with its rank: [2] ...
          -wdir DIR     where the ranks run
          -cp PATH      the program's class path; CLASSPATH or the working directory if left out

        Other options go to java; the word java may stand in front of them, as behind mpirun. Standard input goes to
        rank 0. The exit code is 0 if all ranks exited 0, else that of the first rank that did not (128 + n for signal n);
        the others are ended then, except that ranks which have set MPI.ERRORS_RETURN go on when one is killed. With MPJ
        Express's -dev DEVICE main sees the rank, "mpjrun" and DEVICE in front of its arguments, and Init takes them
        away; its other options are ignored.
        """;
}
