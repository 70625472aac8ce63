package org.brigade.launch;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import org.brigade.launch.options.LaunchException;
import org.brigade.launch.options.OutputOptions;

/**
 * The files of {@code --output-filename}: one for each rank, with what it writes to standard output and to standard
 * error, in that order as far as mpjrun sees it.
 */
final class OutputFolder {
    private final File folder;
    private final boolean shown;

    /** The file of one rank, and where its output goes besides. */
    private static final class RankFile implements LineReader.Target {
        private final FileOutputStream file;
        private final LineReader.Target next;
        private boolean full;

        RankFile(FileOutputStream file, LineReader.Target next) {
            this.file = file;
            this.next = next;
        }

        @Override
        public void take(LineReader from, byte[] bytes, int length, boolean ends) {
            synchronized (file) { // both streams of a rank have one
                try {
                    if (!full && length > 0) {
                        file.write(bytes, 0, length);
                    }
                } catch (IOException e) {
                    full = true;
                    System.err.println("mpjrun: the file of rank " + from.name + " cannot be written (" + e.getMessage()
                        + "); the rest of its output is not in it");
                }
            }
            if (next != null) {
                next.take(from, bytes, length, ends);
            }
        }
    }

    private OutputFolder(File folder, boolean shown) {
        this.folder = folder;
        this.shown = shown;
    }

    /**
     * @return null if no files are asked for
     * @throws LaunchException if the folder cannot be made
     */
    static OutputFolder of(OutputOptions options) {
        if (options.folder() == null) {
            return null;
        }
        File folder = new File(options.folder());
        if (!folder.isDirectory() && !folder.mkdirs()) {
            throw new LaunchException("--output-filename " + options.folder() + ": the folder cannot be made; name one"
                + " where you may write");
        }
        return new OutputFolder(folder, options.shown());
    }

    /**
     * A new file for a rank.
     *
     * @param job of a spawned job, {@code "1:"}; empty for the first
     * @param ranks of the job: names have as many digits as the last rank
     */
    FileOutputStream open(String job, int rank, int ranks) {
        StringBuilder name = new StringBuilder(job.isEmpty() ? "rank." : "job" + job.replace(':', '.') + "rank.");
        String number = Integer.toString(rank);
        for (int i = Integer.toString(ranks - 1).length(); i > number.length(); i--) {
            name.append('0');
        }
        File file = new File(folder, name.append(number).toString());
        try {
            return new FileOutputStream(file);
        } catch (IOException e) {
            throw new LaunchException("--output-filename: " + file + " cannot be written (" + e.getMessage()
                + "); name another folder");
        }
    }

    /** Writes a stream of a rank to its file, and to where it would go without. */
    LineReader.Target target(FileOutputStream file, LineReader.Target shownAt) {
        return new RankFile(file, shown ? shownAt : null);
    }
}
