package org.brigade.launch;

/** What the ranks of {@link LauncherTest} run as a program of MPJ Express: it prints all that main is given. */
final class LaunchedMpjProgram {
    private LaunchedMpjProgram() {
    }

    public static void main(String[] arguments) {
        System.out.println(String.join("|", arguments));
    }
}
