package org.brigade.transport.cuda;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.Map;
import java.util.Properties;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.DeviceAlgorithm;
import mpi.spi.Collective;
import org.brigade.select.Ladder;
import org.brigade.select.Selector;
import org.brigade.select.Settings;
import org.brigade.select.Space;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LaunchesTest {
    @ParameterizedTest
    @EnumSource
    void whatTheTableInTheJarChoosesCanBeLaunched(Collective collective) {
        Launches launches = new Launches(null, null, Numberings.BY_RANK, null);
        Selector selector = Selector.of(Space.DEVICE, new Settings(new Properties(), Map.of()));
        for (int ranks = 1; ranks <= 9; ranks++) {
            Ladder ladder = selector.ladder(collective, ranks, true);
            for (int step = 0; step < ladder.steps(); step++) {
                Algorithm algorithm = ladder.choice(step).algorithm();
                if (!((DeviceAlgorithm) algorithm).staged()) {
                    assertNotNull(launches.named(algorithm.name()), collective.key() + " on " + ranks + " ranks takes " + algorithm.name() + " by " + ladder.choice(step).rule());
                }
            }
        }
    }
}
