package org.brigade.nativ;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;

/**
 * Keeps the JVM's signal handlers while a native library starts that would replace them. The JVM needs its own: it uses
 * SIGSEGV on purpose. Loads JNA.
 */
public final class SignalHandlers {
    private static final int SIGNALS = 31;
    private static final int SIGKILL = 9;
    private static final int SIGSTOP = 19;
    /** More than any Linux's struct sigaction, whose first member is the handler. */
    private static final int ACTION_BYTES = 256;
    private static final long IGNORED = 1;

    static {
        Jna.prepare();
        Native.register(SignalHandlers.class, "c");
    }

    private final Memory actions = new Memory((long) (SIGNALS + 2) * ACTION_BYTES);

    private SignalHandlers() {
        actions.clear();
    }

    private static native int sigaction(int signal, long action, long before);

    /** The present handlers. */
    public static SignalHandlers ofNow() {
        SignalHandlers now = new SignalHandlers();
        for (int signal = 1; signal <= SIGNALS; signal++) {
            if (signal != SIGKILL && signal != SIGSTOP) {
                sigaction(signal, 0, now.at(signal));
            }
        }
        return now;
    }

    /** Restores those that were replaced. Signals without a handler before keep their new one. */
    public void restore() {
        for (int signal = 1; signal <= SIGNALS; signal++) {
            long handler = actions.getLong((long) signal * ACTION_BYTES);
            if (handler != 0 && handler != IGNORED) {
                sigaction(signal, 0, at(SIGNALS + 1));
                if (actions.getLong((long) (SIGNALS + 1) * ACTION_BYTES) != handler) {
                    sigaction(signal, at(signal), 0);
                }
            }
        }
    }

    private long at(int place) {
        return Pointer.nativeValue(actions) + (long) place * ACTION_BYTES;
    }
}
