package org.brigade.topology.discovery;

import org.brigade.topology.system.SystemFiles;

/**
 * The kind of a machine's processor, in NCCL's words.
 *
 * @param arch {@code x86_64}, {@code arm64}, {@code ppc64}, or Java's word for anything else
 * @param vendor CPUID's, on x86_64; else ""
 * @param family CPUID's as NCCL adds it: Zen 5, the kernel's family 26 (15 + 11), is 15 + 11 * 16; -1 if unknown
 * @param model CPUID's, -1 if unknown
 */
record CpuIdentity(String arch, String vendor, int family, int model) {
    private static final int EXTENDED = 15;

    static CpuIdentity read(SystemFiles files, String osArch) {
        String arch = switch (osArch) {
            case "amd64", "x86_64" -> "x86_64";
            case "aarch64", "arm64" -> "arm64";
            case "ppc64le", "ppc64" -> "ppc64";
            default -> osArch;
        };
        if (!arch.equals("x86_64")) {
            return new CpuIdentity(arch, "", -1, -1);
        }
        String vendor = "";
        int family = -1;
        int model = -1;
        for (String line : files.text("proc/cpuinfo").split("\n")) {
            int colon = line.indexOf(':');
            if (colon < 0) {
                break; // the first processor's paragraph is enough
            }
            // Spaces around the vendor's name matter: one follows the colon.
            String value = line.substring(Math.min(line.length(), colon + 2));
            switch (line.substring(0, colon).strip()) {
                case "vendor_id" -> vendor = value;
                case "cpu family" -> family = number(value);
                case "model" -> model = number(value);
                default -> {}
            }
        }
        return new CpuIdentity(arch, vendor, family > EXTENDED ? EXTENDED + (family - EXTENDED << 4) : family, model);
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
