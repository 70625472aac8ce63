package org.brigade.topology.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NvmlGpusTest {
    @TempDir
    private Path folder;

    @Test
    void linksToOnePeerAreCountedTogether() throws IOException, InterruptedException {
        List<String> notes = new ArrayList<>();
        List<GpuFacts> gpus = NvmlGpus.read(SoftwareNvml.make(folder).toString(), notes);
        assertEquals(List.of(), notes);
        assertEquals(new GpuFacts("0000:1a:00.0", 0, 90, "Software GPU 0", 150754820096L, 5, 16,
            List.of(new GpuFacts.NvLink("10000:1b:00.0", 2), new GpuFacts.NvLink(null, 2)), 9, 44712), gpus.get(0));
        assertEquals(List.of(new GpuFacts.NvLink("0000:1a:00.0", 2), new GpuFacts.NvLink(null, 2)),
            gpus.get(1).nvLinks());
    }

    @Test
    void withoutTheLibraryThereAreNoGpusAndOneNote() {
        List<String> notes = new ArrayList<>();
        assertEquals(List.of(), NvmlGpus.read(folder.resolve("libnone.so").toString(), notes));
        assertEquals(1, notes.size());
        assertTrue(
            notes.get(0).startsWith("NVML cannot be used, so NVLinks are unknown: ") && !notes.get(0).contains("\n"),
            notes.get(0));
    }
}
