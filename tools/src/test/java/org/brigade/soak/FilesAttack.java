package org.brigade.soak;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.brigade.cli.Brigade;
import org.brigade.select.MemorySpace;
import org.brigade.select.TuningException;
import org.brigade.select.TuningTable;
import org.brigade.topology.machine.Machines;
import org.brigade.topology.nccl.NcclTopology;
import picocli.CommandLine;

/** Mutated input files of the commands: each is read, or refused by a sentence. */
final class FilesAttack implements Attack {
    private static final int FILES = 40;
    private static final int SECONDS = 120;
    private static final String[] NUMBERS = {"0", "-1", "1", "2147483647", "2147483648", "-9223372036854775808",
        "9223372036854775807", "1e308", "NaN", "Infinity", "0x10", "999999999999999999999", "1.5", ""};

    private record Input(String kind, byte[] text, String ending) {
    }

    private final List<Input> inputs = new ArrayList<>();
    private final int files;

    FilesAttack() {
        this(FILES);
    }

    FilesAttack(int files) {
        this.files = files;
    }

    private void readInputs() throws IOException {
        for (String name : List.of("shm-default", "cuda-default")) {
            add("tuning table", TuningTable.class, name + ".table",
                name.startsWith("cuda") ? "-device.table" : ".table");
        }
        for (String name : List.of("dgx-1v", "dgx-h100", "ac922", "rx1", "thesis-sisci", "host-2core")) {
            add("machine file", Machines.class, "/org/brigade/machines/" + name + ".machine", ".machine");
        }
        for (String name : List.of("ac922", "dump-8h100", "stub-8gpu", "rccl-4gpu", "k2200-dolphin")) {
            add("topology file", NcclTopology.class, name + ".xml", ".xml");
        }
        inputs.add(new Input("profile", profile(), ".xml"));
        inputs.add(new Input("measured table", ("collective,ranks,nodes,fabric,bytes,algorithm,us\n"
            + "allreduce,4,1,,1024,ring,12.5\nbcast,8,2,mpi,1048576,binomial,300\n").getBytes(StandardCharsets.UTF_8),
            ".csv"));
        try (var in = MPIClass.class.getResourceAsStream("FilesAttack$MPIClass.class")) {
            inputs.add(new Input("class file", in.readAllBytes(), ".class"));
        }
    }

    /** Calls the API; what check-port reads of it. */
    static final class MPIClass {
        static int size() throws mpi.MPIException {
            return mpi.MPI.COMM_WORLD.getSize() + mpi.MPI.COMM_WORLD.getRank();
        }
    }

    private void add(String kind, Class<?> beside, String name, String ending) throws IOException {
        try (var in = beside.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("there is no resource " + name + " beside " + beside);
            }
            inputs.add(new Input(kind, in.readAllBytes(), ending));
        }
    }

    private static byte[] profile() throws IOException {
        Path folder = Files.createTempDirectory("brigade-soak");
        try {
            String said = execute("profile", "--machine", "dgx-1v", "--bytes", "1M", "--out",
                folder.resolve("profile.xml").toString());
            if (!Files.exists(folder.resolve("profile.xml"))) {
                throw new IOException("no profile was made: " + said);
            }
            return Files.readAllBytes(folder.resolve("profile.xml"));
        } finally {
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            for (Path each : files.toList()) {
                Files.delete(each);
            }
        }
        Files.delete(folder);
    }

    @Override
    public String name() {
        return "files";
    }

    @Override
    public void round(Random random, Trials trials) throws Exception {
        if (inputs.isEmpty()) {
            readInputs();
        }
        Path folder = Files.createTempDirectory("brigade-soak");
        try {
            for (int i = 0; i < files; i++) {
                Input input = inputs.get(random.nextInt(inputs.size()));
                byte[] mutated = input.text;
                for (int times = 1 + random.nextInt(3); times > 0; times--) {
                    mutated = mutated(mutated, random);
                }
                Path file = folder.resolve("file" + input.ending);
                Files.write(file, mutated);
                String wrong = read(input, mutated, file);
                if (wrong == null) {
                    trials.passed("mutated files: " + input.kind, 1);
                } else {
                    Path kept = Files.createTempFile("brigade-soak-file", input.ending);
                    Files.write(kept, mutated);
                    trials.failed("mutated files: " + input.kind, kept + ": " + wrong);
                }
            }
        } finally {
            delete(folder);
        }
    }

    /** What is wrong with the answer; null if nothing. */
    private static String read(Input input, byte[] text, Path file) throws InterruptedException {
        FutureTask<String> task = new FutureTask<>(() -> switch (input.kind) {
            case "tuning table" -> table(text, file);
            case "machine file" -> execute("simulate", "allreduce", "--topology", file.toString(), "--ranks", "2",
                "--bytes", "64K", "--algorithm", "ring");
            case "topology file" -> execute("info", "--from", file.toString(), "--topology",
                file.resolveSibling("out.machine").toString());
            case "profile" -> execute("explain", "allreduce", "--ranks", "4", "--bytes", "1M", "--profile",
                file.toString());
            case "measured table" -> execute("simulate", "--topology", "dgx-1v", "--measured", file.toString());
            default -> execute("check-port", file.toString());
        });
        Thread thread = new Thread(null, task, "reader", 1 << 20);
        thread.setDaemon(true);
        thread.start();
        try {
            return task.get(SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            return "is not read to its end; " + Arrays.toString(thread.getStackTrace());
        } catch (ExecutionException e) {
            StringWriter trace = new StringWriter();
            e.getCause().printStackTrace(new PrintWriter(trace));
            return trace.toString().lines().limit(12).toList().toString();
        }
    }

    private static String table(byte[] text, Path file) {
        try {
            TuningTable.parse(file.toString().contains("device") ? MemorySpace.DEVICE : MemorySpace.HOST, "file",
                new String(text, StandardCharsets.UTF_8));
            return null;
        } catch (TuningException refused) {
            return refused.getMessage().startsWith("file") ? null : "does not name the file: " + refused.getMessage();
        }
    }

    private static String execute(String... arguments) {
        CommandLine line = Brigade.commandLine();
        StringWriter said = new StringWriter();
        line.setOut(new PrintWriter(new StringWriter()));
        line.setErr(new PrintWriter(said));
        int code = line.execute(arguments);
        return code == 0 ? null
            : said.toString().contains("\tat ") ? said.toString().lines().limit(12).toList().toString()
                : said.toString().isBlank() ? "says nothing, exit code " + code : null;
    }

    // ---- mutations ----

    private static byte[] mutated(byte[] text, Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> flipped(text, random);
            case 1 -> Arrays.copyOf(text, random.nextInt(text.length + 1));
            case 2 -> lines(text, random);
            case 3, 4, 5 -> number(text, random);
            case 6 -> word(text, random);
            default -> spliced(text, random);
        };
    }

    private static byte[] flipped(byte[] text, Random random) {
        byte[] copy = text.clone();
        for (int i = 1 + random.nextInt(4); i > 0 && copy.length > 0; i--) {
            copy[random.nextInt(copy.length)] = (byte) random.nextInt(256);
        }
        return copy;
    }

    /** A line is missing, doubled, moved, or very long. */
    private static byte[] lines(byte[] text, Random random) {
        List<String> lines = new ArrayList<>(new String(text, StandardCharsets.ISO_8859_1).lines().toList());
        if (lines.isEmpty()) {
            return text;
        }
        int at = random.nextInt(lines.size());
        switch (random.nextInt(4)) {
            case 0 -> lines.remove(at);
            case 1 -> lines.add(at, lines.get(at));
            case 2 -> lines.add(random.nextInt(lines.size()), lines.remove(at));
            default -> lines.set(at, lines.get(at).repeat(500));
        }
        return (String.join("\n", lines) + "\n").getBytes(StandardCharsets.ISO_8859_1);
    }

    /** A number is another one. */
    private static byte[] number(byte[] text, Random random) {
        return replaced(text, random, "[0-9.]+", NUMBERS[random.nextInt(NUMBERS.length)]);
    }

    /** A word is another one of the file. */
    private static byte[] word(byte[] text, Random random) {
        String all = new String(text, StandardCharsets.ISO_8859_1);
        List<String> words = Arrays.stream(all.split("[^A-Za-z-]+")).filter(each -> !each.isEmpty()).toList();
        return words.isEmpty() ? text
            : replaced(text, random, "[A-Za-z-]+", words.get(random.nextInt(words.size())));
    }

    private static byte[] replaced(byte[] text, Random random, String pattern, String by) {
        String all = new String(text, StandardCharsets.ISO_8859_1);
        List<int[]> found = java.util.regex.Pattern.compile(pattern).matcher(all).results()
            .map(each -> new int[] {each.start(), each.end()}).toList();
        if (found.isEmpty()) {
            return text;
        }
        int[] place = found.get(random.nextInt(found.size()));
        return (all.substring(0, place[0]) + by + all.substring(place[1])).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** A piece stands in another place, too. */
    private static byte[] spliced(byte[] text, Random random) {
        if (text.length == 0) {
            return text;
        }
        int from = random.nextInt(text.length);
        int length = random.nextInt(Math.min(200, text.length - from) + 1);
        int to = random.nextInt(text.length);
        byte[] copy = new byte[text.length + length];
        System.arraycopy(text, 0, copy, 0, to);
        System.arraycopy(text, from, copy, to, length);
        System.arraycopy(text, to, copy, to + length, text.length - to);
        return copy;
    }
}
