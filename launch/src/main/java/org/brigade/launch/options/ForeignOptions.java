package org.brigade.launch.options;

/**
 * Options of the mpirun of Open MPI and of MPICH, and of MPJ Express's mpjrun, that mpjrun reads over: what they ask
 * for it does anyway, or it has nothing like it and says so.
 */
final class ForeignOptions {
    /** What mpjrun does anyway, or what is nobody's concern here. */
    private static final String DONE = " --allow-run-as-root --use-hwthread-cpus"
        + " --report-state-on-timeout --get-stack-traces --quiet -q --verbose -v --leave-session-attached"
        + " -genvall -envall --do-not-resolve --merge-stderr-to-stdout -src -d --display-comm -localroot ";
    /** The same, with a value. */
    private static final String DONE_VALUE =
        " -dport -mpjport -headnodeip -mxboardnum -psl -genvlist -envlist -launcher -bootstrap --launcher --personality"
            + " -rmk -iface -usize ";
    private static final String FLAGS = " --nooversubscribe -nooversubscribe --nolocal -nolocal --novm"
        + " --byslot -byslot --bycore -bycore --bind-to-core -bind-to-core --bind-to-socket -bind-to-socket"
        + " --bind-to-none -bind-to-none --display-map -display-map --display-allocation -display-allocation"
        + " --display-devel-map --xml -xml --timestamp-output -timestamp-output --enable-recovery --disable-recovery"
        + " --continuous --report-child-jobs-separately --debug-daemons --pernode -pernode --preload-binary"
        + " --index-argv-by-rank -index-argv-by-rank -genvnone -envnone -print-all-exitcodes -enable-x -disable-x"
        + " -order-nodes -localhost -info -skip-launch-node -disable-auto-cleanup -disable-hostname-propagation"
        + " -profile -noprefix --noprefix -tv --tv -s ";
    private static final String VALUES = " --rank-by -rank-by --rankfile -rankfile -rf --slot-list"
        + " --cpu-list --cpu-set -cpu-set -membind --prefix --path -path -am --am -tune --tune --npersocket -npersocket"
        + " --num-proc --cpus-per-proc -cpus-per-proc --cpus-per-rank -cpus-per-rank --preload-files --report-pid"
        + " -report-pid --report-uri -report-uri --ompi-server -ompi-server --max-restarts --display -display --output"
        + " -output --runtime-options -runtime-options --dvm --pmi-port -pmi-port -topolib -demux -launcher-exec"
        + " -bootstrap-exec -prepend-pattern -outfile-pattern -errfile-pattern -nameserver -umask -gpus-per-proc"
        + " --ppr -ppr ";
    private static final String PAIRS =
        " --mca -mca --gmca -gmca --omca -omca --pmixmca -pmixmca --prtemca -prtemca --omca ";

    private ForeignOptions() {
    }

    /** How many values follow the option; -1 if it is none of these. */
    static int values(String option) {
        return in(option, DONE) || in(option, FLAGS) ? 0 : in(option, DONE_VALUE) || in(option, VALUES) ? 1
            : in(option, PAIRS) ? 2 : -1;
    }

    /** Whether nothing is lost by reading over it. */
    static boolean isDone(String option) {
        return in(option, DONE) || in(option, DONE_VALUE);
    }

    /** One line on all options that have no effect. */
    static String ignored(String options) {
        return "mpjrun: ignored: " + options + ". These are settings of another MPI's launcher; mpjrun --help lists"
            + " mpjrun's options, brigade info --settings Brigade's settings";
    }

    private static boolean in(String option, String list) {
        int at = list.indexOf(option);
        while (at > 0) {
            if (list.charAt(at - 1) == ' ' && list.charAt(at + option.length()) == ' ') {
                return option.indexOf(' ') < 0;
            }
            at = list.indexOf(option, at + 1);
        }
        return false;
    }
}
