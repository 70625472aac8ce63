package org.brigade.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Properties;
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

    @Test
    void aSettingThatDoesNotExistIsNamedWithThoseThatDo() {
        String said = complaint("brigade.bcst.algorithm", "chain");
        assertTrue(said.contains("-Dbrigade.bcst.algorithm is no setting") && said.contains("shm.segment") && said.contains("brigade.bcast.algorithm"), said);
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
        assertTrue(complaint("brigade.bcast.device.algorithm", "binomial").contains("names no algorithm of bcast on device memory; there are: packets, push"));
        assertTrue(complaint("brigade.bcast.device.share", "60").contains("must be a number from 0 to 50"));
        assertTrue(complaint("brigade.bcast.device.radix", "4").contains("is no setting"));
        with("brigade.bcast.device.algorithm", "copy-engine").validate();
    }

    @Test
    void residentModeIsOnOrOffAndHasItsBounds() {
        assertTrue(complaint("brigade.device.resident", "yes").contains("-Dbrigade.device.resident=yes must be on or off"));
        assertTrue(complaint("brigade.device.resident.idle", "1000000").contains("must be a number from 1 to"));
        assertFalse(ResidentMode.of(with("brigade.check", "true")).on());
        ResidentMode mode = ResidentMode.of(with("brigade.device.resident", "on"));
        assertTrue(mode.on() && mode.idleNanos() == 200_000, mode::toString);
        assertNotEquals(with("brigade.device.resident", "off").fingerprint(), with("brigade.device.resident", "on").fingerprint());
        assertEquals(with("brigade.device.resident", "off").fingerprint(), with("brigade.check", "false").fingerprint());
    }

    @Test
    void theFingerprintTellsWhatRanksMustShareAndNothingElse() {
        long none = with("brigade.spins", "7").fingerprint();
        assertEquals(none, with("brigade.eager", "1024").fingerprint());
        assertNotEquals(none, with("brigade.check", "true").fingerprint());
        assertNotEquals(none, with("brigade.bcast.algorithm", "chain").fingerprint());
        assertNotEquals(none, with("brigade.bcast.device.algorithm", "chain").fingerprint());
        assertNotEquals(with("brigade.bcast.device.algorithm", "chain").fingerprint(), with("brigade.bcast.algorithm", "chain").fingerprint());
        assertNotEquals(with("brigade.bcast.chunk", "64K").fingerprint(), with("brigade.bcast.chunk", "128K").fingerprint());
    }

    @Test
    void aForcedRingOrderNamesEveryRankOnce() {
        assertTrue(complaint("brigade.ring.order", "0,2,two").contains("-Dbrigade.ring.order=0,2,two must name every rank"));
        assertTrue(complaint("brigade.ring.order", "0,2,2").contains("rank 2 at position 2 of an order of 3 ranks is there twice"));
        assertTrue(complaint("brigade.ring.order", "1,2,3").contains("rank 3 at position 2 of an order of 3 ranks is none of them"));
        assertTrue(complaint("brigade.ring.order", "0,,1").contains("separated by commas"));
        assertEquals(2, RingOrder.of(with("brigade.ring.order", " 2, 0,1 ")).rank(0));
        assertNull(RingOrder.of(with("brigade.check", "true")));
        assertNotEquals(with("brigade.ring.order", "0,1,2").fingerprint(), with("brigade.ring.order", "0,2,1").fingerprint());
    }

    @Test
    void aTopologyProfileThatIsNotThereShowsAtOnce() {
        assertTrue(complaint("brigade.topology.profile", "/nowhere/profile.xml").contains("-Dbrigade.topology.profile=/nowhere/profile.xml: there is no such file"));
        with("brigade.topology.profile", "none").validate();
    }
}
