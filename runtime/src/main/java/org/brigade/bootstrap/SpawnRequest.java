package org.brigade.bootstrap;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import mpi.spi.SpawnCommand;

/**
 * What a rank asks its launcher for: one more job.
 *
 * @param job the key of the job that asks
 * @param port where its ranks meet those that spawn them, and where the launcher reports that it cannot start them
 * @param programs in the order of ranks
 */
public record SpawnRequest(String job, String port, List<SpawnCommand> programs) {
    public byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            write(out, job);
            write(out, port);
            out.writeInt(programs.size());
            for (SpawnCommand program : programs) {
                write(out, program.command());
                out.writeInt(program.processes());
                write(out, program.directory());
                out.writeInt(program.arguments().size());
                for (String argument : program.arguments()) {
                    write(out, argument);
                }
            }
        } catch (IOException neverInMemory) {
            throw new UncheckedIOException(neverInMemory);
        }
        return bytes.toByteArray();
    }

    /** @throws IOException if the bytes are no request of this version */
    public static SpawnRequest of(byte[] bytes) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            String job = read(in);
            String port = read(in);
            List<SpawnCommand> programs = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                String command = read(in);
                int processes = in.readInt();
                String directory = read(in);
                List<String> arguments = new ArrayList<>();
                for (int more = in.readInt(); more > 0; more--) {
                    arguments.add(read(in));
                }
                programs.add(new SpawnCommand(command, arguments, processes, directory));
            }
            return new SpawnRequest(job, port, programs);
        }
    }

    // Not writeUTF, which takes 64 KiB at most: an argument may be a long class path.
    private static void write(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String read(DataInputStream in) throws IOException {
        byte[] bytes = new byte[Math.min(in.readInt(), in.available())];
        in.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
