package org.brigade.launch.options;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells whether a host's name means this machine. */
final class ThisMachine {
    private ThisMachine() {
    }

    static boolean is(String name) {
        if (name.equals("localhost") || name.equals("127.0.0.1") || name.equals("+self")) {
            return true;
        }
        String own = System.getenv("HOSTNAME");
        try {
            own = Files.readString(Path.of("/proc/sys/kernel/hostname")).trim();
        } catch (IOException unreadable) {
            // the shell's variable is mostly right
        }
        if (own != null && (name.equals(own) || own.startsWith(name + ".") || name.startsWith(own + "."))) {
            return true;
        }
        try {
            for (InetAddress each : InetAddress.getAllByName(name)) {
                if (each.isLoopbackAddress() || NetworkInterface.getByInetAddress(each) != null) {
                    return true;
                }
            }
            return false;
        } catch (IOException unknown) {
            return false;
        }
    }
}
