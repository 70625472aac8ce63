package org.brigade.device;

import org.brigade.setting.Portable;

/**
 * The devices of this process. They are looked for when someone first asks, as that starts their driver. Where to look
 * is told by the module that assembles the jar; until it is loaded, there are none.
 */
public final class LocalDevices {
    /** Where devices are found. */
    public interface Source {
        /** The devices of this process; null without brigade-cuda.jar. */
        Devices devices();
    }

    private static Source source;
    private static Devices devices;
    private static boolean sought;

    private LocalDevices() {
    }

    /** Tells where to look. */
    public static synchronized void comeFrom(Source its) {
        source = its;
    }

    /** The devices; null if there are none, and in the portable mode. */
    public static synchronized Devices find() {
        if (!sought && source != null && !Portable.ON) {
            sought = true;
            devices = source.devices();
        }
        return devices;
    }

    /** The devices if anyone has asked for them; else null. */
    public static synchronized Devices foundSoFar() {
        return devices;
    }
}
