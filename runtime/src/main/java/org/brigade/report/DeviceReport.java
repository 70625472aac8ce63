package org.brigade.report;

import java.util.List;
import mpi.spi.Collective;
import org.brigade.algorithm.Placement;
import org.brigade.device.DeviceCost;
import org.brigade.select.ByteSize;
import org.brigade.select.ResidentMode;
import org.brigade.select.Selector;
import org.brigade.select.Settings;
import org.brigade.select.SizeThresholds;

/**
 * What was chosen for a job's collectives on device memory, and what costs speed: known when the first of them runs.
 */
public final class DeviceReport {
    private static final List<Collective> SHOWN = List.of(Collective.BCAST, Collective.ALLREDUCE, Collective.REDUCE,
        Collective.ALLGATHER, Collective.REDUCE_SCATTER, Collective.ALLTOALL);

    private final Selector selector;
    private final Settings settings;
    private boolean told;

    /** @param selector for calls on device memory */
    public DeviceReport(Selector selector, Settings settings) {
        this.selector = selector;
        this.settings = settings;
    }

    /**
     * Writes what the first communicator with calls on devices found; what others find is not told.
     *
     * @param machine its members' devices and their links; null if some member's memory is out of the others' reach
     * @param costs what makes its calls slower
     */
    public void opened(int ranks, String machine, List<DeviceCost> costs) {
        if (!told) {
            told = true;
            System.err.print(text(ranks, machine, costs));
        }
    }

    String text(int ranks, String machine, List<DeviceCost> costs) {
        Report report =
            new Report("what was chosen for calls on GPUs (brigade.report=" + settings.get(JobReport.SETTING) + ")");
        if (machine == null) {
            report.costs("collectives of " + ranks + " ranks go through host memory, as the line above says",
                "among 2 H200s an allreduce of 64 bytes takes 23 us instead of 14, one of 64 MiB 34 ms instead of 0.2",
                "see docs/gpu-troubles.md");
            return report.toString();
        }
        report.line("GPUs", machine);
        if (machine.contains("; links ")) {
            report.line("", "links: of each rank to each: = the same GPU, N NVLink, P PCIe");
        }
        report.line("algorithms",
            selector.table().source() + ", for blocking calls, by bytes as the table counts them:");
        for (Collective collective : SHOWN) {
            report.line("",
                collective.key() + ": " + bySize(selector.ladder(collective, ranks, true, Placement.ALIGNED)));
        }
        report.line("",
            "brigade explain COLLECTIVE --space device --ranks " + ranks + " says why, and what else could run");
        ResidentMode mode = ResidentMode.of(settings);
        report.line("resident mode", mode.on() ? mode.toString()
            : "off: each call launches a kernel (docs/streams.md says when brigade.device.resident=on pays)");
        report.line("measuring", "on".equals(settings.get("device.measure"))
            ? "on: other ways are tried in the program's calls"
            : "off (brigade.device.measure=on tries other ways in the program's calls, for GPUs that the table does"
                + " not know)");
        for (DeviceCost cost : costs) {
            report.costs(cost.finding(), cost.cost(), cost.cure());
        }
        return report.toString();
    }

    /** Steps that say the same are one. */
    private static String bySize(SizeThresholds ladder) {
        StringBuilder words = new StringBuilder();
        for (int step = 0; step < ladder.steps(); step++) {
            String choice = words(ladder, step);
            while (step + 1 < ladder.steps() && words(ladder, step + 1).equals(choice)) {
                step++;
            }
            String sizes = step + 1 < ladder.steps() ? upTo(ladder.upTo(step)) : words.isEmpty() ? "" : "beyond ";
            words.append(words.isEmpty() ? "" : "; ").append(sizes).append(choice);
        }
        return words.toString();
    }

    private static String upTo(long bytes) {
        String below = ByteSize.words(bytes + 1);
        String to = ByteSize.words(bytes);
        return below.length() < to.length() ? "below " + below + " " : "to " + to + " ";
    }

    private static String words(SizeThresholds ladder, int step) {
        return ladder.choice(step).served() ? ladder.choice(step).words() : "an error: " + ladder.choice(step).rule();
    }
}
