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
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int simulate(String... arguments) {
        return new CommandLine(new SimulateCommand()).setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true)).execute(arguments);
    }

    private String file(String text) throws IOException {
        return Files.writeString(folder.resolve("measured.csv"), text).toString();
    }

    @Test
    void whatWasMeasuredStandsBesideWhatIsSimulated() throws IOException {
        // On ideal ranks: 2 us and a MiB at 6.8 GB/s a message; three of them in a chain of four.
        String rows = "operation,ranks,bytes,algorithm,microseconds\n# a remark\nlatency,2,1M,point-to-point,156.2\nbcast,4,1048576,chain,300\n";
        assertEquals(0, simulate("--measured", file(rows), "--topology", "ideal:8", "--csv"), err::toString);
        assertEquals("""
            operation,topology,ranks,bytes,algorithm,measured,simulated,ratio
            latency,ideal:8,2,1048576,point-to-point,156.200,156.202,1.000
            bcast,ideal:8,4,1048576,chain,300.000,468.607,1.562
            """, out.toString().replace("\r\n", "\n"));
    }

    @Test
    void theH200sAreWithinAQuarterButForOneKernel() {
        assertEquals(0, simulate("--measured", Path.of("../docs/measured/h200.csv").toString()), err::toString);
        assertTrue(out.toString().contains("15 of 16 within 25 %"), out::toString);
    }

    @Test
    void aFigureOfTheMachineCanBeOnesOwn() {
        String[] call = {"bcast", "--topology", "ac922", "--algorithm", "direct", "--ranks", "2", "--bytes", "1G", "--csv"};
        assertEquals(0, simulate(call), err::toString);
        String[] changed = java.util.Arrays.copyOf(call, call.length + 2);
        changed[call.length] = "--figure";
        changed[call.length + 1] = "nvlink-p2p=36 GB/s";
        assertEquals(0, simulate(changed), err::toString);
        String[] lines = out.toString().split("\\R");
        double before = Double.parseDouble(lines[1].split(",")[7]);
        double after = Double.parseDouble(lines[3].split(",")[7]);
        assertEquals(2, after / before, 0.01, out::toString);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "core=5 GB/s;'core=5 GB/s' changes no figure of ac922",
        "nvlink-p2p=fast;'nvlink-p2p=fast': nvlink-p2p is a rate in GB/s",
        "nvlink-p2p=5 us;nvlink-p2p is a rate in GB/s, MB/s, Gbit/s or Mbit/s, as 72 GB/s",
        "nvlink-p2p=-1 GB/s;nvlink-p2p",
    })
    void wrongFiguresAreToldHowToBeRight(String figure, String said) {
        assertEquals(2, simulate("bcast", "--topology", "ac922", "--figure", figure));
        assertTrue(err.toString().contains(said), err::toString);
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
        assertEquals(2, simulate("--measured", file(text.replace('|', '\n')), "--topology", "ideal:8"));
        assertTrue(err.toString().contains(line) && err.toString().contains(said), err::toString);
    }
}
