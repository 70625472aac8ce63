package org.brigade.transport.shm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.brigade.bootstrap.Job;
import org.brigade.bootstrap.exchange.ExchangeFile;
import org.brigade.bootstrap.exchange.FileExchange;
import org.brigade.process.MakerName;
import org.brigade.process.ProcessIdentity;
import org.brigade.process.SiblingRank;
import org.brigade.process.Strangers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Anybody may make files in /dev/shm, with any name. */
@Timeout(60)
class ReachTest {
    @TempDir
    Path directory;

    @Test
    void filesOfOthersThatAreNamedLikeARanksAreNoRanks() throws Exception {
        Job job = new Job("test", 0, 1, 0, 1, "key", 0, 1);
        String prefix = MakerName.prefix(MakerName.uid()) + job.key() + ".n" + job.node() + "-";
        for (String rank : new String[] {"5", "no-number", "99999999999"}) {
            Strangers.give(Files.createFile(directory.resolve(prefix + rank + "~1~1~1")));
        }
        try (ExchangeFile file = ExchangeFile.create(1);
            FileExchange exchange = FileExchange.open(job, file.place(), 10_000)) {
            assertArrayEquals(new int[] {0}, new Reach(job, directory, exchange).ranks());
        }
    }

    @Test
    void theFirstRanksProcessIsKnownUnlessAnotherRankCountsProcessesOtherwise() throws Exception {
        ProcessIdentity self = ProcessIdentity.self();
        ProcessIdentity sibling = new ProcessIdentity(self.pid() + 1, 1, self.namespace());
        ProcessIdentity stranger = new ProcessIdentity(1, 1, self.namespace() + 1);
        assertEquals(List.of(sibling.pid()), first(sibling, self).pids());
        assertNull(first(sibling, self, stranger));
        assertNull(first(stranger, self));
        assertNull(first(ProcessIdentity.THREAD, ProcessIdentity.THREAD, self), "processes that are not known");
    }

    /** What this process, one of these ranks, knows of the first; it exchanges with itself alone. */
    private SiblingRank first(ProcessIdentity... processes) throws Exception {
        int mine = List.of(processes).indexOf(ProcessIdentity.self());
        Job alone = new Job("test", 0, 1, 0, 1, "key", 0, 1);
        String prefix = MakerName.prefix(MakerName.uid()) + alone.key() + ".n0-";
        List<Path> others = new ArrayList<>();
        for (int rank = 0; rank < processes.length; rank++) {
            if (rank != mine) {
                others.add(Files.createFile(directory.resolve(prefix + rank + MakerName.madeBy(processes[rank]))));
            }
        }
        try (ExchangeFile file = ExchangeFile.create(1);
            FileExchange exchange = FileExchange.open(alone, file.place(), 10_000)) {
            Reach reach = new Reach(new Job("test", mine, processes.length, mine, processes.length, "key", 0, 1),
                directory, exchange);
            reach.ranks();
            return reach.first();
        } finally {
            for (Path other : others) {
                Files.delete(other);
            }
        }
    }
}
