package org.brigade.launch.hosts;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.brigade.launch.options.JobHosts;
import org.brigade.launch.options.LaunchException;

/** The command that starts an agent on a host. */
final class AgentCommand {
    private static final String HOST = "{host}";
    private static final String MAIN = "org.brigade.launch.HostAgent";
    /** Other characters mean something to some shell. */
    private static final String PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
    private static final String[] SSH = {"ssh", "-x", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10"};
    private static final int NATIVE_ACCESS = 24;

    private AgentCommand() {
    }

    /**
     * The agent as a command of this machine.
     *
     * @param path Brigade's class path
     */
    private static List<String> agent(String java, String path) {
        List<String> words = new ArrayList<>(List.of(java));
        String flags = System.getProperty("brigade.launch.flags", "");
        for (String flag : flags.split("\n")) {
            if (flag.startsWith("-XX:SharedArchiveFile=") || flag.startsWith("-Xshare:")) {
                words.add(flag); // the archive is where the jar is
            }
        }
        words.addAll(List.of("-Xlog:disable", "-XX:+DisplayVMOutputToStderr", "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xmx64m"));
        if (Runtime.version().feature() >= NATIVE_ACCESS) {
            words.add("--enable-native-access=ALL-UNNAMED");
        }
        words.addAll(List.of("-cp", path, MAIN));
        return words;
    }

    /** The whole command for one host. */
    static List<String> of(JobHosts hosts, int host, String java, String path) {
        List<String> agent = agent(java, path);
        List<String> whole = new ArrayList<>();
        if (hosts.here()[host]) {
            return agent;
        }
        String setsid = setsid();
        if (setsid != null) {
            whole.add(setsid); // Ctrl-C is for mpjrun, which ends the ranks
        }
        String name = hosts.names().get(host);
        if (hosts.agent().isEmpty()) {
            whole.addAll(List.of(SSH));
            whole.add(name);
            StringBuilder line = new StringBuilder("exec");
            for (String word : agent) {
                line.append(' ').append(quoted(word));
            }
            whole.add(line.toString());
            return whole;
        }
        boolean named = false;
        for (String word : hosts.agent()) {
            named |= word.contains(HOST);
            whole.add(word.replace(HOST, name));
        }
        if (!named) {
            whole.add(name);
        }
        for (String word : agent) {
            if (!isPlain(word)) {
                throw new LaunchException("--launch-agent: " + word + " has characters that a shell may change, and"
                    + " nobody knows whether the agent uses one; put Brigade and the JDK where their paths have only"
                    + " letters, digits and " + PLAIN.substring(PLAIN.indexOf('_')));
            }
            whole.add(word);
        }
        return whole;
    }

    private static boolean isPlain(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (PLAIN.indexOf(word.charAt(i)) < 0) {
                return false;
            }
        }
        return true;
    }

    /** For the shell of the user there. */
    private static String quoted(String word) {
        return isPlain(word) ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** The path of setsid; null if there is none. */
    private static String setsid() {
        String path = System.getenv("PATH");
        for (String folder : (path == null ? "" : path).split(File.pathSeparator)) {
            File file = new File(folder, "setsid");
            if (file.isAbsolute() && file.canExecute()) {
                return file.getPath();
            }
        }
        return null;
    }
}
