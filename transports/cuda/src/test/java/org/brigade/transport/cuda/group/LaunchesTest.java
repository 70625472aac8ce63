package org.brigade.transport.cuda.group;

import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import mpi.spi.Collective;
import org.brigade.algorithm.DeviceAlgorithm;
import org.brigade.algorithm.catalogue.DeviceCatalogue;
import org.brigade.select.Choice;
import org.brigade.transport.cuda.kernel.KernelOrders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LaunchesTest {
    private static Choice choice(Collective collective, String algorithm) {
        return new Choice(DeviceCatalogue.find(collective, algorithm), 0, 2, 0, 0, "the test");
    }

    @Test
    void aKernelIsLaunchedByOneObjectWhateverTheCollective() {
        Launches launches = new Launches(null, null, KernelOrders.BY_RANK, null);
        FusedLaunch push = launches.of(choice(Collective.BCAST, "push"));
        for (String other : new String[] {"packets", "chain", "scatter-allgather", "copy-engine"}) {
            assertNotSame(push, launches.of(choice(Collective.BCAST, other)));
        }
        assertNotSame(push, launches.of(choice(Collective.REDUCE, "pull")));
        assertSame(push, launches.of(choice(Collective.ALLTOALL, "push")));
        assertNotSame(push, launches.another().of(choice(Collective.ALLTOALL, "push")));
    }

    /** The macros of the CUDA texts make the names; so this looks for what they are given. */
    @ParameterizedTest
    @EnumSource
    void whatTheCatalogueNamesIsInTheCudaTexts(Collective collective) throws IOException {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.list(Path.of("src/main/cuda"))) {
            for (Path file : (Iterable<Path>) files::iterator) {
                text.append(Files.readString(file));
            }
        }
        for (DeviceAlgorithm algorithm : DeviceCatalogue.of(collective)) {
            if (!algorithm.staged()) {
                String symbol =
                    "brigade_" + (collective.reduces ? algorithm.kernel().symbol() : algorithm.kernel().movingSymbol());
                assertTrue(text.indexOf(symbol) >= 0, collective.key() + "/" + algorithm.name() + ": no " + symbol);
            }
        }
    }
}
