package org.brigade.topology.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.brigade.topology.TopologyException;
import org.brigade.topology.profile.MeasuredPath;
import org.brigade.topology.profile.NodeLayout;
import org.brigade.topology.profile.Transfer;
import org.brigade.topology.profile.TransferType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordingTest {
    @TempDir
    Path folder;
    private final NodeLayout layout = NodeLayout.uniform(2, new int[] {0, 0, 1}, 0);
    private final TransferMeter machine = new SharedWires(layout, 11, true);

    private IsomorphismCache recorded(Recording recording, TransferMeter meter) {
        IsomorphismCache cache = new IsomorphismCache(layout, meter, (set, bandwidth) -> {
            try {
                recording.add(set, bandwidth);
            } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        recording.earlier().forEach(cache::put);
        return cache;
    }

    @Test
    void aSearchThatWasBrokenOffGoesOnWhereItEnded() throws Exception {
        Path file = folder.resolve("deep/er/recording");
        int[] calls = new int[1];
        TransferMeter breaking = set -> {
            if (++calls[0] > 10) {
                throw new IllegalStateException("power failure");
            }
            return machine.bandwidth(set);
        };
        try (Recording first = Recording.open(file, "machine a")) {
            assertThrows(IllegalStateException.class, () -> new PathSearch(layout, recorded(first, breaking)).ring(7));
        }
        Files.writeString(file, Files.readString(file) + "9.84 GPU_READ_CPU");
        MeasuredPath ring;
        int again;
        try (Recording second = Recording.open(file, "machine a")) {
            assertEquals(10, second.earlier().size());
            IsomorphismCache cache = recorded(second, machine);
            ring = new PathSearch(layout, cache).ring(7);
            again = cache.measurements();
        }
        IsomorphismCache whole = new IsomorphismCache(layout, machine);
        assertEquals(new PathSearch(layout, whole).ring(7), ring);
        assertEquals(whole.measurements(), again + 10, "nothing is measured twice");
        assertEquals(again + 10, Recording.read(file).size());
        IsomorphismCache played = new IsomorphismCache(layout, RecordedTransfers.read(file));
        RecordedTransfers.read(file).into(played);
        MeasuredPath replay = new PathSearch(layout, played).ring(7);
        assertEquals(ring.body(), replay.body());
    }

    @Test
    void otherConditionsAreNotGoneOnWith() throws Exception {
        Path file = folder.resolve("recording");
        Recording.open(file, "machine a, 32 MiB").close();
        String message =
            assertThrows(TopologyException.class, () -> Recording.open(file, "machine b, 32 MiB")).getMessage();
        assertTrue(message.contains("line 2: recorded under other conditions: machine a, 32 MiB; now: machine b")
            && message.contains("move the file away"), message);
    }

    @Test
    void aLineThatIsNoMeasurementIsSaidWithItsNumber() {
        for (String bad : new String[] {"x GPU_WRITE_GPUMEM_MEMCPY 0>1", "-1 GPU_WRITE_GPUMEM_MEMCPY 0>1",
            "NaN GPU_WRITE_GPUMEM_MEMCPY 0>1", "Infinity GPU_WRITE_GPUMEM_MEMCPY 0>1", "3", "3 ", "3 GPU",
            "3 GPU_WRITE_GPUMEM_MEMCPY 0", "3 GPU_WRITE_GPUMEM_MEMCPY 0>0", "3 GPU_WRITE_GPUMEM_MEMCPY 0>99",
            "3 GPU_GPU_INTER 0>1", "3 GPU_GPU_INTER 9:0>1", "3 >GPU_GPU_INTER 0"}) {
            String message =
                assertThrows(TopologyException.class, () -> Recording.parse("r", "# a\n" + bad + "\n"), bad)
                    .getMessage();
            assertTrue(message.startsWith("r line 2: '") && message.contains("write for instance"), message);
        }
        assertEquals(
            Map.of(TransferSet.of(new Transfer(TransferType.CPU_GPU_INTER, 2, 0, 0, 1), Mover.KERNEL.write(1, 0)),
                3.5e9),
            Recording.parse("r", "3.5 GPU_WRITE_GPUMEM_KERNEL 1>0, CPU_GPU_INTER 2:0>0:1\n"));
    }

    @Test
    void whatWasNotRecordedIsSaid() {
        RecordedTransfers none = new RecordedTransfers("empty", Map.of());
        String message =
            assertThrows(TopologyException.class, () -> none.bandwidth(TransferSet.of(Mover.MEMCPY.write(0, 1))))
                .getMessage();
        assertTrue(message.startsWith("empty: does not contain GPU_WRITE_GPUMEM_MEMCPY 0>1; "), message);
    }

    @Test
    void anotherFileIsNoRecording() throws Exception {
        Path file = Files.writeString(folder.resolve("other"), "hello\nworld\n");
        assertTrue(assertThrows(TopologyException.class, () -> Recording.open(file, "a")).getMessage()
            .contains("is no recording"));
        assertTrue(assertThrows(TopologyException.class, () -> Recording.read(folder.resolve("none"))).getMessage()
            .contains("cannot be read"));
        assertEquals("hello\nworld\n", Files.readString(file), "it is left as it was");
    }
}
