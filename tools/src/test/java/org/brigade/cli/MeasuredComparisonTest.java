package org.brigade.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        String rows =
            "operation,ranks,bytes,algorithm,microseconds\n# a"
                + " remark\nlatency,2,1M,point-to-point,156.2\nbcast,4,1048576,chain,300\n";
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
        double before = busBandwidth("72 GB/s");
        double after = busBandwidth("36 GB/s");
        assertEquals(2, before / after, 0.01, () -> before + " GB/s, and with half the rate " + after);
    }

    /** What a message of 1 GiB over NVLink reaches on an AC922 whose NVLinks have this rate. */
    private static double busBandwidth(String rate) {
        Ended ended = simulate("bcast", "--topology", "ac922", "--algorithm", "direct", "--ranks", "2", "--bytes", "1G",
            "--csv", "--figure", "nvlink-p2p=" + rate);
        assertEquals(0, ended.code(), ended.err());
        String[] header = ended.out().split("\\R")[0].split(",");
        String[] row = ended.out().split("\\R")[1].split(",");
        return Double.parseDouble(row[List.of(header).indexOf("bus_gbps")]);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "core=5 GB/s;'''core=5 GB/s'' changes no figure of ac922'",
        "nvlink-p2p=fast;'''nvlink-p2p=fast'': nvlink-p2p is a rate in GB/s'",
        "nvlink-p2p=5 us;nvlink-p2p is a rate in GB/s, MB/s, Gbit/s or Mbit/s, as 72 GB/s",
        "nvlink-p2p=-1 GB/s;figure nvlink-p2p is \"-1.0E9 in SI units\", which is not between 1.0 and 1.0E15",
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
        "operation,ranks,bytes,algorithm,microseconds|bcast,2,8,moon,1;line 2;no algorithm of bcast is called 'moon'",
        "operation,ranks,bytes,algorithm,microseconds|bw,2,8,x,1;line 2;neither latency nor a collective",
        "operation,ranks,bytes,algorithm,microseconds|bcast,9,8,chain,1;line 2;bcast/chain of 8 bytes on 9 ranks: the"
            + " machine has places for 8 only",
    })
    void rowsThatCannotBeSimulatedAreNamed(String text, String line, String said) throws IOException {
        Ended ended = simulate("--measured", file(text.replace('|', '\n')), "--topology", "ideal:8");
        assertEquals(2, ended.code(), ended.err());
        assertTrue(ended.err().contains(line) && ended.err().contains(said), ended::err);
    }
}
