package org.brigade.transport.cuda;

import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;

/** What the software driver has counted in this process so far. */
public final class DriverCounts {
    private static final NativeLibrary DRIVER = NativeLibrary.getInstance("libcuda.so.1");

    private DriverCounts() {
    }

    /** Whether the driver is the software one. */
    static boolean areThere() {
        try {
            return DRIVER.getFunction("software_stops") != null;
        } catch (UnsatisfiedLinkError anotherDriver) {
            return false;
        }
    }

    /** Calls in which NVIDIA's driver waits for everything on the device, or may. */
    public static long stops() {
        return count("software_stops");
    }

    /** Questions about an address. */
    public static long questions() {
        return count("software_questions");
    }

    /** Kernels that were launched. */
    public static long launches() {
        return count("software_launches");
    }

    private static long count(String name) {
        Function function = DRIVER.getFunction(name);
        return function.invokeLong(new Object[0]);
    }
}
