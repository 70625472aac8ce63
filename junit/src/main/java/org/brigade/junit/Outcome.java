package org.brigade.junit;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import mpi.MPI;
import mpi.MPIException;

/** What a test has come to on a rank: a file in the job's folder. */
record Outcome(Kind kind, String text, StackTraceElement[] where, Throwable thrown) implements Serializable {
    enum Kind {
        PASSED, ABORTED, FAILED, LATE
    }

    static Outcome passed() {
        return new Outcome(Kind.PASSED, "", new StackTraceElement[0], null);
    }

    static Outcome of(Kind kind, Throwable thrown) {
        return new Outcome(kind, thrown.toString(), thrown.getStackTrace(), thrown);
    }

    /** Whether it is what a rank comes to that waits for another one which has failed or died. */
    boolean isConsequence() {
        return thrown instanceof MPIException error
            && (error.getErrorClass() == MPI.ERR_REVOKED || error.getErrorClass() == MPI.ERR_PROC_FAILED);
    }

    private static Path file(Path folder, int rank) {
        return folder.resolve("rank-" + rank);
    }

    static boolean exists(Path folder, int rank) {
        return Files.exists(file(folder, rank));
    }

    /** Writes the file, which appears at once; without the exception if that cannot be serialized. */
    void write(Path folder, int rank) throws IOException {
        Path made = folder.resolve("made-" + rank);
        try (ObjectOutputStream out = new ObjectOutputStream(Files.newOutputStream(made))) {
            out.writeObject(this);
        } catch (IOException e) {
            if (thrown == null) {
                throw e;
            }
            new Outcome(kind, text, where, null).write(folder, rank);
            return;
        }
        Files.move(made, file(folder, rank), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Null if the rank has not written one. */
    static Outcome read(Path folder, int rank) throws IOException {
        if (!exists(folder, rank)) {
            return null;
        }
        try (ObjectInputStream in = new ObjectInputStream(Files.newInputStream(file(folder, rank))) {
            @Override
            protected Class<?> resolveClass(ObjectStreamClass description)
                throws IOException, ClassNotFoundException {
                try {
                    return Class.forName(description.getName(), false, Thread.currentThread().getContextClassLoader());
                } catch (ClassNotFoundException e) {
                    return super.resolveClass(description);
                }
            }
        }) {
            return (Outcome) in.readObject();
        } catch (ClassNotFoundException e) {
            throw new IOException(e);
        }
    }
}
