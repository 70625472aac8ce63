package org.brigade.aggregation.process;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.brigade.aggregation.AggregationException;
import org.brigade.aggregation.AggregationGroup;
import org.brigade.aggregation.AggregationProvider;
import org.brigade.aggregation.AggregationStatus;
import org.brigade.aggregation.OutOfBand;
import org.brigade.bootstrap.secret.SecretFile;
import org.brigade.select.Settings;

/**
 * Aggregator processes started by {@code brigade aggregator}. The addresses {@code HOST:PORT[,HOST:PORT...]} are those
 * of the tree's lowest level; each serves a contiguous part of the nodes, in order. {@code brigade.aggregation.secret}
 * names the file with the secret.
 */
public final class TcpAggregation implements AggregationProvider {
    private static final String SECRET = "aggregation.secret";
    static final String TIMEOUT = "aggregation.timeout";
    static final int TIMEOUT_SECONDS = 10;

    @Override
    public String name() {
        return "tcp";
    }

    @Override
    public AggregationGroup join(String address, long group, OutOfBand members) throws AggregationException {
        Settings settings = Settings.ofThisProcess();
        InetSocketAddress[] leaves = addresses(address);
        int leaf = leaf(members.rank(), members.size(), leaves.length);
        long patience = settings.number(TIMEOUT, 1, 3600, "" + TIMEOUT_SECONDS, TIMEOUT_SECONDS) * 1_000_000_000L;
        byte[] secret = secret(settings);
        String name =
            leaves[leaf].getHostString() + ":" + leaves[leaf].getPort() + ", by " + settings.origin("aggregation");
        Carrier carrier;
        try {
            carrier = SocketCarrier.to(leaves[leaf]);
        } catch (IOException e) {
            throw MemberGroup.unreachable(name, e);
        }
        return new MemberGroup(name, new FrameChannel(carrier, AggregatorHandshake.ofClient(secret)),
            request(group, members, leaves.length), patience, members::pause);
    }

    /** A member's request to one of so many aggregators. */
    static JoinRequest request(long group, OutOfBand members, int leaves) {
        int size = members.size();
        int leaf = leaf(members.rank(), size, leaves);
        int here = 0;
        for (int member = 0; member < size; member++) {
            here += leaf(member, size, leaves) == leaf ? 1 : 0;
        }
        return new JoinRequest(group, members.rank(), 1, size, here);
    }

    /** The aggregator of a node: contiguous parts whose sizes differ by one node at most. */
    public static int leaf(int member, int size, int leaves) {
        return (int) ((long) member * Math.min(leaves, size) / size);
    }

    static InetSocketAddress[] addresses(String text) throws AggregationException {
        String[] each = text.split(",", -1);
        InetSocketAddress[] all = new InetSocketAddress[each.length];
        for (int i = 0; i < each.length; i++) {
            all[i] = address(each[i]);
            if (all[i] == null) {
                throw new AggregationException(AggregationStatus.EINVAL,
                    "brigade.aggregation: '" + each[i] + "' is no HOST:PORT, as in tcp:switch1:7070,switch2:7070");
            }
        }
        return all;
    }

    /** Null if it is no address. */
    public static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        try {
            int port = Integer.parseInt(text.substring(colon + 1).trim());
            String host = colon <= 0 ? "" : text.substring(0, colon).trim();
            return host.isEmpty() || port < 0 || port > 65535 ? null : new InetSocketAddress(host, port);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    public static byte[] secret(Settings settings) throws AggregationException {
        String file = settings.get(SECRET);
        if (file == null) {
            throw new AggregationException(AggregationStatus.EINVAL,
                "brigade.aggregation.secret is not set; name a file with the same content as that of the aggregators'"
                    + " --secret, readable by its owner only");
        }
        try {
            return SecretFile.read(Path.of(file));
        } catch (IOException e) {
            throw new AggregationException(AggregationStatus.EINVAL, settings.origin(SECRET) + ": " + e.getMessage());
        }
    }
}
