package org.brigade.transport.sisci;

import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;
import org.brigade.transport.sisci.adapter.Sisci;
import org.brigade.transport.sisci.adapter.SisciLibrary;

/**
 * The software library in this process, in the modes that a test asks for. One fabric a process; it begins anew with
 * each mode.
 */
final class Emulated {
    /** A fabric that no other process of this machine has. */
    static final String FABRIC = "test-" + ProcessHandle.current().pid();

    private static boolean loaded;
    private static boolean running;

    private Emulated() {
    }

    /**
     * Begins anew.
     *
     * @param mode as BRIGADE_SISCI_MODE; null for none
     * @param fault as BRIGADE_SISCI_FAULT; null for none
     */
    static synchronized void begin(String mode, String fault) {
        if (running) {
            Sisci.terminate();
            running = false;
        }
        set("BRIGADE_SISCI_FABRIC", FABRIC);
        set("BRIGADE_SISCI_MODE", mode);
        set("BRIGADE_SISCI_FAULT", fault);
        boolean fresh = !loaded;
        String missing = SisciLibrary.emulated();
        if (missing != null) {
            throw new AssertionError(missing);
        }
        loaded = true;
        if (!fresh) {
            Sisci.initialize();
        }
        running = true;
    }

    /** In the environment as C sees it; Java's own copy stays. */
    static void set(String name, String value) {
        NativeLibrary libc = NativeLibrary.getInstance("c");
        if (value == null) {
            Function unset = libc.getFunction("unsetenv");
            unset.invokeInt(new Object[] {name});
        } else {
            Function set = libc.getFunction("setenv");
            set.invokeInt(new Object[] {name, value, 1});
        }
    }
}
