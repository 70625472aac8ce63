package org.brigade.aggregation.aggregator;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.brigade.aggregation.process.GroupTerms;

/** Aggregators as threads of this JVM: one, or a root and leaves below it. */
final class Tree implements AutoCloseable {
    static final byte[] SECRET = "a secret of the tests, long enough".getBytes(StandardCharsets.US_ASCII);

    final List<Aggregator> all = new ArrayList<>();
    /** What the aggregators say. */
    final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private final InetSocketAddress top;
    private final StringBuilder setting = new StringBuilder("tcp:");

    /** @param leaves 0: members come to the root */
    Tree(int leaves, GroupTerms terms, long memory, Faults faults) throws IOException {
        InetSocketAddress root = start(null, 0, terms, memory, faults);
        top = root;
        for (int leaf = 0; leaf < leaves; leaf++) {
            InetSocketAddress below = start(root, leaf, terms, memory, faults);
            setting.append(leaf == 0 ? "" : ",").append("127.0.0.1:").append(below.getPort());
        }
        if (leaves == 0) {
            setting.append("127.0.0.1:").append(root.getPort());
        }
    }

    Tree() throws IOException {
        this(0, AggregatorOptions.DEFAULT_TERMS, AggregatorOptions.DEFAULT_MEMORY, Faults.NONE);
    }

    private InetSocketAddress start(InetSocketAddress parent, int place, GroupTerms terms, long memory, Faults faults)
        throws IOException {
        SocketAcceptor door =
            new SocketAcceptor(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), parent, SECRET);
        Aggregator aggregator =
            new Aggregator(new AggregatorOptions(place, 0, terms, 4, memory, 40, faults), door, log::add);
        all.add(aggregator);
        Thread thread = new Thread(aggregator, "aggregator " + all.size());
        thread.setDaemon(true);
        thread.start();
        return door.address();
    }

    Aggregator root() {
        return all.get(0);
    }

    /** Where the root listens. */
    InetSocketAddress address() {
        return top;
    }

    /** What {@code brigade.aggregation} says to use it. */
    String setting() {
        return setting.toString();
    }

    /** A file as {@code brigade.aggregation.secret} wants it. */
    static Path secretFile(Path directory, byte[] secret) throws IOException {
        Path file = Files.createFile(directory.resolve("secret" + System.nanoTime()),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.write(file, secret);
    }

    @Override
    public void close() {
        all.forEach(Aggregator::close);
    }
}
