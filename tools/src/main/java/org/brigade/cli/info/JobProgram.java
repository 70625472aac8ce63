package org.brigade.cli.info;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.brigade.transport.shm.RunningJob;

/** Which program a job runs, whose it is and since when, as one of its processes tells. */
final class JobProgram {
    /** Options of java with a word of their own behind them. */
    private static final Set<String> WITH_WORD = Set.of("-cp", "-classpath", "--class-path", "-p", "--module-path",
        "--add-modules", "--add-opens", "--add-exports", "--add-reads");

    private JobProgram() {
    }

    /** {@code Heat of alice, for 12 s}; empty if its processes cannot be asked. */
    static String words(RunningJob job, Instant now) {
        return job.ranks().stream().map(rank -> ProcessHandle.of(rank.pid())).flatMap(Optional::stream)
            .map(process -> words(process.info(), now)).filter(words -> !words.isEmpty()).findFirst().orElse("");
    }

    private static String words(ProcessHandle.Info info, Instant now) {
        String program = main(List.of(info.arguments().orElse(new String[0])));
        return program.isEmpty() ? ""
            : program + info.user().map(" of "::concat).orElse("")
                + info.startInstant().map(start -> ", for " + age(Duration.between(start, now))).orElse("");
    }

    /** The main class, jar or module among java's arguments; empty if there is none. */
    static String main(List<String> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            String word = arguments.get(i);
            if (word.equals("-jar") || word.equals("-m") || word.equals("--module")) {
                return i + 1 < arguments.size() ? arguments.get(i + 1) : "";
            }
            if (WITH_WORD.contains(word)) {
                i++;
            } else if (!word.startsWith("-") && !word.startsWith("@")) {
                return word;
            }
        }
        return "";
    }

    static String age(Duration age) {
        long seconds = Math.max(0, age.toSeconds());
        return seconds < 120 ? seconds + " s"
            : seconds < 7200 ? seconds / 60 + " min" : seconds < 172_800 ? seconds / 3600 + " h"
                : seconds / 86_400 + " days";
    }
}
