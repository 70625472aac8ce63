package org.brigade.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.brigade.cli.shared.CollectiveName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands as a user types them, without the JVM's start. */
class CommandsTest {
    private static Ended run(String line) {
        return Ended.brigade(line.isEmpty() ? new String[0] : line.split(" "));
    }

    @Test
    void explainPrintsTheChoiceAndItsSchedule() {
        Ended ended = run("explain bcast --ranks 16 --bytes 1M --schedule --rank 3");
        assertEquals(0, ended.code(), ended.err());
        assertTrue(ended.out().startsWith("bcast, 16 ranks on 1 node, host memory, 1 MiB: "), ended.out());
        assertTrue(ended.out().contains("rank 3 of 16, root 0"), ended.out());
    }

    @Test
    void explainKnowsOfNodes() {
        Ended ended = run("explain bcast --ranks 8 --nodes 2 --bytes 1M --schedule --rank 4");
        assertTrue(ended.out().startsWith("bcast, 8 ranks on 2 nodes, host memory, 1 MiB: hierarchical"), ended.out());
        assertTrue(ended.out().contains("local 2.., rate ..10G, bytes "), ended.out());
    }

    @Test
    void explainNamesWhatFabricAndReflectiveMemoryWouldChange() {
        Ended open = run("explain bcast --ranks 4 --nodes 4 --bytes 4K");
        assertTrue(open.out().contains(
            "  where the nodes are joined by SISCI with reflective memory (--fabric sisci --multicast), as its"
                + " adapters have: reflective-memory"),
            open.out());
        assertTrue(run("explain allreduce --ranks 8 --nodes 4 --bytes 64K").out()
            .contains("  where the nodes are joined by SISCI (--fabric sisci): hierarchical, chunk 256 KiB"));
        Ended joined = run("explain bcast --ranks 4 --nodes 4 --fabric sisci --bytes 4K");
        assertTrue(
            !joined.out().contains("(--fabric sisci):")
                && joined.out().contains("(--fabric sisci --multicast), as its adapters have: reflective-memory"),
            joined.out());
        for (String told : new String[] {" --fabric sisci --multicast", " --fabric mpi", " --fabric sisci --nodes 1"}) {
            Ended ended =
                run("explain bcast --ranks 4 --bytes 4K" + (told.contains("--nodes") ? "" : " --nodes 4") + told);
            assertFalse(ended.out().contains("where the nodes are"), ended.out());
            assertFalse(ended.out().contains("messages between nodes"), ended.out());
        }
        assertTrue(run("explain bcast --ranks 4 --nodes 2 --bytes 4K --fabric ucx").out().contains(
            "  messages between nodes: packets of 32 KiB; from 256 KiB on out of direct buffers, 128 KiB in packets and"
                + " the rest straight from there in pieces of 512 KiB, with UCX 1.13 or later"));
    }

    @Test
    void aShellCanCompleteCommandsAndTheirOptions() {
        Ended ended = run("generate-completion");
        assertEquals(0, ended.code(), ended.err());
        assertTrue(ended.out().contains("--threshold") && ended.out().contains("complete -F _complete_brigade"),
            ended.out());
    }

    @Test
    void infoListsTheSettings() {
        Ended ended = run("info --settings");
        assertEquals(0, ended.code(), ended.err());
        for (String what : new String[] {"brigade.init.timeout ", "brigade.sisci.ring ",
            "brigade.bcast.device.algorithm ", "BRIGADE_SISCI_MODE "}) {
            assertTrue(ended.out().contains("  " + what), () -> what + "is missing in\n" + ended.out());
        }
    }

    @Test
    void explainKnowsLevels() {
        Ended without = run("explain bcast --ranks 16 --bytes 64M");
        assertTrue(
            without.out().contains("hierarchical, multi-leader, hierarchical-tree (knows no levels of these ranks)"),
            without.out());
        Ended with = run("explain bcast --ranks 16 --bytes 64M --levels 2,8");
        assertTrue(with.out().startsWith("bcast, 16 ranks on 2 nodes, host memory, 64 MiB: hierarchical, chunk "),
            with.out());
        assertFalse(with.out().contains("knows no levels"), with.out());
        assertTrue(
            run("explain bcast --ranks 17 --bytes 64M --levels 8").out().startsWith("bcast, 17 ranks on 3 nodes, "));
        Ended sockets = run("explain bcast --ranks 16 --bytes 64M --levels 8 --nodes 1");
        assertTrue(
            sockets.out().startsWith("bcast, 16 ranks on 1 node, ") && !sockets.out().contains("knows no levels"),
            sockets.out());
        assertTrue(
            run("explain bcast --ranks 16 --levels 2,3").err().contains("3 must be a multiple of the level before"));
    }

    @Test
    void explainOfStraightLineCodeShowsWhatThatDoes() {
        Ended ended = run("explain allreduce --ranks 2 --bytes 8 --schedule");
        assertTrue(ended.out().contains("doubt it: brigade verify --collective allreduce --algorithm fused-flat"),
            ended.out());
        assertTrue(ended.out().contains("allreduce/fused-flat, rank 1 of 2: 2 operations"), ended.out());
        assertTrue(ended.out().contains("    send 8 bytes to 0"), ended.out());
    }

    @Test
    void everyCollectiveCanBeExplained() {
        for (String collective : new CollectiveName()) {
            for (String size : new String[] {"8", "64K", "64M"}) {
                for (String space : new String[] {"host", "device"}) {
                    Ended ended = run("explain " + collective + " --space " + space
                        + " --schedule --rank 0 --ranks 5 --bytes " + size);
                    assertEquals(0, ended.code(), () -> collective + " " + size + " " + space + ": " + ended.err());
                }
            }
        }
    }

    @Test
    void explainOfDeviceMemoryNeedsNoGpu() {
        Ended ended = run("explain bcast --space device --ranks 2 --bytes 1G --schedule");
        assertTrue(ended.out().startsWith(
            "bcast, 2 ranks on 1 node, device memory, 1 GiB: copy-engine, 10 % through host memory\n"), ended.out());
        assertTrue(ended.out().contains("of cuda-default.table: ranks 2..2"), ended.out());
        assertTrue(ended.out().contains("copy-engine has no schedule; compared with "), ended.out());
        Ended staged = run("explain allreduce --space device --op-noncommutative --ranks 4 --bytes 8");
        assertTrue(staged.out().contains("device memory, 8 bytes, non-commutative operation: staged"), staged.out());
        assertTrue(staged.out().contains("allreduce, 4 ranks on 1 node, host memory, 8 bytes"),
            "what is staged takes the host's schedules, and which is said: " + staged.out());
    }

    @Test
    void explainOfDeviceMemoryOnSeveralNodesSaysHowItIsStaged() {
        Ended sums = run("explain allreduce --space device --ranks 4 --nodes 2 --bytes 64M");
        assertTrue(sums.out().startsWith("allreduce, 4 ranks on 2 nodes, device memory, 64 MiB: staged\n"),
            sums.out() + sums.err());
        assertTrue(sums.out().contains("two-shot, push-two-phase, ring, paired (needs all ranks on one node)"),
            sums.out());
        assertTrue(sums.out().contains("  staging: one copy of the input to host memory at the beginning"), sums.out());
        assertTrue(sums.out().contains("\nallreduce, 4 ranks on 2 nodes, host memory, 64 MiB: "), sums.out());
        assertTrue(run("explain scatter --space device --ranks 4 --nodes 2 --bytes 64M").out()
            .contains("  staging: each message in pieces"));
        assertTrue(
            run("explain bcast --space device --ranks 4 --nodes 2 --streams").err().contains("leave out --nodes"));
    }

    @Test
    void explainSaysWhatRunsOnStreams() {
        Ended ended = run("explain allgather --space device --streams --ranks 2 --bytes 4K");
        assertTrue(ended.out().startsWith("allgather, 2 ranks on 1 node, device memory, on a stream, 4 KiB: packets\n"),
            ended.out() + ended.err());
        ended = run("explain bcast --space device --streams --ranks 2 --bytes 1G --schedule");
        assertTrue(ended.out().startsWith("bcast, 2 ranks on 1 node, device memory, on a stream, 1 GiB: push\n")
            && ended.out().contains("copy-engine (not on streams)"), ended.out() + ended.err());
    }

    @Test
    void verifyCountsAndSucceeds() {
        Ended ended = run("verify --ranks 1:4 --collective bcast");
        assertEquals(0, ended.code(), ended.out());
        assertTrue(ended.out().matches("(?s)[1-9]\\d* schedules verified, 0 failed\\R"
            + "[1-9]\\d* runs of straight-line code verified, 0 failed\\R"), ended.out());
        assertEquals(0, run("verify --ranks 3 --algorithm bcast/scatter-allgather").code());
    }

    @Test
    void verifyProvesWhatIsNamed() {
        Ended code = run("verify --ranks 2:4 --algorithm bcast/copy-in-copy-out");
        assertEquals(0, code.code(), code.out());
        assertTrue(code.out().matches("[1-9]\\d* runs of straight-line code verified, 0 failed\\R"), code.out());
        Ended tested = run("verify --ranks 2:4 --algorithm bcast/reflective-memory");
        assertTrue(tested.out().startsWith("bcast/reflective-memory: no schedule; compared with hierarchical"),
            tested.out());
        assertTrue(tested.out().endsWith("0 schedules verified, 0 failed" + System.lineSeparator()), tested.out());
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';',
        value = {"''; name a command", "explian bcast; there is no command explian",
            "explian bcast; Did you mean: brigade explain",
            "explain broadcast; is no collective; there are: barrier, bcast",
            "explain bcast --bytes x; no number of bytes",
            "explain bcast --ranks 2 --root 2; must be 1 or more", "verify --ranks 9:2; must be A:B",
            "verify --algorithm quick; is called 'quick'",
            "bench --ops broadcast; is no operation", "bench --sizes 8:4; no range of sizes",
            "bench --np 0; must be 1 or more",
            "bench --vs openmpi,x; '''x'' is no peer; there are openmpi, openmpi-ucx'",
            "bench --report a.pdf; name it .html, .svg or .json", "bench --save; belong to --regress",

            "bench --space device --vs mpich; --vs mpich is for host memory",
            "bench --regress --nodes 2; in host memory of one node",
            "bench --regress --buffers array; compares direct buffers",
            "bench --regress --vs mpich,x; '''x'' is no peer'", "bench --regress --vs ./mpi_bench; peers by name",
            "aggregator --mpi --payload 4294971392; is more than 2 GiB",
            "bench --metrics nccl --fresh; leave out --space, --vs, --fresh",
            "explain bcast --ranks 2 --nodes 2 --fabric sissci; did you mean sisci? there are: sisci, mpi, ucx",
            "explain bcast --ranks 2 --nodes 3; must be 1 to --ranks",
            "explain bcast --ranks 4 --nodes 2 --space device --streams; leave out --nodes",
            "explain bcast --streams; is for --space device",
            "explain scan --space device --streams; there is no scan on streams"})
    void aWrongLineExits2WithASentence(String line, String expected) {
        Ended ended = run(line);
        assertEquals(2, ended.code());
        assertTrue(ended.err().contains(expected), ended.err());
    }

    @Test
    void infoNamesWhatItFinds() {
        Ended ended = run("info");
        assertEquals(0, ended.code(), ended.err());
        for (String what : new String[] {"brigade ", "java ", "/dev/shm ", "launcher ", "tuning ", "tuning, device ",
            "CUDA ", "compiled code ", "single copy "}) {
            assertTrue(ended.out().lines().anyMatch(line -> line.startsWith(what)),
                () -> what + "is missing in\n" + ended.out());
        }
    }
}
