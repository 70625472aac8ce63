package org.brigade.launch.options;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.brigade.setting.Setting;

/** The part of a command line that describes one program, while it is being read. */
final class ProgramLine {
    /** As mpirun wants it in front of java's options; here it may stand there, also with its path. */
    private static final String JAVA = "java";
    private static final String SETTING = "-D" + Setting.property("");

    /** Null: the first program. */
    private final ProgramLine before;
    private int ranks;
    private String directory;
    private String java;
    private boolean behindJava;
    private String classPath;
    private String jar;
    private String mpjDevice;
    private boolean isFile;
    private final List<String> variables = new ArrayList<>();
    private final List<String> javaOptions = new ArrayList<>();
    private final List<String> program = new ArrayList<>();

    /** @param before the program before this one; null: there is none */
    ProgramLine(ProgramLine before) {
        this.before = before;
    }

    /** Whether the program has been named: all further words are its arguments. */
    boolean isNamed() {
        return !program.isEmpty() || jar != null;
    }

    void ranks(int number) {
        ranks = number;
    }

    void directory(String path) {
        directory = path;
    }

    void classPath(String path) {
        classPath = path;
    }

    void jar(String file) {
        jar = file;
    }

    void mpjDevice(String device) {
        mpjDevice = device;
    }

    /** What -m names. */
    void module(String option, String name) {
        javaOptions.add(option);
        program.add(name);
    }

    void javaOption(String option) {
        javaOptions.add(option);
    }

    /** Whether java has been named: what follows are java's options, whatever they are. */
    boolean isBehindJava() {
        return behindJava;
    }

    void argument(String word) {
        program.add(word);
    }

    /** {@code NAME=VALUE}, or a variable of this process. */
    void variable(String text) {
        int equals = text.indexOf('=');
        if (equals == 0 || text.isEmpty()) {
            throw new LaunchException("-x " + text + ": name a variable, as in -x NAME or -x NAME=VALUE");
        }
        if (equals > 0) {
            variables.add(text);
        } else if (System.getenv(text) != null) {
            variables.add(text + "=" + System.getenv(text));
        }
    }

    /** A word that is no option: java, a file that can be run, or a class. */
    void word(String word) {
        boolean path = word.indexOf('/') >= 0;
        if (word.equals(JAVA)) {
            behindJava = true;
        } else if (path && new File(new PathOptions(directory).path(word)).isFile()
            && new File(new PathOptions(directory).path(word)).canExecute()) {
            if (word.endsWith("/" + JAVA)) {
                java = word;
                behindJava = true;
            } else {
                isFile = true;
                program.add(word);
            }
        } else {
            program.add(word.startsWith("./") && !word.endsWith(".java") ? word.substring(2) : word);
        }
    }

    /** @param usual how many ranks, if the line does not say */
    ProgramOptions read(int usual) {
        if (!isNamed()) {
            throw new LaunchException(
                "no program: name a class, or a jar behind -jar, as in: mpjrun -np 4 -cp app.jar App");
        }
        if (before != null) {
            takeFrom(before);
        }
        return new ProgramOptions(ranks == 0 ? usual : ranks, directory, variables, java, classPath, jar, mpjDevice,
            javaOptions, program, isFile);
    }

    /** Brigade's settings must be the same in all programs. A class path is taken only if there is none. */
    private void takeFrom(ProgramLine other) {
        if (ranks == 0) {
            throw new LaunchException("the program " + (jar == null ? program.get(0) : jar)
                + " behind ':' has no -np; give each of several programs its number of ranks, as in: mpjrun -np 1 A :"
                + " -np 3 B");
        }
        if (classPath == null && jar == null) {
            classPath = other.classPath;
        }
        int at = 0;
        for (String option : other.javaOptions) {
            if (option.startsWith(SETTING)) {
                javaOptions.add(at++, option); // java takes the last of two
            }
        }
    }

    /** Whether the line gives a number. */
    boolean isCounted() {
        return ranks > 0;
    }
}
