package org.brigade.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Properties;
import org.brigade.setting.Quantity;
import org.brigade.setting.Setting;
import org.junit.jupiter.api.Test;

class SettingsTest {
    private static Settings with(String property, String value) {
        Properties properties = new Properties();
        properties.setProperty("java.version", "17");
        properties.setProperty(property, value);
        return new Settings(properties, Map.of());
    }

    private static String complaint(String property, String value) {
        return assertThrows(TuningException.class, with(property, value)::validate).getMessage();
    }

    private static Settings inEnvironment(String variable, String value) {
        return new Settings(new Properties(), Map.of("PATH", "/bin", variable, value));
    }

    @Test
    void aSettingThatDoesNotExistIsNamedWithTheNearestThatDoes() {
        assertEquals(
            "-Dbrigade.bcst.algorithm is no setting of Brigade; did you mean brigade.bcast.algorithm? brigade info"
                + " --settings lists what there is",
            complaint("brigade.bcst.algorithm", "chain"));
        assertTrue(complaint("brigade.tunning", "x").contains("did you mean brigade.tuning?"));
        assertEquals("-Dbrigade.nothing.like.it is no setting of Brigade; brigade info --settings lists what there is",
            complaint("brigade.nothing.like.it", "x"));
        assertEquals("-Dbrigade.sisci.mode is read from the environment only: set BRIGADE_SISCI_MODE",
            complaint("brigade.sisci.mode", "weak"));
    }

    @Test
    void aVariableThatDoesNotExistIsNamedWithTheNearestThatDoesAndIsNoError() {
        inEnvironment("BRIGADE_TUNNING", "x").validate();
        assertEquals(
            "BRIGADE_TUNNING is no variable of Brigade and does nothing; did you mean BRIGADE_TUNING? brigade info"
                + " --settings lists what there is",
            inEnvironment("BRIGADE_TUNNING", "x").unknownVariables());
        assertTrue(
            inEnvironment("BRIGADE_SISCI_MOD", "x").unknownVariables().contains("did you mean BRIGADE_SISCI_MODE?"));
        assertTrue(inEnvironment("BRIGADE_BCAST_ALGORITM", "x").unknownVariables()
            .contains("did you mean BRIGADE_BCAST_ALGORITHM?"));
        assertFalse(inEnvironment("BRIGADE_SOMETHING_ELSE", "x").unknownVariables().contains("did you mean"));
        assertNull(inEnvironment("BRIGADIER", "x").unknownVariables());
    }

    @Test
    void everythingThatThereIsIsKnownInTheEnvironmentToo() {
        for (Setting each : Setting.all()) {
            assertNull(inEnvironment(Setting.variable(each.key), "").unknownVariables(), each.key);
        }
        for (String[] each : Setting.variables()) {
            assertNull(inEnvironment("BRIGADE_" + each[0], "").unknownVariables(), each[0]);
        }
        assertNull(inEnvironment("BRIGADE_REDUCE_SCATTER_DEVICE_SHARE", "").unknownVariables());
        assertEquals("BRIGADE_REDUCE_SCATTER_CHUNK=much must be a number from 64 to 1024G, such as 64K",
            assertThrows(TuningException.class, inEnvironment("BRIGADE_REDUCE_SCATTER_CHUNK", "much")::validate)
                .getMessage());
    }

    @Test
    void aNumberOutOfItsBoundsIsRefusedWhereverItIsSet() {
        for (Setting each : Setting.all()) {
            if (!each.accepts("nonsense")) {
                String variable = Setting.variable(each.key);
                assertEquals("-Dbrigade." + each.key + "=nonsense " + each.must(),
                    complaint("brigade." + each.key, "nonsense"));
                assertEquals(variable + "=nonsense " + each.must(),
                    assertThrows(TuningException.class, inEnvironment(variable, "nonsense")::validate).getMessage());
            }
        }
        assertEquals("-Dbrigade.init.timeout=0 must be a number from 1 to 86400, such as 60 (seconds)",
            complaint("brigade.init.timeout", "0"));
        assertEquals(300, inEnvironment("BRIGADE_INIT_TIMEOUT", "300").number("init.timeout", 60));
        assertEquals(60, with("brigade.check", "true").number("init.timeout", 60));
    }

    @Test
    void whoReadsANumberEarlyTakesTheUsualOneForNonsense() {
        System.setProperty("brigade.mpi.patience", "nonsense");
        try {
            assertEquals(60, Setting.number("mpi.patience", 60));
            System.setProperty("brigade.mpi.patience", "7");
            assertEquals(7, Setting.number("mpi.patience", 60));
        } finally {
            System.clearProperty("brigade.mpi.patience");
        }
        assertThrows(IllegalArgumentException.class, () -> Setting.of("mpi.patiense"),
            "what is read must be in the list");
    }

    @Test
    void aSwitchIsTrueOrFalse() {
        assertTrue(complaint("brigade.check", "yes").contains("-Dbrigade.check=yes must be true or false"));
        with("brigade.check", "true").validate();
        assertTrue(with("brigade.check", "true").isOn("check"));
        assertFalse(with("brigade.check", "false").isOn("check"));
        assertTrue(new Settings(new Properties(), Map.of("BRIGADE_CHECK", "true")).isOn("check"));
    }

    @Test
    void anAlgorithmThatDoesNotExistShowsBeforeItsCollectiveIsCalled() {
        assertTrue(complaint("brigade.bcast.algorithm", "nope").contains("names no algorithm of bcast"));
        assertTrue(complaint("brigade.reduce-scatter.chunk", "much").contains("brigade.reduce-scatter.chunk"));
        with("brigade.reduce-scatter.algorithm", "ring").validate();
        assertTrue(complaint("brigade.bcast.device.algorithm", "binomial")
            .contains("names no algorithm of bcast on device memory; there are: packets, lines, push"));
        assertTrue(complaint("brigade.bcast.device.share", "60").contains("must be a number from 0 to 50"));
        assertTrue(complaint("brigade.bcast.device.radix", "4").contains("is no setting"));
        with("brigade.bcast.device.algorithm", "copy-engine").validate();
    }

    @Test
    void residentModeIsOnOrOffAndHasItsBounds() {
        assertTrue(
            complaint("brigade.device.resident", "yes").contains("-Dbrigade.device.resident=yes must be on or off"));
        assertTrue(complaint("brigade.device.resident.idle", "1000000").contains("must be a number from 1 to"));
        assertFalse(ResidentMode.of(with("brigade.check", "true")).on());
        ResidentMode mode = ResidentMode.of(with("brigade.device.resident", "on"));
        assertTrue(mode.on() && mode.idleNanos() == 200_000, mode::toString);
        assertNotEquals(with("brigade.device.resident", "off").fingerprint(),
            with("brigade.device.resident", "on").fingerprint());
        assertEquals(with("brigade.device.resident", "off").fingerprint(),
            with("brigade.check", "false").fingerprint());
    }

    @Test
    void theFingerprintTellsWhatRanksMustShareAndNothingElse() {
        long none = with("brigade.spins", "7").fingerprint();
        assertEquals(none, with("brigade.eager", "1024").fingerprint());
        assertNotEquals(none, with("brigade.check", "true").fingerprint());
        assertNotEquals(none, with("brigade.bcast.algorithm", "chain").fingerprint());
        assertNotEquals(none, with("brigade.bcast.device.algorithm", "chain").fingerprint());
        assertNotEquals(with("brigade.bcast.device.algorithm", "chain").fingerprint(),
            with("brigade.bcast.algorithm", "chain").fingerprint());
        for (Setting each : Setting.all()) {
            String value = each.accepts("on") && each.unit == null ? "on" : each.accepts("true") && each.unit == null
                ? "true" : each.accepts("65") ? "65" : "256K";
            if (!each.key.equals("device.tuning")) { // of which the file is compared
                assertEquals(each.shared, with("brigade." + each.key, value).fingerprint() != none, each.key);
            }
        }
        assertEquals(with("brigade.mpi.window", "64K").fingerprint(), inEnvironment("BRIGADE_MPI_WINDOW",
            "65536").fingerprint());
        assertEquals(none, with("brigade.device.resident.bytes", "65536").fingerprint(), "the standard, said");
        assertNotEquals(with("brigade.bcast.chunk", "64K").fingerprint(),
            with("brigade.bcast.chunk", "128K").fingerprint());
    }

    @Test
    void aDisagreementNamesWhatThisRankWasGiven() {
        Settings set = with("brigade.mpi.window", "64K");
        assertEquals("rank 3 was given other settings than this rank (which has -Dbrigade.mpi.window=64K),"
            + " so the two would not understand each other; give all ranks the same -Dbrigade.* and BRIGADE_*",
            set.disagreement(3, true));
        assertTrue(with("brigade.spins", "7").disagreement(3, true).contains("(which has none)"));
        assertTrue(set.disagreement(3, false).startsWith("rank 3 was given another tuning table than this rank, so"));
    }

    @Test
    void everyStandardIsAccepted() {
        for (Setting each : Setting.all()) {
            if (each.unit != null && Quantity.parse(each.standard) >= 0) {
                assertTrue(each.accepts(each.standard), each.key + ": " + each.standard);
            }
        }
    }

    @Test
    void aForcedRingOrderNamesEveryRankOnce() {
        assertTrue(
            complaint("brigade.ring.order", "0,2,two").contains("-Dbrigade.ring.order=0,2,two must name every rank"));
        assertTrue(complaint("brigade.ring.order", "0,2,2")
            .contains("rank 2 at position 2 of an order of 3 ranks appears twice"));
        assertTrue(complaint("brigade.ring.order", "1,2,3")
            .contains("rank 3 at position 2 of an order of 3 ranks does not exist"));
        assertTrue(complaint("brigade.ring.order", "0,,1").contains("separated by commas"));
        assertEquals(2, RingOrder.of(with("brigade.ring.order", " 2, 0,1 ")).rank(0));
        assertNull(RingOrder.of(with("brigade.check", "true")));
        assertNotEquals(with("brigade.ring.order", "0,1,2").fingerprint(),
            with("brigade.ring.order", "0,2,1").fingerprint());
    }

    @Test
    void aTopologyProfileThatIsNotThereShowsAtOnce() {
        assertTrue(complaint("brigade.topology.profile", "/nowhere/profile.xml")
            .contains("-Dbrigade.topology.profile=/nowhere/profile.xml: there is no such file"));
        with("brigade.topology.profile", "none").validate();
    }
}
