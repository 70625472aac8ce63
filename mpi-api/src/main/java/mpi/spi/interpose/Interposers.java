package mpi.spi.interpose;

import mpi.spi.Communicator;
import mpi.spi.Operation;

/** The {@link Interposer}s of this process, the outermost first. Almost always there are none. */
public final class Interposers {
    private static Interposer[] tools = {};
    private static Communicator world;

    private Interposers() {
    }

    /**
     * Adds a tool below those that are there: the calls reach it last. Before Init, or from the provider's own Init.
     *
     * @throws IllegalStateException if the program has been given its communicators
     */
    public static synchronized void add(Interposer tool) {
        if (world != null) {
            throw new IllegalStateException(
                "this process has joined its job, and its communicators are made; add the tool before Init, or name"
                    + " its class in the setting brigade.interpose");
        }
        Interposer[] more = new Interposer[tools.length + 1];
        System.arraycopy(tools, 0, more, 0, tools.length);
        more[tools.length] = tool;
        tools = more;
    }

    /**
     * Adds the tools that a list names.
     *
     * @param classes their names with commas between them; null for none
     * @throws IllegalArgumentException if one cannot be made; its message has the cure
     */
    public static void addNamed(String classes) {
        for (int from = 0; classes != null && from <= classes.length();) {
            int comma = classes.indexOf(',', from);
            int to = comma < 0 ? classes.length() : comma;
            add(make(classes.substring(from, to).trim()));
            from = to + 1;
        }
    }

    private static Interposer make(String name) {
        String cure;
        try {
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            Object made = Class.forName(name, true, loader == null ? Interposers.class.getClassLoader() : loader)
                .getConstructor().newInstance();
            if (made instanceof Interposer tool) {
                return tool;
            }
            cure = "is no subclass of mpi.spi.interpose.Interposer";
        } catch (ClassNotFoundException e) {
            cure = "is not on the class path";
        } catch (ReflectiveOperationException e) {
            cure = "cannot be made by a public constructor without parameters: "
                + (e.getCause() == null ? e : e.getCause());
        }
        throw new IllegalArgumentException("brigade.interpose names class '" + name + "', which " + cure);
    }

    /** A communicator that a program's calls are to reach through all tools; the same one if there are none. */
    public static Communicator wrap(Communicator below) {
        Communicator outermost = below;
        for (int i = tools.length - 1; i >= 0; i--) {
            outermost = InterposedCommunicator.wrap(tools[i], outermost);
        }
        return outermost;
    }

    /** Waits for one of several operations through all tools. */
    public static int awaitAny(Interposer.AnyWait below, Operation[] operations, int n) {
        Interposer.AnyWait outermost = below;
        for (int i = tools.length - 1; i >= 0; i--) {
            Interposer tool = tools[i];
            Interposer.AnyWait next = outermost;
            outermost = (all, count) -> tool.awaitAny(next, all, count);
        }
        return outermost.await(operations, n);
    }

    /** Whether there is none, as in almost every job. */
    public static boolean none() {
        return tools.length == 0;
    }

    /** Tells the tools that the job has been joined. */
    public static void joined(Communicator lowest) {
        world = lowest;
        for (int i = tools.length - 1; i >= 0; i--) {
            tools[i].joined(lowest);
        }
    }

    /** Tells the tools that Finalize has been called. */
    public static void leaving() {
        for (Interposer tool : tools) {
            tool.leaving(world);
        }
    }
}
