package org.brigade.launch;

import java.lang.reflect.Proxy;

/** What a launcher does that is interrupted once more while it ends. The JVM itself ignores a second Ctrl-C. */
final class SecondInterrupt {
    private static final int INTERRUPTED = 130;

    private SecondInterrupt() {
    }

    /** The next SIGINT makes this step and ends the process. Called when the shutdown has begun. */
    static void calls(Runnable step) {
        try {
            // By name: the compiler warns of this class, and a small runtime need not have it.
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object ours = Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler},
                (proxy, method, arguments) -> {
                    step.run();
                    Runtime.getRuntime().halt(INTERRUPTED);
                    return null;
                });
            signal.getMethod("handle", signal, handler).invoke(null,
                signal.getConstructor(String.class).newInstance("INT"), ours);
        } catch (ReflectiveOperationException | IllegalArgumentException absent) {
            // Then SIGKILL ends the ranks after their time.
        }
    }
}
