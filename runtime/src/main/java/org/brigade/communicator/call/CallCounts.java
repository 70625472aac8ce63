package org.brigade.communicator.call;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.brigade.report.Report;
import org.brigade.select.ByteSize;
import org.brigade.select.Choice;
import org.brigade.select.SizeThresholds;
import org.brigade.setting.Setting;

/** How often each choice has served a collective of this process, if {@code brigade.report} is {@code debug}. */
public final class CallCounts {
    /** Whether they are counted. A constant: where they are not, compiled code is without them. */
    public static final boolean ON =
        "debug".equals(Setting.text("report", System.getProperties(), System.getenv()));

    private static final String ROW = "%-14s %-22s %9s  ";
    private static final Map<Choice, Count> COUNTS = new HashMap<>();

    /** A choice, the sizes that it serves: more than {@code over} bytes, and {@code upTo} at most. */
    private static final class Count {
        final Choice choice;
        long over = Long.MAX_VALUE;
        long upTo = -1;
        long calls;

        Count(Choice choice) {
            this.choice = choice;
        }

        String sizes() {
            boolean all = upTo < 0 || upTo == Long.MAX_VALUE;
            if (over < 0 || over == Long.MAX_VALUE) {
                return all ? "all" : "to " + ByteSize.words(upTo);
            }
            String from = ByteSize.words(over + 1);
            String more = ByteSize.words(over);
            return (more.length() < from.length() ? "over " + more : "from " + from)
                + (all ? "" : " to " + ByteSize.words(upTo));
        }
    }

    private CallCounts() {
    }

    /** Notes which sizes the choices serve. */
    public static synchronized void learn(SizeThresholds ladder) {
        for (int step = 0; step < ladder.steps(); step++) {
            if (ladder.choice(step).served()) {
                Count count = COUNTS.computeIfAbsent(ladder.choice(step), Count::new);
                count.over = Math.min(count.over, step == 0 ? -1 : ladder.upTo(step - 1));
                count.upTo = Math.max(count.upTo, ladder.upTo(step));
            }
        }
    }

    static synchronized void ran(Choice choice) {
        COUNTS.computeIfAbsent(choice, Count::new).calls++;
    }

    /** Writes a table of the collectives that ran: a row for each step of sizes. */
    public static synchronized void tell(Report report) {
        List<Count> ran = new ArrayList<>(COUNTS.values());
        ran.removeIf(each -> each.calls == 0);
        ran.sort(Comparator.<Count>comparingInt(each -> each.choice.algorithm().collective().ordinal())
            .thenComparingLong(each -> each.over).thenComparing(each -> each.choice.words()));
        if (ran.isEmpty()) {
            report.line("collectives", "none");
            return;
        }
        report.row(ROW.formatted("collective", "bytes", "calls"), "algorithm, and the rule that chose it");
        for (Count each : ran) {
            report.row(ROW.formatted(each.choice.algorithm().collective().key(), each.sizes(), each.calls),
                each.choice.words() + ", by " + each.choice.rule());
        }
    }
}
