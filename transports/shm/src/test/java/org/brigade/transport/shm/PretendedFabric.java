package org.brigade.transport.shm;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.brigade.bootstrap.Exchange;
import org.brigade.bootstrap.Job;
import org.brigade.bootstrap.Nodes;
import org.brigade.interrupt.FileStep;
import org.brigade.memory.NativeMemory;
import org.brigade.nativ.Mapping;
import org.brigade.transport.Fabric;
import org.brigade.transport.FabricEnd;

/**
 * Joins nodes that mpjrun emulates by a file that all of them map: so jobs of several nodes are tested by themselves,
 * with real processes.
 */
public final class PretendedFabric implements Fabric {
    @Override
    public String name() {
        return "pretended";
    }

    @Override
    public String unfit(Job job) {
        return null;
    }

    @Override
    public FabricEnd open(Job job, Nodes nodes, Exchange exchange) {
        SegmentDescriptor layout = SegmentDescriptor.forRanks(job.size(), 16 << 20);
        try {
            byte[] mine = job.rank() == 0 ? make(layout).getBytes(StandardCharsets.UTF_8) : new byte[0];
            Path file = Path.of(new String(exchange.allgather(mine)[0], StandardCharsets.UTF_8));
            NativeMemory memory = mapped(file, layout);
            exchange.barrier();
            if (job.rank() == 0) {
                file.toFile().delete();
            }
            return new PretendedEnd(layout, memory, job.rank());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String make(SegmentDescriptor layout) throws IOException {
        File file = File.createTempFile("pretended", ".fabric", new File("/dev/shm"));
        file.deleteOnExit();
        mapped(file.toPath(), layout); // makes it as long as it must be
        return file.getPath();
    }

    private static NativeMemory mapped(Path file, SegmentDescriptor layout) throws IOException {
        return new FileStep<NativeMemory>() {
            @Override
            protected NativeMemory attempt() throws IOException {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                    return new NativeMemory(Mapping.map(channel, PretendedEnd.bytes(layout)));
                }
            }
        }.run();
    }
}
