package org.brigade.transport.shm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import org.brigade.bootstrap.Job;
import org.brigade.bootstrap.exchange.ExchangeFile;
import org.brigade.bootstrap.exchange.FileExchange;
import org.brigade.process.MakerName;
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
}
