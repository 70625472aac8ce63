package org.brigade.bootstrap.ports;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.brigade.interrupt.FileStep;
import org.brigade.nativ.PrivateFolder;

/**
 * The folder of ports and letters. It belongs to this user, has mode 0700, and lies where others cannot replace it
 * ({@link PrivateFolder}): what a process reads there, a process of this user has written. It exists only while there
 * is something in it.
 *
 * <pre>
 *   port-ID                 a port; belongs to the process that has opened it
 *   launch-JOB              the door of a job's launcher; there is no such file, only letters
 *   BOX~NUMBER              a letter in one of these boxes; the oldest has the lowest number
 *   BOX~NUMBER.taken        the same, being answered
 *   BOX~NUMBER.gone         the same, where the visitor no longer waits for an answer
 *   BOX~NUMBER.answer       the answer; belongs to the process that has left the letter
 *   name-DIGEST             a published name; belongs to the process that has published it
 *   part-...                a file that is being written
 * </pre>
 */
final class PortFolder {
    static final char LETTER = '~';
    static final String TAKEN = ".taken";
    private static final String GONE = ".gone";
    static final String ANSWER = ".answer";
    private static final String PART = "part-";
    /** A file is written within milliseconds. */
    private static final long MOST_WRITING_MILLIS = 60_000;
    /** How often the folder may vanish between its making and the making of a file, as others remove it when empty. */
    private static final int MOST_ATTEMPTS = 100;
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final Path path;

    PortFolder(Path path) {
        this.path = path;
    }

    Path path() {
        return path;
    }

    /** A number that no other process uses; later numbers are higher. */
    static String number() {
        return hex(System.currentTimeMillis()) + hex(ProcessHandle.current().pid()) + hex(COUNT.getAndIncrement());
    }

    private static String hex(long number) {
        String digits = Long.toHexString(number);
        return "000000000000".substring(Math.min(12, digits.length())).concat(digits);
    }

    /**
     * Writes a file that appears complete.
     *
     * @param replace false: if there is such a file, it stays
     * @return whether the file has been written
     */
    boolean write(String name, Letter letter, boolean replace) throws IOException {
        for (int attempt = 0;; attempt++) {
            try {
                return new FileStep<Boolean>() {
                    @Override
                    protected Boolean attempt() throws IOException {
                        return written(name, letter, replace);
                    }
                }.run();
            } catch (NoSuchFileException removed) {
                // Another process may remove the folder, as it finds it empty, at any moment until the part is in it.
                if (attempt == MOST_ATTEMPTS) {
                    throw removed;
                }
            }
        }
    }

    private boolean written(String name, Letter letter, boolean replace) throws IOException {
        String part = PART + number();
        try (OpenFolder folder = OpenFolder.at(PrivateFolder.at(path))) {
            try {
                folder.write(part, letter.bytes());
                if (replace) {
                    folder.move(part, name);
                } else {
                    Files.createLink(path.resolve(name), path.resolve(part));
                }
                return true;
            } catch (FileAlreadyExistsException taken) {
                return false;
            } finally {
                folder.delete(part);
            }
        }
    }

    /** Null if there is no such file, or if it is no letter. */
    Letter read(String name) throws IOException {
        requireOurs();
        try {
            return new FileStep<Letter>() {
                @Override
                protected Letter attempt() throws IOException {
                    try (OpenFolder folder = OpenFolder.at(path)) {
                        return Letter.of(folder.read(name));
                    }
                }
            }.run();
        } catch (NoSuchFileException gone) {
            return null;
        }
    }

    /**
     * Ends a visit. Who withdraws says so and then looks for an answer; who answers does that and then looks whether
     * the visitor has withdrawn. So one of the two removes what nobody reads.
     */
    void withdraw(String letter, boolean answered) {
        if (answered) {
            delete(letter + TAKEN);
            delete(letter + ANSWER);
        } else if (!delete(letter) && new File(path.toFile(), letter + TAKEN)
            .renameTo(new File(path.toFile(), letter + GONE)) && delete(letter + ANSWER)) {
            delete(letter + GONE);
        }
    }

    /** Answers a letter that has been taken; false if the visitor has withdrawn. */
    boolean answer(String letter, Letter answer) throws IOException {
        write(letter + ANSWER, answer, true);
        if (!delete(letter + GONE)) {
            return true;
        }
        delete(letter + ANSWER);
        return false;
    }

    /** The oldest letter in a box; null if there is none. */
    String oldest(String box) {
        String oldest = null;
        for (String name : names()) {
            if (name.startsWith(box) && name.length() > box.length() && name.charAt(box.length()) == LETTER
                && name.indexOf('.') < 0 && (oldest == null || name.compareTo(oldest) < 0)) {
                oldest = name;
            }
        }
        return oldest;
    }

    /** Renames a file; false if it has gone. */
    boolean rename(String from, String to) throws IOException {
        requireOurs();
        return path.resolve(from).toFile().renameTo(path.resolve(to).toFile());
    }

    boolean delete(String name) {
        return new File(path.toFile(), name).delete();
    }

    /** Removes the folder if it is empty. */
    void tidy() {
        path.toFile().delete();
    }

    /** Removes all letters of a box; answers stay for those who wait for them. */
    void empty(String box) {
        for (String name : names()) {
            if (name.startsWith(box + LETTER) && !name.endsWith(ANSWER)) {
                delete(name);
            }
        }
    }

    /** Removes what processes have left that have ended. */
    void removeStale() {
        for (String name : names()) {
            try {
                Letter letter = read(name);
                boolean part = name.startsWith(PART);
                if (part
                    ? System.currentTimeMillis() - new File(path.toFile(), name).lastModified() > MOST_WRITING_MILLIS
                    : letter != null && letter.isStale()) {
                    delete(name);
                }
            } catch (IOException unreadable) {
                // Not ours to judge.
            }
        }
        tidy();
    }

    private String[] names() {
        String[] names = path.toFile().list();
        return names == null ? new String[0] : names;
    }

    /** Nobody else may have written what this process reads here. */
    private void requireOurs() throws IOException {
        String complaint = Files.exists(path) ? PrivateFolder.complaint(path) : null;
        if (complaint != null && Files.exists(path)) { // else it has been removed meanwhile
            throw new IOException(complaint);
        }
    }
}
