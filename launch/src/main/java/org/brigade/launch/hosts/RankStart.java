package org.brigade.launch.hosts;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * How an agent starts a rank.
 *
 * @param joined whether standard error goes the way of standard output
 * @param fed whether input follows
 * @param directory where it runs
 * @param variables {@code NAME=VALUE} each, beside those of the host
 * @param trace the folder for its recording; empty: it is not traced
 */
public record RankStart(int rank, boolean joined, boolean fed, String directory, List<String> command,
    List<String> variables, String trace) {
    void write(DataOutputStream out) throws IOException {
        out.writeInt(rank);
        out.writeBoolean(joined);
        out.writeBoolean(fed);
        texts(out, List.of(directory, trace));
        texts(out, command);
        texts(out, variables);
    }

    /** As it was written. */
    public static RankStart read(DataInputStream in) throws IOException {
        int rank = in.readInt();
        boolean joined = in.readBoolean();
        boolean fed = in.readBoolean();
        List<String> folders = texts(in);
        return new RankStart(rank, joined, fed, folders.get(0), texts(in), texts(in), folders.get(1));
    }

    /** Writes texts of any length. */
    public static void texts(DataOutputStream out, List<String> texts) throws IOException {
        out.writeInt(texts.size());
        for (String each : texts) {
            byte[] bytes = each.getBytes(StandardCharsets.UTF_8);
            out.writeInt(bytes.length);
            out.write(bytes);
        }
    }

    static List<String> texts(DataInputStream in) throws IOException {
        List<String> texts = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            texts.add(new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8));
        }
        return texts;
    }
}
