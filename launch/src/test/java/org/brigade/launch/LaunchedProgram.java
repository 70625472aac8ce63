package org.brigade.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** What the ranks of {@link LauncherTest} run: the first argument says what to do, without any MPI. */
final class LaunchedProgram {
    private LaunchedProgram() {
    }

    public static void main(String[] arguments) throws Exception {
        int rank = Integer.parseInt(System.getenv("BRIGADE_RANK"));
        switch (arguments[0]) {
            case "identity" -> System.out
                .println(rank + "/" + System.getenv("BRIGADE_SIZE") + " " + System.getenv("BRIGADE_LOCAL_RANK") + "/"
                    + System.getenv("BRIGADE_LOCAL_SIZE") + " " + System.getenv("BRIGADE_JOB") + " "
                    + System.getenv("BRIGADE_LAUNCHER_PID"));
            case "arguments" -> System.out.println(String.join("|", arguments));
            case "exit" -> onRank(rank, 1, () -> System.exit(Integer.parseInt(arguments[1])));
            case "throw" -> onRank(rank, 1, () -> {
                throw new IllegalStateException("thrown on purpose");
            });
            case "kill" -> onRank(rank, 1, () -> Runtime.getRuntime()
                .exec(new String[] {"kill", "-" + arguments[1], "" + ProcessHandle.current().pid()}));
            case "input" -> System.out.println(rank + ":" + new String(System.in.readAllBytes()).trim());
            case "wait" -> {
                write(Path.of(arguments[1]), rank);
                Thread.sleep(60_000);
            }
            case "deaf" -> {
                Runtime.getRuntime().addShutdownHook(new Thread(LaunchedProgram::sleep));
                write(Path.of(arguments[1]), rank);
                onRank(rank, 1, () -> Runtime.getRuntime().halt(5));
            }
            case "parts" -> {
                for (int line = 0; line < 50; line++) {
                    for (int part = 0; part < 10; part++) {
                        System.out.print(rank + " ");
                        System.out.flush();
                    }
                    System.out.println();
                }
            }
            case "long" -> {
                byte[] piece = new byte[1 << 20];
                Arrays.fill(piece, (byte) ('a' + rank));
                for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
                    System.out.write(piece, 0, piece.length);
                }
                System.out.println();
            }
            case "prompt" -> {
                System.out.print("name? ");
                System.out.flush();
                System.out.println(System.in.read());
            }
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private interface Deed {
        void run() throws Exception;
    }

    /** One rank does it, the others would wait for a minute. */
    private static void onRank(int rank, int chosen, Deed deed) throws Exception {
        if (rank == chosen) {
            deed.run();
        }
        Thread.sleep(60_000);
    }

    /** Leaves this process's number in a file, all at once. */
    private static void write(Path directory, int rank) throws IOException {
        Path unfinished = Files.writeString(directory.resolve("." + rank), "" + ProcessHandle.current().pid());
        Files.move(unfinished, directory.resolve("" + rank));
    }

    private static void sleep() {
        try {
            Thread.sleep(60_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
