package org.brigade.communicator;

import java.nio.charset.StandardCharsets;
import org.brigade.process.Platform;

/** This machine's name, without asking the network. */
final class HostName {
    private HostName() {
    }

    static String get() {
        String name = new String(Platform.here().kernel("/proc/sys/kernel/hostname"), StandardCharsets.UTF_8).strip();
        String windows = System.getenv("COMPUTERNAME");
        if (name.isEmpty()) {
            name = windows == null ? System.getenv("HOSTNAME") : windows; // a shell's environment may know
        }
        return name == null || name.isEmpty() ? "localhost" : name;
    }
}
