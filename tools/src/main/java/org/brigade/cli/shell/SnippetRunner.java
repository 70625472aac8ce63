package org.brigade.cli.shell;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import jdk.jshell.execution.DirectExecutionControl;
import jdk.jshell.spi.ExecutionControl.ClassBytecodes;
import jdk.jshell.spi.ExecutionControl.ClassInstallException;
import jdk.jshell.spi.ExecutionControl.EngineTerminationException;
import jdk.jshell.spi.ExecutionControl.NotImplementedException;
import jdk.jshell.spi.SPIResolutionException;
import mpi.MPI;
import org.brigade.cli.shell.ShellMessage.Answer;
import org.brigade.cli.shell.ShellMessage.Invoke;

/** Loads and runs, in a rank's own process and on its main thread, what the console has compiled. */
final class SnippetRunner extends DirectExecutionControl {
    private static final int MOST_LETTERS = 2000;
    /** Names that JShell gives to the classes around snippets. */
    private static final String WRAPPERS = "REPL\\.\\$JShell\\$\\w+[.$]";

    /** A class that does not load is an error of the line that needs it, which comes next. */
    void load(ShellMessage.Load message) {
        try {
            load(message.classes());
        } catch (ClassInstallException | NotImplementedException | EngineTerminationException e) {
            String[] names = Arrays.stream(message.classes()).map(ClassBytecodes::name).toArray(String[]::new);
            System.err.println("these classes do not load here: " + Arrays.toString(names) + ": " + e.getMessage());
        }
    }

    Answer run(Invoke message) {
        try {
            Method method = findClass(message.owner()).getDeclaredMethod(message.method());
            method.setAccessible(true);
            if (message.aligned()) {
                MPI.COMM_WORLD.barrier();
            }
            long[] nanos = new long[message.repeats()];
            Object value = null;
            for (int i = 0; i < nanos.length; i++) {
                long begin = System.nanoTime();
                value = method.invoke(null);
                nanos[i] = System.nanoTime() - begin;
            }
            Arrays.sort(nanos);
            return new Answer(message.run(), false, shortened(valueString(value)), nanos[nanos.length / 2]);
        } catch (InvocationTargetException e) {
            return e.getCause() instanceof SPIResolutionException
                ? new Answer(message.run(), true, "a method cannot run before all that it refers to is declared", 0)
                : thrown(message, e.getCause());
        } catch (Throwable e) { // also an Error of valueString's toString, which the session must survive
            return thrown(message, e);
        }
    }

    private static Answer thrown(Invoke message, Throwable thrown) {
        StringBuilder text = new StringBuilder(String.valueOf(thrown));
        int depth = 0;
        for (Throwable cause = thrown.getCause(); cause != null && depth < 4; cause = cause.getCause()) {
            text.append("; caused by ").append(cause);
            depth++;
        }
        return new Answer(message.run(), true, shortened(text.toString()), 0);
    }

    private static String shortened(String text) {
        String plain = text.replaceAll(WRAPPERS, "");
        return plain.length() <= MOST_LETTERS ? plain
            : plain.substring(0, MOST_LETTERS) + "... (" + plain.length() + " letters)";
    }
}
