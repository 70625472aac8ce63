package org.brigade.bootstrap;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * How a group introduces itself to another one: in a letter at a port, and in the answer. A letter may also say that
 * the awaited group does not come.
 *
 * @param failure why the group does not come; null if it does. Then nothing else counts
 * @param release {@link Build#fingerprint} of its ranks
 * @param settings a fingerprint of the settings that all ranks must have alike
 * @param key in an answer: the key of the job that both groups make
 * @param context in an answer: the context of the new communicator if both groups are of one job
 * @param ownJob whether the communicator of the call has ranks of its own job only
 * @param jobs by rank of the group: the key of the job that the rank has started in
 * @param ranks by rank of the group: its rank in that job
 * @param machines by rank of the group: {@link Processors#machine}
 */
public record GroupLetter(String failure, long release, long settings, String key, long context, boolean ownJob,
    String[] jobs,
    int[] ranks, long[] machines) {
    /** Begins every letter; the last byte is the version of the protocol. */
    private static final int BRIGADE = 0x42524701;

    /** The letter of whoever knows that the awaited group does not come. */
    public static byte[] failure(String why) {
        return new GroupLetter(why, 0, 0, "", 0, false, new String[0], new int[0], new long[0]).bytes();
    }

    /** The same letter with another key. */
    public GroupLetter withKey(String other) {
        return new GroupLetter(failure, release, settings, other, context, ownJob, jobs, ranks, machines);
    }

    public int size() {
        return ranks.length;
    }

    public byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(BRIGADE);
            out.writeUTF(failure == null ? "" : failure);
            out.writeLong(release);
            out.writeLong(settings);
            out.writeUTF(key);
            out.writeLong(context);
            out.writeBoolean(ownJob);
            out.writeInt(ranks.length);
            for (int i = 0; i < ranks.length; i++) {
                out.writeUTF(jobs[i]);
                out.writeInt(ranks[i]);
                out.writeLong(machines[i]);
            }
        } catch (IOException neverInMemory) {
            throw new UncheckedIOException(neverInMemory);
        }
        return bytes.toByteArray();
    }

    /** Null if the bytes are no letter of this version. */
    public static GroupLetter of(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            if (in.readInt() != BRIGADE) {
                return null;
            }
            String failure = in.readUTF();
            long release = in.readLong();
            long settings = in.readLong();
            String key = in.readUTF();
            long context = in.readLong();
            boolean ownJob = in.readBoolean();
            int size = in.readInt();
            String[] jobs = new String[size];
            int[] ranks = new int[size];
            long[] machines = new long[size];
            for (int i = 0; i < size; i++) {
                jobs[i] = in.readUTF();
                ranks[i] = in.readInt();
                machines[i] = in.readLong();
            }
            return new GroupLetter(failure.isEmpty() ? null : failure, release, settings, key, context, ownJob, jobs,
                ranks,
                machines);
        } catch (IOException | NegativeArraySizeException notOurs) {
            return null;
        }
    }
}
