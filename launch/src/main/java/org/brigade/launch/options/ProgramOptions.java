package org.brigade.launch.options;

import java.util.List;

/**
 * One program of a command line, of which several have {@code :} between them, and the ranks that run it.
 *
 * @param ranks how many
 * @param directory in which they run; null: in that of mpjrun
 * @param variables {@code NAME=VALUE} each
 * @param java the java command that the line names; null: that of mpjrun
 * @param classPath null: the line has none
 * @param jar behind -jar; null: none
 * @param mpjDevice behind MPJ Express's -dev; null: none
 * @param javaOptions what goes to java
 * @param program the class and its arguments, those of the jar, or a file that can be run and its arguments
 * @param isFile whether program begins with a file that is not java
 */
public record ProgramOptions(int ranks, String directory, List<String> variables, String java, String classPath,
    String jar, String mpjDevice, List<String> javaOptions, List<String> program, boolean isFile) {
    /** A java program without anything special. */
    public ProgramOptions(int ranks, String directory, String classPath, String jar, List<String> javaOptions,
        List<String> program) {
        this(ranks, directory, List.of(), null, classPath, jar, null, javaOptions, program, false);
    }

    /** The class path of the program, which java sees from the ranks' directory. */
    public String userClassPath() {
        if (classPath != null) {
            return classPath;
        }
        String inherited = System.getenv("CLASSPATH");
        return inherited == null || inherited.isEmpty() ? "." : inherited;
    }
}
