package org.brigade.communicator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** This machine's name, without asking the network. */
final class HostName {
    private HostName() {
    }

    static String get() {
        try {
            String name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
            if (!name.isEmpty()) {
                return name;
            }
        } catch (IOException e) {
            // no /proc: the environment may know
        }
        String name = System.getenv("HOSTNAME");
        return name == null || name.isEmpty() ? "localhost" : name;
    }
}
