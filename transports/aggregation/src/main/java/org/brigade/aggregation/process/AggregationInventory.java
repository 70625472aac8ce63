package org.brigade.aggregation.process;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.brigade.aggregation.AggregationException;
import org.brigade.interrupt.Nap;
import org.brigade.select.Settings;

/** The state of {@code brigade.aggregation} without a job: whether aggregators run and would accept ranks. */
public final class AggregationInventory {
    private static final long PATIENCE_NANOS = 2_000_000_000L;
    private static final long NAP_NANOS = 1_000_000;

    private AggregationInventory() {
    }

    /** A line for each aggregator that this process's settings name. Connects to each. */
    public static List<String> lines(Settings settings) {
        String wanted = settings.get("aggregation");
        List<String> lines = new ArrayList<>();
        if (wanted == null) {
            lines.add("off (brigade.aggregation, see docs/aggregation.md)");
        } else if (wanted.contains("+")) {
            for (String rail : wanted.split("\\+")) {
                lines.addAll(lines(settings, rail));
            }
        } else {
            lines.addAll(lines(settings, wanted));
        }
        return lines;
    }

    private static List<String> lines(Settings settings, String wanted) {
        List<String> lines = new ArrayList<>();
        if (!wanted.startsWith("tcp:")) {
            lines.add(wanted + ", at the first call that uses it");
        } else {
            try {
                InetSocketAddress[] addresses = TcpAggregation.addresses(wanted.substring("tcp:".length()));
                byte[] secret = TcpAggregation.secret(settings);
                for (InetSocketAddress each : addresses) {
                    lines.add(each.getHostString() + ":" + each.getPort() + " " + trial(each, secret));
                }
            } catch (AggregationException e) {
                lines.add("not usable: " + e.getMessage());
            }
        }
        return lines;
    }

    private static String trial(InetSocketAddress address, byte[] secret) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        FrameChannel channel = null;
        try {
            channel = new FrameChannel(SocketCarrier.to(address), AggregatorHandshake.ofClient(secret));
            while (!channel.isTrusted()) {
                if (channel.connected()) {
                    channel.flush();
                    channel.read((from, kind, memory, at, bytes) -> {});
                }
                if (System.nanoTime() - deadline > 0) {
                    throw new IOException("no answer within 2 s");
                }
                Nap.nanos(NAP_NANOS);
            }
            channel.queue(FrameChannel.LEAVE);
            channel.flush();
            return "is an aggregator with the same secret and version";
        } catch (IOException e) {
            return "not usable: " + e.getMessage();
        } finally {
            if (channel != null) {
                channel.close();
            }
        }
    }
}
