package org.brigade.launch.hosts;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * What an agent must know of its job. The secret goes this way only: it is on no command line and in no environment.
 *
 * @param key of the job
 * @param secret by which ranks and mpjrun know each other; empty: the job is on one host
 * @param ranks of this host
 * @param binding the name of what they are bound to
 * @param reports whether the agent says to which processors
 * @param spare the ranks' setting {@code brigade.spare.cores}; empty: not set
 * @param console the word of the ranks' commands that names mpjrun's socket for them; empty: there is none
 */
public record AgentJob(String key, byte[] secret, int[] ranks, String binding, boolean reports, String spare,
    String console) {
    void write(DataOutputStream out) throws IOException {
        out.writeUTF(key);
        out.writeInt(secret.length);
        out.write(secret);
        out.writeInt(ranks.length);
        for (int rank : ranks) {
            out.writeInt(rank);
        }
        out.writeUTF(binding);
        out.writeBoolean(reports);
        out.writeUTF(spare);
        out.writeUTF(console);
    }

    /** As it was written. */
    public static AgentJob read(DataInputStream in) throws IOException {
        String key = in.readUTF();
        byte[] secret = in.readNBytes(in.readInt());
        int[] ranks = new int[in.readInt()];
        for (int i = 0; i < ranks.length; i++) {
            ranks[i] = in.readInt();
        }
        return new AgentJob(key, secret, ranks, in.readUTF(), in.readBoolean(), in.readUTF(), in.readUTF());
    }
}
