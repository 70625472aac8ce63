package org.brigade.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** {@code brigade simulate --measured} and {@code --figure}. */
class MeasuredComparisonTest {
    @TempDir
    private Path folder;

    private static Ended simulate(String... arguments) {
        List<String> words = new ArrayList<>(List.of(arguments));
        words.add(0, "simulate");
        return Ended.brigade(words.toArray(new String[0]));
    }

    private String file(String text) throws IOException {
        return Files.writeString(folder.resolve("measured.csv"), text).toString();
    }

    @Test
    void whatWasMeasuredStandsBesideWhatIsSimulated() throws IOException {
        // On ideal ranks: 2 us and a MiB at 6.8 GB/s a message; three of them in a chain of four.
        String rows = "operation,ranks,bytes,algorithm,microseconds\n# a remark\nlatency,2,1M,point-to-point,156.2\nbcast,4,1048576,chain,300\n";
        Ended ended = simulate("--measured", file(rows), "--topology", "ideal:8", "--csv");
        assertEquals(0, ended.code(), ended.err());
        assertEquals("""
            operation,topology,ranks,bytes,algorithm,measured,simulated,ratio
            latency,ideal:8,2,1048576,point-to-point,156.200,156.202,1.000
            bcast,ideal:8,4,1048576,chain,300.000,468.607,1.562
            """, ended.out().replace("\r\n", "\n"));
    }

    @Test
    void theH200sAreWithinAQuarterButForOneKernel() {
        Ended ended = simulate("--measured", Path.of("../docs/measured/h200.csv").toString());
        assertEquals(0, ended.code(), ended.err());
        assertTrue(ended.out().contains("15 of 16 within 25 %"), ended::out);
    }

    @Test
    void aFigureOfTheMachineCanBeOnesOwn() {
        String[] call = {"bcast", "--topology", "ac922", "--algorithm", "direct", "--ranks", "2", "--bytes", "1G", "--csv"};
        Ended ended = simulate(call);
        assertEquals(0, ended.code(), ended.err());
        String[] changed = java.util.Arrays.copyOf(call, call.length + 2);
        changed[call.length] = "--figure";
        changed[call.length + 1] = "nvlink-p2p=36 GB/s";
        Ended ended = simulate(changed);
        assertEquals(0, ended.code(), ended.err());
        String[] lines = ended.out().split("\\R");
        double before = Double.parseDouble(lines[1].split(",")[7]);
        double after = Double.parseDouble(lines[3].split(",")[7]);
        assertEquals(2, after / before, 0.01, ended::out);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "core=5 GB/s;'core=5 GB/s' changes no figure of ac922",
        "nvlink-p2p=fast;'nvlink-p2p=fast': nvlink-p2p is a rate in GB/s",
        "nvlink-p2p=5 us;nvlink-p2p is a rate in GB/s, MB/s, Gbit/s or Mbit/s, as 72 GB/s",
        "nvlink-p2p=-1 GB/s;nvlink-p2p",
    })
    void wrongFiguresAreToldHowToBeRight(String figure, String said) {
        Ended ended = simulate("bcast", "--topology", "ac922", "--figure", figure);
        assertEquals(2, ended.code(), ended.err());
        assertTrue(ended.err().contains(said), ended::err);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "bytes,ranks;line 1;names the columns",
        "operation,ranks,bytes,algorithm,microseconds|bcast,2,8;line 2;3 fields",
        "operation,ranks,bytes,algorithm,microseconds|bcast,two,8,chain,1;line 2;cannot be read",
        "operation,ranks,bytes,algorithm,microseconds|bcast,2,8,moon,1;line 2;no schedule of bcast is called 'moon'",
        "operation,ranks,bytes,algorithm,microseconds|bw,2,8,x,1;line 2;neither latency nor a collective",
        "operation,ranks,bytes,algorithm,microseconds|bcast,9,8,chain,1;line 2;8",
    })
    void rowsThatCannotBeSimulatedAreNamed(String text, String line, String said) throws IOException {
        Ended ended = simulate("--measured", file(text.replace('|', '\n')), "--topology", "ideal:8");
        assertEquals(2, ended.code(), ended.err());
        assertTrue(ended.err().contains(line) && ended.err().contains(said), ended::err);
    }
}
