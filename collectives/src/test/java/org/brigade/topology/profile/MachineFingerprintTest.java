package org.brigade.topology.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineFingerprintTest {
    @TempDir
    Path root;

    private void file(String path, String text) throws Exception {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    @Test
    void whatTheKernelSaysIsRead() throws Exception {
        file("proc/sys/kernel/hostname", "node17\n");
        file("proc/cpuinfo",
            "processor\t: 0\nmodel name\t: AMD EPYC 7742\n\nprocessor\t: 1\nmodel name\t: AMD EPYC 7742\n");
        file("sys/devices/system/node/node0/cpumap", "1");
        file("sys/devices/system/node/node1/cpumap", "2");
        file("sys/devices/system/node/online", "0-1");
        file("sys/module/nvidia/version", "580.95.05\n");
        for (String[] device : new String[][] {{"0000:c1:00.0", "0x10de", "0x030200", "0x2335"},
            {"0000:21:00.0", "0x10de", "0x030200", "0x2335"}, {"0000:05:00.0", "0x10de", "0x068000", "0x22a3"},
            {"0000:06:00.0", "0x15b3", "0x020700", "0x1021"}}) {
            file("sys/bus/pci/devices/" + device[0] + "/vendor", device[1] + "\n");
            file("sys/bus/pci/devices/" + device[0] + "/class", device[2] + "\n");
            file("sys/bus/pci/devices/" + device[0] + "/device", device[3] + "\n");
        }
        assertEquals(
            new MachineFingerprint("node17", "AMD EPYC 7742", 2, 2, "580.95.05",
                List.of("0000:21:00.0 10de:2335", "0000:c1:00.0 10de:2335")),
            MachineFingerprint.read(root.resolve("proc"), root.resolve("sys"), 9));
    }

    @Test
    void aMachineThatSaysNothingHasAFingerprintToo() {
        MachineFingerprint none = MachineFingerprint.read(root.resolve("no"), root.resolve("where"), 9);
        assertEquals(new MachineFingerprint("", "", 9, 1, "", List.of()), none);
        assertTrue(none.defaultFile(Path.of("/home"), "host").getFileName().toString()
            .matches("profile--[0-9a-f]+-host\\.xml"));
    }

    @Test
    void thisMachineIsLikeItself() {
        assertEquals(List.of(), MachineFingerprint.here().differencesTo(MachineFingerprint.here()));
        assertFalse(MachineFingerprint.here().host().isEmpty());
    }

    @Test
    void anotherDriverIsADifferenceButNotAnotherFile() {
        MachineFingerprint one = new MachineFingerprint("a/b", "cpu", 2, 1, "550", List.of());
        MachineFingerprint two = new MachineFingerprint("a/b", "cpu", 2, 1, "", List.of());
        assertEquals(List.of("its NVIDIA driver is 550, and here it is unknown"), one.differencesTo(two));
        assertEquals(one.defaultFile(Path.of("/home"), "host"),
            two.defaultFile(Path.of("/home"), "host"));
        assertTrue(
            one.defaultFile(Path.of("/home"), "host").getFileName().toString().startsWith("profile-a_b-"),
            one.defaultFile(Path.of("/home"), "host").toString());
    }
}
