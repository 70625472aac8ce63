package org.brigade.launch.hosts;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Why a host has no agent: what its remote shell and its java say, with the cure. */
final class AgentFailure {
    private static final int SSH_FAILED = 255;
    private static final int NOT_FOUND = 127;
    private static final int CANNOT_RUN = 126;
    private static final int MOST_LETTERS = 500;

    private AgentFailure() {
    }

    /**
     * @param process what was started for the host, whose output has ended
     * @param said what it has said on its other stream so far
     */
    static String words(String host, Process process, Supplier<String> said) {
        int code;
        try {
            code = process.waitFor(1, TimeUnit.SECONDS) ? process.exitValue() : -1;
            Thread.sleep(50); // what it says on its other stream may be a moment later
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            code = -1;
        }
        return words(host, code, said.get());
    }

    static String words(String host, int code, String said) {
        String text = said.strip().replaceAll("\\s*\\R\\s*", " | ");
        text = text.length() > MOST_LETTERS ? text.substring(0, MOST_LETTERS) + "..." : text;
        String quote = text.isEmpty() ? "" : " (" + text + ")";
        if (code == NOT_FOUND || code == CANNOT_RUN) {
            return "cannot run " + System.getProperty("java.home") + "/bin/java" + quote + "; every host needs the JDK"
                + " that runs mpjrun, at the same path: install it there, or set JAVA_HOME here to one that all hosts"
                + " have";
        }
        if (text.contains("HostAgent")) {
            return "has no brigade.jar of this release at the path that it has here" + quote + "; put Brigade where all"
                + " hosts see it, or copy it to the same path on each";
        }
        return code == SSH_FAILED ? "cannot be reached" + quote + "; 'ssh " + host + " true' must succeed without a"
            + " question: check the name, that sshd runs there, known_hosts, and that your key is in its"
            + " authorized_keys" : "has ended the agent with code " + code + quote;
    }
}
