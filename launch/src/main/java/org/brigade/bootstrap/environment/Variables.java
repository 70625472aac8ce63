package org.brigade.bootstrap.environment;

import java.util.Map;
import mpi.ErrorClass;

/** Environment variables, and errors for missing or impossible ones. */
final class Variables {
    private static final int LONGEST_KEY = 128;

    private final Map<String, String> environment;

    Variables(Map<String, String> environment) {
        this.environment = environment;
    }

    boolean has(String name) {
        return environment.containsKey(name);
    }

    String text(String name) {
        String value = environment.get(name);
        if (value == null || value.isEmpty()) {
            throw ErrorClass.OTHER.in("Init", "the launcher's environment is incomplete: " + name
                + " is not set; start all ranks with one mpirun, srun or mpjrun, or unset the variables that an outer"
                + " job has left");
        }
        return value;
    }

    /** A number from least to most. */
    int number(String name, int least, int most) {
        String value = text(name);
        long number = 0;
        for (int i = 0; i < value.length(); i++) {
            char digit = value.charAt(i);
            number = digit >= '0' && digit <= '9' && i < 10 ? number * 10 + digit - '0' : -1;
            if (number < 0) {
                break;
            }
        }
        if (number < least || number > most) {
            throw ErrorClass.OTHER.in("Init",
                name + "=" + value + " contradicts the launcher's other variables: it must be a number from " + least
                    + " to " + most
                    + "; unset what an outer launcher has left in the environment");
        }
        return (int) number;
    }

    /** A text that may be part of a file name unchanged. */
    String key(String name) {
        String value = text(name);
        if (!value.equals(fileName(value))) {
            throw ErrorClass.OTHER.in("Init",
                name + "=" + value + " must be at most " + LONGEST_KEY + " letters, digits, '.', '_' and '-'");
        }
        return value;
    }

    /** Replaces characters that our file names may not have; a long text keeps its end, where names differ. */
    static String fileName(String text) {
        StringBuilder name = new StringBuilder(text.substring(Math.max(0, text.length() - LONGEST_KEY)));
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean fits = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_'
                || c == '-';
            if (!fits) {
                name.setCharAt(i, '_');
            }
        }
        return name.toString();
    }
}
