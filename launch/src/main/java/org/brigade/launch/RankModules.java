package org.brigade.launch;

import java.io.File;
import java.util.ArrayList;
import java.util.List;

/** What a program in a module needs of java's options: brigade.jar as the module org.brigade. */
final class RankModules {
    private static final String MODULE = "org.brigade";
    private static final String PATH = "--module-path";

    private RankModules() {
    }

    /** Brigade's jars for the class path of ranks: a part of mpjrun's own. */
    static String brigadePath() {
        return System.getProperty("brigade.launch.path", System.getProperty("java.class.path"));
    }

    /** Whether java's options name a main module. */
    static boolean isOne(List<String> javaOptions) {
        return javaOptions.contains("-m") || javaOptions.contains("--module");
    }

    /**
     * The same options with Brigade's jars on the module path, before the program's own, and native access for them.
     * What is in a module path's folder under the same name is not taken then.
     */
    static List<String> options(List<String> javaOptions, String brigade, int feature) {
        List<String> all = new ArrayList<>();
        boolean there = false;
        if (feature >= RankCommand.WARNS_ABOUT_NATIVE_ACCESS) {
            all.add("--enable-native-access=" + MODULE);
        }
        for (int i = 0; i < javaOptions.size(); i++) {
            String option = javaOptions.get(i);
            boolean split = option.equals("-p") || option.equals(PATH);
            if (split || option.startsWith(PATH + "=")) {
                String given = split ? javaOptions.get(++i) : option.substring(PATH.length() + 1);
                all.add(PATH);
                all.add(brigade + File.pathSeparator + given);
                there = true;
            } else {
                if (!there && (option.equals("-m") || option.equals("--module"))) {
                    all.add(PATH);
                    all.add(brigade);
                }
                all.add(option);
            }
        }
        return all;
    }
}
