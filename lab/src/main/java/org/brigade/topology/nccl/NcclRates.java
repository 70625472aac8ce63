package org.brigade.topology.nccl;

/**
 * NCCL's dictionaries and constants (src/graph/topo.h and topo.cc, 2.30; RCCL's for AMD GPUs). Rates are bytes/s in one
 * direction: what transfers reach, not the signalling rate.
 */
public final class NcclRates {
    private static final double GB = 1e9;

    /** Inside a box, without limit: from a CPU to an adapter that is not on PCI, from a Broadcom switch to its twin. */
    public static final double LOCAL = 5000 * GB;

    /** A key, compared with the beginning of a text: the first match wins. */
    private record Entry(String prefix, int value) {
    }

    /**
     * In 100 Mbit/s for each lane. "16.0 GT/s" without " PCIe" is not among the keys, and so counts as Gen3. That is
     * NCCL's own default if NVML tells nothing.
     */
    private static final Entry[] LANES =
        {new Entry("2.5 GT/s", 15), new Entry("5 GT/s", 30), new Entry("8 GT/s", 60), new Entry("16 GT/s", 120),
            new Entry("32 GT/s", 240), new Entry("2.5 GT/s PCIe", 15), new Entry("5.0 GT/s PCIe", 30),
            new Entry("8.0 GT/s PCIe", 60), new Entry("16.0 GT/s PCIe", 120),
            new Entry("32.0 GT/s PCIe", 240), new Entry("64.0 GT/s PCIe", 480)};
    private static final int OTHER_LANE = 60;

    /** Kinds of devices by PCI class code. */
    enum DeviceClass { BRIDGE, NVSWITCH, CPU, GPU, NIC }

    private record ClassEntry(String prefix, DeviceClass value) {
    }

    /** 0x080100 is the data path of a ConnectX-8, 0x120000 an accelerator (RCCL), 0x068001 POWER's NVLink bridge. */
    private static final ClassEntry[] CLASSES =
        {new ClassEntry("0x060400", DeviceClass.BRIDGE), new ClassEntry("0x080100", DeviceClass.BRIDGE),
            new ClassEntry("0x068000", DeviceClass.NVSWITCH), new ClassEntry("0x068001", DeviceClass.CPU),
            new ClassEntry("0x03", DeviceClass.GPU),
            new ClassEntry("0x02", DeviceClass.NIC), new ClassEntry("0x120000", DeviceClass.GPU)};

    private NcclRates() {
    }

    /** The kind for a class code; unknown codes count as bridges. */
    static DeviceClass deviceClass(String code) {
        for (ClassEntry entry : CLASSES) {
            if (code.startsWith(entry.prefix)) {
                return entry.value;
            }
        }
        return DeviceClass.BRIDGE;
    }

    /**
     * A PCI link, from the words of sysfs ({@code 16.0 GT/s PCIe}) and a number of lanes; 0 means unknown and counts as
     * 16. Gen3 x16 is 12 GB/s.
     */
    public static double pci(String speed, int width) {
        return (width == 0 ? 16 : width) * lane(speed) / 80.0 * GB;
    }

    private static int lane(String speed) {
        for (Entry entry : LANES) {
            if (speed.startsWith(entry.prefix)) {
                return entry.value;
            }
        }
        return OTHER_LANE;
    }

    /** One NVLink of a GPU of a compute capability (90 for Hopper). */
    public static double nvlink(int sm) {
        if (sm >= 100) {
            return 40.1 * GB;
        }
        if (sm >= 90) {
            return 20.6 * GB;
        }
        if (sm == 86) {
            return 12 * GB;
        }
        return sm >= 60 && sm < 70 ? 18 * GB : 20 * GB;
    }

    /** One xGMI link of an AMD GPU; older files have 908 instead of gfx908. */
    public static double xgmi(String gcn) {
        String name = gcn.startsWith("gfx") ? gcn.substring(3) : gcn;
        if (name.startsWith("90a") || name.equals("910")) {
            return 36 * GB;
        }
        return name.startsWith("94") ? 48 * GB : 24 * GB;
    }

    /**
     * The link between two CPUs.
     *
     * @param arch {@code x86_64}, {@code arm64} or {@code ppc64}
     * @param vendor CPUID's, on x86_64
     * @param family CPUID's, with its extension as NCCL adds it
     */
    public static double betweenCpus(String arch, String vendor, int family, int model) {
        if (arch.startsWith("ppc64")) {
            return 32 * GB;
        }
        if (arch.startsWith("x86_64") && vendor.startsWith("AuthenticAMD")) {
            return 16 * GB;
        }
        if (arch.startsWith("x86_64") && vendor.startsWith("GenuineIntel") && family == 6) {
            return intel(model);
        }
        boolean zhaoxin = vendor.startsWith("CentaurHauls") || vendor.startsWith("  Shanghai  ");
        return zhaoxin && family == 7 && model == 0x5B ? 9 * GB : 6 * GB; // 6: Broadwell and before, ARM, older Zhaoxin
    }

    private static double intel(int model) {
        if (model >= 0xCF) {
            return 40 * GB; // Emerald Rapids
        }
        if (model >= 0x8F) {
            return 22 * GB; // Sapphire Rapids
        }
        return model >= 0x55 ? 10 * GB : 6 * GB; // Skylake; Broadwell
    }

    /** A network adapter's {@code speed} in Mbit/s; 0 and less count as 10 Gbit/s. */
    public static double net(int megabits) {
        return (megabits <= 0 ? 10000 : megabits) / 8000.0 * GB;
    }
}
